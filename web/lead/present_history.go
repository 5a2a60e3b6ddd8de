package lead

import (
	"time"

	"hearthline/internal/desk"
	"hearthline/internal/heloc"
	view "hearthline/views/lead"
	"hearthline/views/ui"
	"hearthline/views/words"
	"hearthline/web/format"
)

// presentHistory maps everything else that the lender reports on a lead. The borrower's link is in
// a separate response, which the user must request.
func presentHistory(l desk.LeadView) view.HistoryView {
	d, a, who := l.Details, l.Details.App, l.Details.Originator
	h := view.HistoryView{
		Status: format.DisplayText(a.Status, words.Name), Overall: format.DisplayText(a.OverallStatus, words.Name), NextRaw: string(a.NextInquiryStep),
		Reasons: displayTexts(a.StatusReasons), Inquiry: yesNo(a.IsInquiry), Started: yesNo(a.StartedAsInquiry), Bridge: yesNo(a.IsBridgeLoan),
		Autopay: yesNo(a.Autopay), Dates: presentKeyDates(a.KeyDates), Costs: presentCosts(a.Costs), CostTotal: format.Dollars(a.Costs.TotalPaidByBorrower),
		Licenses: presentLicenses(who.Licenses), OriginatorUUID: string(who.UUID), BrokerUUID: who.BrokerUUID, NMLS: who.NMLS,
		ExternalID: who.ExternalID, Company: who.CompanyName, CompanyNMLS: who.CompanyNMLS, OriginatorEmail: who.Email,
		Organization: d.Organization, App: string(l.Row.App), ShortID: d.AppShortID,
		ApplicationID: a.Integrations.ApplicationID, ReferenceID: a.Integrations.ReferenceID, CustomerID: a.Integrations.CustomerID,
		Source: a.UTM.Source, Medium: a.UTM.Medium, Campaign: a.UTM.Campaign, Term: a.UTM.Term, Content: a.UTM.Content,
		Business: presentBusiness(a.Business), BorrowerLink: hasBorrowerLink(l),
	}
	if a.NextInquiryStep != "" {
		h.NextStep = stepStatusText(a.NextInquiryStep)
	}
	if l.Originator.UUID == who.UUID {
		h.Originator = l.Originator.Name()
	}
	for _, e := range a.StatusHistory {
		h.Entries = append(h.Entries, view.StatusRow{When: format.Date(e.Timestamp), Status: format.DisplayText(e.Status, words.Name), Overall: format.DisplayText(e.OverallStatus, words.Name)})
	}
	for _, u := range a.AssignedUsers {
		h.Users = append(h.Users, u.UserUUID)
	}
	for _, t := range a.TestVariants.Variants {
		h.Variants = append(h.Variants, t.Name)
	}
	return h
}

// stepStatusText returns the display text of a step, regardless of the lead's other data.
func stepStatusText(step heloc.Step) string {
	s := heloc.StatusAt(heloc.StatusFacts{Step: step}, time.Time{})
	return words.StatusOf(string(s.Key), string(step)).Chip
}

func displayTexts(values []string) []string {
	var all []string
	for _, value := range values {
		all = append(all, words.Name(value))
	}
	return all
}

// displayTextsWithRaw translates values and adds the lender's own, for users who have to ask the
// lender about one.
func displayTextsWithRaw(values []string) []string {
	all := displayTexts(values)
	for i, value := range values {
		if all[i] != value {
			all[i] += " (" + value + ")"
		}
	}
	return all
}

func presentKeyDates(k heloc.KeyDates) []ui.Fact {
	var facts []ui.Fact
	for _, f := range []struct {
		label string
		day   heloc.Date
	}{
		{"Created", k.Created}, {"Expires", k.Expiration}, {"Disclosures sent", k.SummaryDisclosure}, {"Agreement e-signed", k.AgreementESigned},
		{"Signing", k.Signing}, {"Rescission ends", k.RescissionEnd}, {"Completed", k.Completed}, {"First payment due", k.FirstPaymentDue},
		{"Expected payoff", k.ExpectedPayoff}, {"Cancelled", k.Canceled}, {"Declined", k.Declined}, {"Status last updated", k.LastStatusUpdateDate},
	} {
		facts = append(facts, ui.Fact{Label: f.label, Value: words.OrDash(format.Date(f.day))})
	}
	return facts
}

func presentCosts(c heloc.Costs) []view.CostRow {
	var rows []view.CostRow
	for _, cost := range c.Fixed {
		rows = append(rows, view.CostRow{Name: format.DisplayText(string(cost.Type), words.Cost), Amount: format.Dollars(cost.PaidAmount), Fixed: true})
	}
	for _, cost := range c.Dynamic {
		rows = append(rows, view.CostRow{Name: format.DisplayText(string(cost.Type), words.Cost), Amount: format.Dollars(cost.PaidAmount)})
	}
	return rows
}

func presentLicenses(all heloc.Licenses) []view.LicenseRow {
	var rows []view.LicenseRow
	for _, party := range []struct {
		name    string
		license *heloc.License
	}{{"Lender", all.Lender}, {"Loan originator", all.LoanOriginator}, {"Broker company", all.Broker}} {
		if party.license == nil {
			continue
		}
		h, s := party.license.Holder, party.license.State
		rows = append(rows, view.LicenseRow{
			Party: party.name, Holder: h.Name, HolderType: format.DisplayText(string(h.Type), words.LicenseHolder), HolderUUID: h.UUID, NMLS: h.NMLS,
			Type: format.DisplayText(string(s.Type), words.LicenseType), Number: s.Number, Name: s.Name, State: s.State, UUID: s.UUID,
		})
	}
	return rows
}

func presentBusiness(b *heloc.BusinessInfo) view.BusinessView {
	if b == nil {
		return view.BusinessView{}
	}
	v := view.BusinessView{
		Has: true, Name: b.EntityName, Type: format.DisplayText(string(b.EntityType), words.Entity), Ownership: format.Percent(b.OwnershipPercentage),
		Revenue: format.Dollars(b.TotalMonthlyRevenue), EIN: b.EIN, State: b.StateOfIncorporation,
	}
	if b.Address != nil {
		v.Address = format.AddressLines(*b.Address)
	}
	return v
}
