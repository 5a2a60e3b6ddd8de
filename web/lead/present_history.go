package lead

import (
	"slices"
	"strconv"
	"strings"

	desklead "hearthline/internal/desk/lead"

	"hearthline/internal/heloc"
	view "hearthline/views/lead"
	"hearthline/views/text"
	"hearthline/views/ui"
	"hearthline/web/workspace"
)

// presentHistory maps everything else that the lender reports on a lead. The borrower's link is in
// a separate response, which the user must request.
func presentHistory(v text.Viewer, d *workspace.Data, lists workspace.Lists) *view.HistoryView {
	l, a := d.View, d.View.Details.App
	h := &view.HistoryView{
		Status: presentStatus(a), Reasons: displayTexts(a.StatusReasons),
		Dates: ui.FactsPanelView{ID: "dates", Title: "Key dates", Facts: presentKeyDates(v, a.KeyDates)},
		Parties: []ui.FactsPanelView{
			{ID: "costs", Title: "Costs the borrower pays", Facts: presentCosts(a.Costs)},
			{ID: "originator", Title: "Originator on the lead", Facts: presentOriginator(l)},
		},
		Licenses: presentLicenses(l.Details.Originator.Licenses),
		References: []ui.FactsPanelView{{ID: "ids", Title: "IDs and references", Facts: presentIDs(l, d.Lead.OwnReference())},
			{ID: "source", Title: "Source", Facts: presentSource(a)}},
	}
	if a.Business != nil {
		h.References = append(h.References, ui.FactsPanelView{ID: "company", Title: "Business",
			Facts: presentBusiness(*a.Business)})
	}
	all := newestFirst(a.StatusHistory)
	shown, _, next := workspace.PageOf(lists, statusesList, all, func(i int) string { return strconv.Itoa(len(all) - i) })
	if len(shown) < len(all) {
		h.Pager = lists.Pager(statusesList, len(shown), "status", "statuses", next)
	}
	for _, e := range shown {
		row := view.StatusRow{When: text.Date(e.Timestamp), Status: text.DisplayText(e.Status, text.Name),
			Overall: text.DisplayText(e.OverallStatus, text.Name)}
		if row.Overall == row.Status {
			row.Overall = ""
		}
		h.Entries = append(h.Entries, row)
	}
	if workspace.HasBorrowerLink(l) {
		h.LinkURL = d.URLs(v).Read("borrower-link")
	}
	return h
}

// statusesList is the lender's status history. It only grows, so the number of an entry, counted from the oldest, is
// its key.
const statusesList = "statuses"

// newestFirst returns a status history, newest first. The contract does not specify the lender's order.
func newestFirst(all []heloc.StatusEntry) []heloc.StatusEntry {
	if n := len(all); n < 2 || all[0].Timestamp > all[n-1].Timestamp {
		return all
	}
	all = slices.Clone(all)
	slices.Reverse(all)
	return all
}

func presentStatus(a heloc.AppData) []ui.Fact {
	return ui.FactsOrDash("Status", text.DisplayText(a.Status, text.Name), "Overall",
		text.DisplayText(a.OverallStatus, text.Name),
		"Bridge loan", text.YesNo(a.IsBridgeLoan), "Autopay", text.YesNo(a.Autopay))
}

// presentOriginator names the originator if the directory has them.
func presentOriginator(l desklead.Snapshot) []ui.Fact {
	who, name := l.Details.Originator, ""
	if l.Originator.UUID == who.UUID {
		name = l.Originator.Name()
	}
	return ui.KnownFacts("Name", name, "NMLS", who.NMLS, "Email", who.Email, "Company", who.CompanyName, "Company NMLS",
		who.CompanyNMLS,
		"External ID", who.ExternalID)
}

// presentIDs lists the numbers of a lead that people use. The one that holds this portal's own reference, named by its
// control, is in the technical details.
func presentIDs(l desklead.Snapshot, own string) []ui.Fact {
	all := ui.FactsOrDash("Lead ID", l.Details.AppShortID, "Organization", l.Details.Organization)
	names, values := desklead.AttributionNames(), desklead.AttributionValues(l.Details.App)
	for i, label := range []string{"Your loan number", "Your reference", "Your customer number"} {
		if names[5+i] != own {
			all = append(all, ui.FactOrDash(label, values[5+i]))
		}
	}
	return all
}

func presentSource(a heloc.AppData) []ui.Fact {
	var variants []string
	for _, t := range a.TestVariants.Variants {
		variants = append(variants, t.Name)
	}
	return ui.FactsOrDash("UTM source", a.UTM.Source, "UTM medium", a.UTM.Medium, "UTM campaign", a.UTM.Campaign,
		"UTM term", a.UTM.Term, "UTM content", a.UTM.Content,
		"Test variants", strings.Join(variants, ", "))
}

func displayTexts(values []string) []string {
	var all []string
	for _, value := range values {
		all = append(all, text.Name(value))
	}
	return all
}

// disclosuresLabel names the date of the disclosures, which can be ahead.
func disclosuresLabel(v text.Viewer, k heloc.KeyDates) string {
	if heloc.DayBegun(k.SummaryDisclosure, v.Now) {
		return "Disclosures sent"
	}
	return "Disclosures"
}

func presentKeyDates(v text.Viewer, k heloc.KeyDates) []ui.Fact {
	return ui.FactsOrDash("Created", text.Date(k.Created), "Expires", text.Date(k.Expiration),
		disclosuresLabel(v, k), text.Date(k.SummaryDisclosure), "Agreement e-signed", text.Date(k.AgreementESigned),
		"Signing", text.Date(k.Signing), rescissionLabel(v, k.RescissionEnd), text.Date(k.RescissionEnd),
		"Completed", text.Date(k.Completed), "First payment due", text.Date(k.FirstPaymentDue),
		"Maturity date", text.Date(k.ExpectedPayoff), "Canceled", text.Date(k.Canceled), "Declined", text.Date(k.Declined),
		"Status last updated", text.Date(k.LastStatusUpdateDate))
}

// presentCosts lists what the borrower pays, with the lender's total last.
func presentCosts(c heloc.Costs) []ui.Fact {
	var all []ui.Fact
	for _, cost := range c.Fixed {
		all = append(all, ui.FactOrDash(text.DisplayText(string(cost.Type), text.Cost), text.Dollars(cost.PaidAmount)))
	}
	for _, cost := range c.Dynamic {
		all = append(all, ui.FactOrDash(text.DisplayText(string(cost.Type), text.Cost)+" (from the offer)",
			text.Dollars(cost.PaidAmount)))
	}
	return append(all, ui.KnownFacts("Total", text.Dollars(c.TotalPaidByBorrower))...)
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
			Party: party.name, Holder: h.Name, HolderType: text.DisplayText(string(h.Type), text.LicenseHolder), NMLS: h.NMLS,
			Type: text.DisplayText(string(s.Type), text.LicenseType), Number: s.Number, Name: s.Name, State: s.State,
		})
	}
	return rows
}

func presentBusiness(b heloc.BusinessInfo) []ui.Fact {
	address := ""
	if b.Address != nil {
		address = strings.Join(text.AddressLines(*b.Address), ", ")
	}
	return ui.FactsOrDash("Company", b.EntityName, "Type", text.DisplayText(string(b.EntityType), text.Entity),
		"Ownership percentage", text.Percent(b.OwnershipPercentage),
		"Monthly revenue", text.Dollars(b.TotalMonthlyRevenue), "EIN", b.EIN, "State of formation",
		text.State(b.StateOfIncorporation), "Address", address)
}
