package lead_test

import (
	"fmt"

	"github.com/a-h/templ"

	"hearthline/views/lead"
	"hearthline/views/page"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/views/viewtest"
	"hearthline/views/workspace"
)

func sampleConsentText() page.ConsentText {
	return page.ConsentText{Version: "2026-10-01", EffectiveDate: "Oct 1, 2026", Borrower: "Priya Raghunathan",
		ReadBy: "Olivia Bennett, NMLS 1847220",
		Text: "You authorize the lender to obtain your credit report from one or more credit bureaus, " +
			"for prequalification only. This is a soft inquiry: " +
			"it is not seen by other lenders and does not affect your score. Do you agree?"}
}

// sampleBody is what a status asks for; form is nil for a user who may not act.
func sampleBody(key string, form *ui.Form) templ.Component {
	urls := viewtest.URLs()
	switch key {
	case "in-progress":
		return lead.InProgress(&lead.InProgressView{
			Receipt: []ui.ReceiptStep{{Label: "Sent", Text: "10:57:41 AM", Done: true},
				{Label: "Seen by the lender", Text: "10:57:43 AM", Done: true}, {Label: "Step changed"}},
			ReceiptURL: "/operations/op-2",
		})
	case "ssn-needed":
		if form != nil {
			form.Values, form.FieldErrors = []ui.SubmittedValue{{Name: "applicant.ssn", Value: "123-45-6789"}},
				[]ui.FieldError{{Name: "applicant.ssn", Text: "Nine digits, please"}}
		}
		return lead.SSN(&lead.FormView{URLs: urls, Form: form})
	case "credit-frozen", "repull-due":
		v := &lead.CreditView{URLs: urls, Consent: sampleConsentText(),
			Freeze: lead.FreezeView{Bureau: "Experian", CanNote: form != nil}, Form: form}
		if key == "repull-due" {
			v.Freeze.LiftPlan, v.Freeze.Repull = "Lifted today at 2:10 PM, as the borrower said.",
				"We’ll re-pull credit once, 3:10 PM, in your name."
		}
		return lead.Credit(v)
	case "verify-liens":
		if form != nil {
			fillSampleLiens(form)
		}
		return lead.Liens(&lead.FormView{URLs: urls, Form: form})
	case "more-assets", "payoff":
		return lead.Income(&lead.IncomeView{URLs: urls, Form: form, PayoffFirst: key == "payoff", CanAdd: true,
			Debts:     viewtest.Debts(),
			AddIncome: ui.Form{OperationID: "ticket-add-income"}})
	case "property-value":
		return lead.PropertyValue(&lead.FormView{URLs: urls, Form: form})
	case "choose-property":
		return lead.SelectProperty(&lead.SelectPropertyView{URLs: urls, Form: form, Clone: form != nil,
			Messages: []string{"3 properties matched"}, Homes: sampleHomes()})
	case "no-offers":
		return lead.NoOffers(&lead.NoOffersView{URLs: urls, Clone: form != nil,
			Reasons: []string{"Stated income not confirmed"},
			Hints: []ui.Fact{
				{Label: "Payoffs:", Value: "The lender lists 2 debts that the line could pay off."},
			}})
	case "borrower-sign-in", "chase-sign-in", "broker-documents", "chase-documents":
		return lead.Handoff(sampleHandoff(form != nil))
	case "application", "disclosures", "signing", "rescission", "funded", "cancelled", "declined", "expired", "withdrawn":
		return lead.Phase(&lead.PhaseView{URLs: urls, Clone: form != nil, Dates: viewtest.Facts()[:2],
			Conditions: []lead.ConditionRow{{Name: "Proof of insurance", Open: true, Created: "Nov 21"}},
			Reasons:    []string{"Stated income not confirmed"}})
	default:
		return lead.UnknownStep(&lead.UnknownStepView{URLs: urls, CanRefresh: form != nil, CanCancel: form != nil})
	}
}

func sampleHomes() []lead.HomeChoice {
	return []lead.HomeChoice{{ID: "p1", Address: "2216 Larkspur Ave Unit 1, Boise, ID 83702", Parcel: "R1234"},
		{ID: "p2", Address: "2216 Larkspur Ave Unit 2, Boise, ID 83702"}}
}

func fillSampleLiens(form *ui.Form) {
	for i, l := range [][]string{{"Cascade Federal Savings", "06/14/2018", "312,000", "238,410", "1,612"},
		{"Treasure Valley CU", "03/02/2021", "60,000", "418,750", "388"}} {
		for j, n := range []string{"lenderName", "originationDate", "originalBalance", "currentBalance", "monthlyPayment"} {
			form.Values = append(form.Values, ui.SubmittedValue{Name: fmt.Sprintf("liens.%d.%s", i, n), Value: l[j]})
		}
		form.Values = append(form.Values, ui.SubmittedValue{Name: fmt.Sprintf("liens.%d.lienUuid", i),
			Value: fmt.Sprint("lien-", i)})
	}
	form.FieldErrors = []ui.FieldError{{Name: "liens.1.currentBalance",
		Text: "More than the original $60,000. Meant $41,875?"}}
}

// sampleOverview is the first tab of a lead with a status, for a user who may do everything.
func sampleOverview(key string) *lead.OverviewView {
	form := &ui.Form{OperationID: "ticket-" + key}
	return &lead.OverviewView{
		URLs: viewtest.URLs(),
		Step: &lead.NextStepView{
			URLs: viewtest.URLs(), Card: viewtest.Card(key), Body: sampleBody(key, form),
			SetAside: lead.SetAsideView{Can: key != "in-progress", Label: "Close lead…"},
			Repeated: &ui.Notice{Kind: "yours", Icon: "triangle-alert", Title: "The lender asked for this again,",
				Role: "status"},
		},
		Notes: &lead.NotesView{URLs: viewtest.URLs(), Can: true},
	}
}

// sampleViewOnly is the same for a user who may not act.
func sampleViewOnly(key string) *lead.OverviewView {
	return &lead.OverviewView{
		URLs: viewtest.URLs(),
		Step: &lead.NextStepView{URLs: viewtest.URLs(), Card: viewtest.Card(key), Body: sampleBody(key, nil),
			ViewOnly: "View only. Olivia Bennett responds to the lender."},
		Notes: &lead.NotesView{URLs: viewtest.URLs()},
	}
}

// samplePage is the page of a lead with a content.
func samplePage(key string, tab to.Tab, content templ.Component) *workspace.View {
	v := viewtest.Workspace(key)
	v.Tab, v.Content = tab, content
	return v
}

// sampleTabs are the tabs beside the first, each filled and empty.
func sampleTabs() map[to.Tab][2]templ.Component {
	urls := viewtest.URLs()
	return map[to.Tab][2]templ.Component{
		to.Property: {lead.Property(&lead.PropertyView{Address: []string{"2216 Larkspur Ave", "Boise, ID 83702"},
			Home: []ui.Fact{{Label: "County", Value: "Ada"}}, Value: ui.FactsPanelView{ID: "value",
				Title: "Value and ratios"},
			Liens: []lead.LienRow{{Position: "1", Lender: "Cascade", OriginationDate: "Jun 14, 2018",
				OriginalBalance: "$312,000",
				Balance:         "$238,410", Payment: "$1,612"}}, Homes: sampleHomes()}),
			lead.Property(&lead.PropertyView{Value: ui.FactsPanelView{ID: "value", Title: "Value and ratios"}})},
		to.Underwriting: {
			lead.Underwriting(&lead.UnderwritingView{
				Panels: []ui.FactsPanelView{
					{ID: "decision", Title: "Decision and range", Facts: []ui.Fact{{Label: "Decision", Value: "Approved"}}},
				}, Debts: viewtest.Debts(),
			}), lead.Underwriting(&lead.UnderwritingView{}),
		},
		to.Documents: {lead.Documents(&lead.DocumentsView{URLs: urls, Can: true, Age: "as of 10:42 AM",
			Rows: []lead.DocumentRow{{ID: "d1", Name: "Offer summary.pdf", Kind: "Offer summary", Type: "PDF",
				ReceivedAt: "Nov 20",
				New:        true, Inline: true}, {ID: "d2", Name: "All.zip", Kind: "Title odds"}}}),
			lead.Documents(&lead.DocumentsView{URLs: urls})},
		to.Funding: {lead.Funding(&lead.FundingView{Conditions: []lead.ConditionRow{{Name: "Proof of insurance",
			Open: true},
			{Name: "Payslip", State: "Cleared"}},
			Transactions: []lead.TransactionRow{{Amount: "$75,270.00", Status: text.Funding("NEW_STATE"), Rail: "ACH"}},
			Panels:       []ui.FactsPanelView{{ID: "closing", Title: "Closing"}}}), lead.Funding(&lead.FundingView{})},
		to.History: {lead.History(&lead.HistoryView{Status: []ui.Fact{{Label: "Status", Value: "Offers available"}},
			Reasons: []string{"R1"}, Entries: []lead.StatusRow{{When: "Nov 20", Status: "Started"}},
			Dates: ui.FactsPanelView{ID: "dates", Title: "Key dates", Facts: viewtest.Facts()[:2]},
			Parties: []ui.FactsPanelView{
				{ID: "costs", Title: "Costs the borrower pays", Facts: []ui.Fact{{Label: text.Cost("TITLE_FEE"),
					Value: "$100"}}},
			}, Licenses: []lead.LicenseRow{{Party: "Loan originator", Holder: "Olivia Bennett", HolderType: "Loan originator",
				State: "ID"}},
			References: []ui.FactsPanelView{
				{ID: "company", Title: "Business", Facts: []ui.Fact{{Label: "Company", Value: "Larkspur LLC"}}},
			}, LinkURL: urls.Read("borrower-link"),
			Attributions: &lead.AttributionsView{URLs: urls,
				Rows: []lead.AttributionRow{
					{Name: "utmParameters.source", Previous: "web", ClearControl: "unset.utmParameters.source"},
				}}}), lead.History(&lead.HistoryView{Dates: ui.FactsPanelView{ID: "dates", Title: "Key dates"}})},
		to.Activity: {lead.Activity(&lead.ActivityView{Items: viewtest.Events(), Notes: &lead.NotesView{URLs: urls,
			Can: true}}),
			lead.Activity(&lead.ActivityView{Notes: &lead.NotesView{URLs: urls}})},
	}
}

func sampleOperation() lead.OperationView {
	return lead.OperationView{Page: viewtest.Page("Receipt"), ID: "op-1", App: viewtest.App, Name: "Priya Raghunathan",
		ShortID: "1-26324-021", Title: "Verify liens", RepeatWarning: text.RepeatOf("verify-liens"),
		CheckedLabel: "I confirmed with the lender that it was not received.",
		Receipt: ui.ReceiptView{Number: "7K2M-94",
			Note: ui.Notice{Kind: "yours", Icon: "circle-help", Title: text.VerdictOf("unknown").Title},
			Steps: []ui.ReceiptStep{
				{Label: "Sent", Text: "10:57:41 AM", Done: true},
				{Label: "Seen by the lender", Text: "not known, asking again in 8 s"}, {Label: "Step changed"},
			}},
		By: "Olivia Bennett", When: "Today 10:57:41 AM", CanAbandon: true, CanAdopt: true,
		AbandonLabel: "Mark as not received",
		Form:         ui.Form{FieldErrors: []ui.FieldError{{Name: "reason", Text: "Enter a reason"}}},
		Facts:        []ui.Fact{{Label: "Liens", Value: "2"}}, LenderMessages: []string{"Busy."}}
}

// sampleHandoff is the sheet that sends the sign-in link, just opened by a user who can log a contact.
func sampleHandoff(can bool) *lead.HandoffView {
	v := &lead.HandoffView{
		URLs: viewtest.URLs(), ID: "sign-in-link", LinkURL: "/leads/x/borrower-link", Can: can, Tomorrow: "2026-12-01",
		FollowUpsIn: "If Priya hasn’t signed in", LastContact: "Text, today 9:23 AM",
		Ticks: []workspace.Tick{{Label: "Offer selection confirmed", Text: "by the lender, today 9:21 AM", State: "ok"},
			{Label: "Link sent", Text: "not logged", State: "now"}, {Label: "Signed in"}},
		FollowUps: []lead.BorrowerFollowUpRow{{Days: "1", When: "Tue, Dec 1", After: "after 1 day", Text: "Text",
			State: "ok"},
			{Days: "3", When: "Today", After: "after 3 days, due", Text: "Would a call help?", IsMessage: true,
				State: "now"}},
	}
	if can {
		v.Asks = "The link was shown to you today 9:23 AM."
		v.Send = &workspace.SendView{LinkName: "borrower.link", LinkLabel: "Priya’s private sign-in link",
			Link: "https://lender.example/s/7K2M94QXH3VD", PopoverID: "qr-sign-in",
			QRHint: "Show this code only to the borrower.",
			Messages: []workspace.MessageView{
				{Lang: "en", Before: "Hi Priya,", After: "Olivia", Subject: "Your next step", TextURL: "sms:",
					EmailURL: "mailto:"},
				{Lang: "es", Before: "Hola, Priya:", After: "Olivia", Subject: "Su siguiente paso",
					TextURL: "sms:", EmailURL: "mailto:"},
			}}
	}
	return v
}
