package workspace

import (
	"slices"
	"strconv"
	"strings"

	desklead "hearthline/internal/desk/lead"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/views/ui"
)

// presentTechnical maps what support asks for about a lead, in the interface's own values: for every tab the lead and
// its step, and what belongs to the content of the tab.
func presentTechnical(v text.Viewer, d *Data) []ui.Fact {
	l, a := d.View, d.View.Details.App
	t := technicalFacts{}
	t.add("Application ID", string(l.Row.App))
	t.add("Lender’s step", string(l.Row.Step))
	t.add("Lender’s status", a.Status)
	t.add("Lender’s overall status", a.OverallStatus)
	switch d.Tab {
	case to.Overview:
		t.add("Lender’s reasons", strings.Join(a.StatusReasons, ", "))
		t.addSelectedOffer(a.Underwriting.SelectedOffer)
		t.addProperties(l.Properties)
	case to.Offers:
		t.addSelectedOffer(a.Underwriting.SelectedOffer)
	case to.Property:
		t.add("Property ID", a.Property.PropertyUUID)
		t.add("Data vendor’s property ID", a.Property.PropertyID)
		for _, lien := range a.Liens {
			t.add(text.JoinNonEmpty(" ", "Lien ID,", lien.LenderName), lien.LienUUID)
		}
		t.addProperties(l.Properties)
	case to.Underwriting:
		t.addPayoffReasons(a.Payoff)
	case to.Documents:
		docs, _ := DocumentsOf(NewLists(v, d, DocumentsList), l)
		for _, doc := range docs {
			t.add("Document ID, "+doc.FileName, doc.UUID)
		}
	case to.Funding:
		if l.Funding != nil {
			shown, first, _ := TransfersOf(NewLists(v, d, TransfersList), l)
			for i, transfer := range shown {
				t.add("Transfer "+strconv.Itoa(first+i)+" ID", transfer.ID)
				t.add("Transfer "+strconv.Itoa(first+i)+" message ID", transfer.MessageUUID)
			}
		}
	case to.History:
		t.add("Still an inquiry", text.YesNo(a.IsInquiry))
		t.add("Inquiry created", text.YesNo(a.StartedAsInquiry))
		t.addParties(l)
		t.add("Lender’s reasons", strings.Join(a.StatusReasons, ", "))
		own := slices.Index(desklead.AttributionNames(), d.Lead.OwnReference())
		t.add("Hearthline’s reference", desklead.AttributionValues(a)[own])
	case to.Activity:
		for _, e := range d.Activity {
			if e.Kind == lead.EventStep || e.Kind == lead.EventAskedAgain {
				t.add(v.ExactDateTime(e.At), "nextInquiryStep: "+string(e.StepBefore)+" → "+string(e.StepAfter))
			}
		}
	}
	return t.facts
}

// technicalFacts collects facts without the unknown ones: a dash tells support nothing.
type technicalFacts struct{ facts []ui.Fact }

func (t *technicalFacts) add(label, value string) {
	if value != "" {
		t.facts = append(t.facts, ui.Fact{Label: label, Value: value})
	}
}

func (t *technicalFacts) addSelectedOffer(s *heloc.SelectedOffer) {
	if s != nil {
		t.add("Selected offer ID", s.OfferUUID)
	}
}

// addPayoffReasons adds everything that the lender gave as reasons why it does not pay off debts. The table of debts
// states one of them.
func (t *technicalFacts) addPayoffReasons(p heloc.PayoffDetails) {
	if p.Existing == nil {
		return
	}
	for _, d := range p.Existing.Ineligible {
		for _, r := range d.Reasons {
			t.add(text.JoinNonEmpty(" ", "Reason,", text.OrDash(d.Creditor), d.LastDigits),
				text.JoinNonEmpty(": ", string(r.Reason), r.Description))
		}
	}
}

// addProperties adds the lender's matches for an ambiguous address, with their coordinates.
func (t *technicalFacts) addProperties(found *heloc.MatchedProperties) {
	if found == nil {
		return
	}
	for _, p := range found.Properties {
		at := ""
		if p.Latitude != nil && p.Longitude != nil {
			at = strconv.FormatFloat(*p.Latitude, 'f', -1, 64) + ", " + strconv.FormatFloat(*p.Longitude, 'f', -1, 64)
		}
		t.add(strings.Join(text.AddressLines(p.Address), ", "), text.JoinNonEmpty(" at ", p.ID, at))
	}
}

// addParties adds the ids of the people, companies and licenses on a lead.
func (t *technicalFacts) addParties(l desklead.Snapshot) {
	o := l.Details.Originator
	t.add("Originator ID", string(o.UUID))
	t.add("Broker company ID", o.BrokerUUID)
	for _, u := range l.Details.App.AssignedUsers {
		t.add("Lender staff ID", u.UserUUID)
	}
	for _, party := range []struct {
		name    string
		license *heloc.License
	}{{"Lender", o.Licenses.Lender}, {"Loan originator", o.Licenses.LoanOriginator},
		{"Broker company", o.Licenses.Broker}} {
		if party.license != nil {
			t.add(party.name+" license holder ID", party.license.Holder.UUID)
			t.add(party.name+" license ID", party.license.State.UUID)
		}
	}
}
