package workspace

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	desklead "hearthline/internal/desk/lead"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/views/ui"
	view "hearthline/views/workspace"
)

// PresentActivity maps the events, newest first, with the receipts of operations, at most as many as the limit.
func PresentActivity(v text.Viewer, l desklead.Snapshot, limit int) []view.ActivityItem {
	states := verdictLabels(l.Operations)
	var items []view.ActivityItem
	day := ""
	for _, e := range l.Events[:min(limit, len(l.Events))] {
		at := text.TimeOfMillis(e.At)
		item := view.ActivityItem{Event: presentEvent(v, e)}
		if e.Kind == lead.EventSettled {
			item.Title = settledTitle(e, states[e.OpID])
		}
		if e.Kind != lead.EventStep && e.Kind != lead.EventAskedAgain { // the receipt is of what was sent, not of the answer
			item.Receipt, item.State = e.OpID, states[e.OpID]
		}
		if e.Kind == lead.EventSettled || e.Kind == lead.EventUnknown && item.State == text.SentNotConfirmed {
			item.State = "" // the title says it
		}
		item.Time, item.ISO = v.TimeOfDay(at), text.IsoTime(at)
		if e.Kind == lead.EventStarted {
			item.Text = text.JoinNonEmpty(" ", item.Text, preparedText(l.Authors))
		}
		if d := v.DayLabel(at); d != day {
			item.Day, day = d, d
		}
		items = append(items, item)
	}
	return items
}

// verdictLabels returns what is known about each operation, by its ID.
func verdictLabels(ops []lead.Operation) map[string]string {
	states := map[string]string{}
	for _, op := range ops {
		states[op.ID] = text.OutcomeOf(string(op.Kind), string(op.State), text.SinceOf(op)).Label
	}
	return states
}

// preparedText states who prepared an inquiry that somebody else sent.
func preparedText(p desklead.DraftAuthors) string {
	switch {
	case p.PreparedBy == "":
		return ""
	case p.ChangedBy == p.PreparedBy:
		return "Prepared by " + p.PreparedBy + "."
	default:
		return "Prepared by " + p.PreparedBy + ", changed by " + p.ChangedBy + " before it was sent."
	}
}

// presentEvent maps one event, without its time.
func presentEvent(v text.Viewer, e lead.Event) ui.Event {
	texts := text.OperationOf(string(e.Operation))
	title, icon := eventTitle(e, texts)
	out := ui.Event{Icon: icon, Title: title}
	switch {
	case e.ActorName != "" && e.ActorID == v.Who.UserID && !lead.IsRulesActor(e.ActorName):
		out.Text = "By you" + coveringText(e) + "."
	case e.ActorName != "":
		out.Text = "By " + e.ActorName + coveringText(e) + "."
	}
	switch e.Kind {
	case lead.EventRejected:
		if e.Detail != "" {
			out.Text = "“" + e.Detail + "” " + out.Text
		}
	case lead.EventRepullSkipped:
		out.Text, out.Tone = text.RepullSkipped(e.Detail), "yours"
	case lead.EventStep, lead.EventAskedAgain:
		if s := text.StatusOf(string(e.StatusKey), string(e.StepAfter)); s.Tone == "yours" {
			out.Tone = "yours"
		}
		if e.TookMillis > 0 {
			out.Text = "The lender took " + text.LongDuration(time.Duration(e.TookMillis)*time.Millisecond) + "."
		}
	}
	return out
}

// coveringText says for whom the actor of an event covered; "" if for nobody.
func coveringText(e lead.Event) string {
	if e.CoveringFor == "" {
		return ""
	}
	return ", covering for " + e.CoveringFor
}

// eventTitles are the titles and icons of events whose kind says everything.
var eventTitles = map[lead.EventKind][2]string{
	lead.EventStarted:        {"Inquiry started", "plus"},
	lead.EventAdopted:        {"Added by application ID", "plus"},
	lead.EventStatus:         {"The lender’s status changed", "info"},
	lead.EventConverted:      {"The inquiry became an application", "file-text"},
	lead.EventFunded:         {"Funded", "check"},
	lead.EventDocuments:      {"New documents", "file-text"},
	lead.EventCondition:      {"The conditions changed", "list-filter"},
	lead.EventNoAnswer:       {"No change yet", "hourglass"},
	lead.EventNote:           {"Note added", "sticky-note"},
	lead.EventFollowUp:       {"Reminder set", "bell"},
	lead.EventFollowUpDone:   {"Reminder done", "check"},
	lead.EventShared:         {"Quote shared by link", "link"},
	lead.EventShareOpened:    {"Shared quote opened for the first time", "link"},
	lead.EventShareRevoked:   {"Shared quote revoked", "link"},
	lead.EventNudged:         {"Follow-up requested", "bell"},
	lead.EventRepullPlanned:  {"Credit re-pull scheduled", "clock"},
	lead.EventRepullCanceled: {"Scheduled re-pull canceled", "undo-2"},
	lead.EventRepullSkipped:  {"Result of the scheduled re-pull", "clock-alert"},
}

func eventTitle(e lead.Event, texts text.Operation) (title, icon string) {
	switch e.Kind {
	case lead.EventStep:
		s := text.StatusOf(eventStatusKey(e), string(e.StepAfter))
		return s.Chip, s.Icon
	case lead.EventAskedAgain:
		s := text.StatusOf(eventStatusKey(e), string(e.StepAfter))
		return "Asked again: " + text.LowerFirst(s.Chip), s.Icon
	case lead.EventSent:
		if e.Operation == heloc.OpReassign {
			return reassignedTitle(e), "users"
		}
		return texts.Done, "send"
	case lead.EventRejected:
		return texts.Subject + ": not accepted", "octagon-alert"
	case lead.EventUnknown:
		return texts.Subject + ": " + text.LowerFirst(text.SentNotConfirmed), "circle-help"
	case lead.EventSettled:
		return settledTitle(e, ""), "file-text"
	case lead.EventReassigned:
		return cmp.Or(map[string]string{"unassigned": "Became unassigned", "returned": "Assigned to its " +
			"originator again"}[e.Detail], reassignedTitle(e)), "users"
	case lead.EventSetAside:
		if e.Detail == "taken back" {
			return "Reopened", "undo-2"
		}
		return "Closed without offers", "circle-dashed"
	case lead.EventRevealed:
		if e.Detail == desklead.ByLink {
			return "Viewed sign-in link", "eye"
		}
		if e.Detail == desklead.LoanFileFields {
			return "Exported a loan file", "download"
		}
		return "Viewed borrower details: " + e.Detail, "eye"
	case lead.EventContact:
		return text.ContactMade(e.Detail), "phone"
	}
	if known, ok := eventTitles[e.Kind]; ok {
		return known[0], known[1]
	}
	return text.Name(string(e.Kind)), "info"
}

// reassignedTitle is the title of an accepted reassignment, with the originators whom the user may know.
func reassignedTitle(e lead.Event) string {
	switch {
	case e.Undo && e.ToName != "":
		return "Reassignment undone, back to " + e.ToName
	case e.Undo:
		return "Reassignment undone"
	case e.FromName != "" && e.ToName != "":
		return "Reassigned from " + e.FromName + " to " + e.ToName
	case e.ToName != "":
		return "Reassigned to " + e.ToName
	default:
		return "Reassigned"
	}
}

// settledTitle is the title of the event by which an unknown outcome became known: the operation with its state, as the
// label of a verdict.
func settledTitle(e lead.Event, state string) string {
	subject := text.OperationOf(string(e.Operation)).Subject
	switch state {
	case "":
		return subject + ": result updated"
	case text.VerdictOf(string(lead.OpConfirmed)).Label:
		return subject + " confirmed"
	default:
		return subject + ": " + text.LowerFirst(state)
	}
}

// eventStatusKey returns the lead's status after an event. If the event has none, the status
// follows from its step.
func eventStatusKey(e lead.Event) string {
	if e.StatusKey != "" {
		return string(e.StatusKey)
	}
	return string(heloc.StatusAt(heloc.StatusFacts{Step: e.StepAfter, StepSince: text.TimeOfMillis(e.At)},
		text.TimeOfMillis(e.At)).Key)
}

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
