package viewtest

import (
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/views/workspace"
)

// App is the application id of the sample lead.
const App = "0b9a3c1e-5a54-4f0e-9a52-0d3c4a1f2b77"

// URLs builds the URLs of the sample lead.
func URLs() to.LeadURLs { return to.LeadURLs{Base: to.Full, App: App} }

// Workspace returns a lead with a status, for a user who may do everything. Its content is empty.
func Workspace(key string) *workspace.View {
	s := text.StatusOf(key, "REVIEW_TITLE_TERMS")
	return &workspace.View{
		Page: Page("Priya Raghunathan"), URLs: URLs(), Revision: "7", Tab: to.Overview,
		Head: workspace.Head{Name: "Priya Raghunathan", ShortID: "1-26324-021", Chip: ui.StatusChip(s),
			CityState:   "Boise, ID",
			AmountLabel: "Up to", Amount: "$175,000", Owner: "Olivia Bennett", Started: "Started today", Age: "20 sec ago",
			CanRefresh: true, CanReassign: true, ReassignURL: "/leads/" + App + "/reassign"},
		Progress: ui.ProgressView{Position: "Inquiry step 2 of 5",
			Inquiry: []ui.Stage{{Label: "Inquiry", Sub: "Today 9:02 AM", State: "done", Icon: "hourglass"},
				{Label: "Details", Sub: s.Chip, State: "now", Icon: s.Icon}, {Label: "Offers"}, {Label: "Borrower sign-in"},
				{Label: "Broker documents"}},
			Application: []ui.Stage{{Label: "Application"}, {Label: "Disclosures"}, {Label: "Signing"}, {Label: "Rescission"},
				{Label: "Funded"}}},
		Counts: workspace.TabCounts{Documents: "2", NewDocs: 1},
		UpdatesSince: workspace.UpdatesSinceView{When: "Since your last visit (10:20 AM):",
			Items: []ui.NavLink{{Label: "liens need verifying", Href: "/leads"}, {Label: "one new document"}}},
		Summary: workspace.SummaryView{
			Bar: ui.NewMoneyBar("Of a value of $642,000: liens $280,285, this line $145,000, equity left $216,715",
				ui.BarAmount{Class: "p1", Cents: 28028500}, ui.BarAmount{Class: "p2", Cents: 14500000},
				ui.BarAmount{Class: "p3", Cents: 21671500}),
			Facts: Facts(),
		},
		Borrower: workspace.BorrowerPanelView{LastContact: "Call, today 9:20 AM, by you."},
		Recent:   Events(),
		Cancel: workspace.CancelView{Can: true, Who: "Priya Raghunathan, 1-26324-021",
			Form: ui.Form{OperationID: "ticket-cancel"}},
	}
}

// Card returns the next-step card of a status.
func Card(key string) ui.NextStepCardView {
	s := text.StatusOf(key, "REVIEW_TITLE_TERMS")
	return ui.NextStepCardView{
		ID: "step", Icon: s.Icon, Title: s.Title, Happened: s.Happened, BorrowerScript: s.Script(text.English),
		BorrowerScriptES: s.Script(text.Spanish), MoverText: "Your move", Elapsed: "11 min", Tone: s.Tone,
		Next: "Next: " + s.Next + " The lender usually takes about 50 seconds.",
	}
}

// Facts returns the facts of the sample's summary.
func Facts() []ui.Fact {
	return []ui.Fact{
		{Label: "Estimated value", Value: "$642,000"}, {Label: "Liens, not verified", Value: "$280,285", Key: "p1"},
		{Label: "This line, as wanted", Value: "$145,000", Key: "p2"}, {Label: "Equity left", Value: "$216,715", Key: "p3"},
	}
}

// Events returns what happened to the sample lead.
func Events() []workspace.ActivityItem {
	return []workspace.ActivityItem{
		{Event: ui.Event{Icon: "triangle-alert", Tone: "yours", Time: "10:41 AM", Title: "Liens need verifying",
			Text: "Two were found."}},
		{Event: ui.Event{Icon: "send", Time: "10:40 AM", Title: "Property value sent", Text: "$642,000, by you."},
			Receipt: "op-1", State: "Accepted"},
		{Event: ui.Event{Icon: "check", Time: "9:02 AM", Title: "Inquiry started",
			Text: "Consent on a recorded call, text of Oct 1, 2026."}},
	}
}

// Debts returns debts of the sample's borrower: two that the line can pay off, and one that it cannot.
func Debts() []workspace.DebtRow {
	return []workspace.DebtRow{
		{ID: "acc-1", Creditor: "Treasure Valley CU", Kind: "Home equity line · 9.25% · ends 4471",
			Balance: "$41,875", Improves: []string{"DTI", "CLTV", "Lien position"}, Chosen: true},
		{ID: "acc-2", Creditor: "Harbor Bank Card", Kind: "Credit card · 24.99% · ends 0917",
			Balance: "$18,240", Improves: []string{"DTI"}},
		{ID: "acc-3", Creditor: "Fernhill Student Loans", Kind: "Student loan · 5.05% · ends 7760",
			Balance: "$14,300", Ineligible: text.Unavailable("EXCLUDED_BY_PAYMENT_CAPABILITY")},
	}
}
