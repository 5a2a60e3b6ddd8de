package lead

import (
	"fmt"

	"hearthline/views/page"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/views/viewtest"
	"hearthline/views/words"
)

const sampleApp = "0b9a3c1e-5a54-4f0e-9a52-0d3c4a1f2b77"

func sampleConsentText() page.ConsentText {
	return page.ConsentText{Version: "2026-10-01", EffectiveDate: "Oct 1, 2026", Borrower: "Priya Raghunathan", ReadBy: "Olivia Bennett, NMLS 1847220",
		Text: "You authorize the lender to obtain your credit report from one or more credit bureaus, for prequalification only. This is a soft inquiry: it is not seen by other lenders and does not affect your score. Do you agree?"}
}

func sampleDebts() []DebtRow {
	return []DebtRow{
		{ID: "acc-1", Creditor: "Treasure Valley CU", Kind: "Home equity line · 9.25% · ends 4471", Balance: "$41,875", Improves: []string{"DTI", "CLTV", "Lien position"}, Chosen: true},
		{ID: "acc-2", Creditor: "Harbor Bank Card", Kind: "Credit card · 24.99% · ends 0917", Balance: "$18,240", Improves: []string{"DTI"}},
		{ID: "acc-3", Creditor: "Fernhill Student Loans", Kind: "Student loan · 5.05% · ends 7760", Balance: "$14,300", Ineligible: words.Unavailable("EXCLUDED_BY_PAYMENT_CAPABILITY")},
	}
}

func sampleLead(key string) WorkspaceView {
	s := words.StatusOf(key, "REVIEW_TITLE_TERMS")
	v := WorkspaceView{
		Page: viewtest.Page("Priya Raghunathan"), App: sampleApp, Revision: "7",
		Head: LeadHead{Name: "Priya Raghunathan", ShortID: "1-26324-021", Chip: ui.ChipView{Label: s.Chip, Icon: s.Icon, Tone: s.Tone}, CityState: "Boise, ID", Occupancy: "Primary residence",
			AmountLabel: "Up to", Amount: "$175,000", Owner: "Olivia Bennett", Age: "20 s ago", CanRefresh: true, CanReassign: true, ReassignURL: "/leads/" + sampleApp + "/reassign",
			Menu: []ui.Action{{Label: "Attributions", Icon: "link", Href: "/leads"}}},
		Progress:     NewProgress(ProgressFacts{StatusKey: key, Chip: s.Chip, Icon: s.Icon, Started: "Today 9:02 AM", HasOffers: key == "offers", Resolved: "Liens verified 10:58 AM", Priced: "Since 10:59 AM"}),
		Counts:       TabCounts{Documents: "2", NewDocs: true},
		UpdatesSince: UpdatesSinceView{When: "Since you looked, 10:20 AM:", Items: []ui.NavLink{{Label: "liens need verifying", Href: "/leads"}, {Label: "one new document"}}},
		Step: NextStepView{StatusKey: key, Step: "REVIEW_TITLE_TERMS", Mover: "you", Elapsed: "11 min", CanAct: true, UsualWait: "Usually 50 seconds, nearly always within 4 minutes.",
			Consent: sampleConsentText(), SetAside: SetAsideView{Can: true}, Clone: true,
			Form: ui.Form{OperationID: "ticket-" + key}},
		Summary:  SummaryView{Bar: sampleBar, Facts: sampleFacts[:4]},
		Borrower: BorrowerPanelView{Name: "Priya Raghunathan", LastContact: "Call, today 9:20 AM, by you."},
		Recent: []ActivityItem{
			{Event: sampleEvents[0]}, {Event: ui.Event{Icon: "send", Time: "10:40 AM", Title: "Property value sent", Text: "$642,000, by you."}, Receipt: "op-1", State: "Accepted"}, {Event: sampleEvents[2]},
		},
		Notes:  NotesView{Can: true},
		Cancel: CancelView{Can: true, Who: "Priya Raghunathan, 1-26324-021", Form: ui.Form{OperationID: "ticket-cancel"}},
	}
	fillSampleLead(&v, key)
	return v
}

func fillSampleLead(v *WorkspaceView, key string) {
	switch key {
	case "in-progress":
		v.Step.Mover, v.Step.Elapsed, v.Step.SetAside.Can = "lender", "40 s of usually 50", false
		v.Step.Receipt = []ui.ReceiptStep{{Label: "Sent", Text: "10:57:41 AM", Done: true}, {Label: "Seen by the lender", Text: "10:57:43 AM", Done: true}, {Label: "Step changed"}}
		v.Step.ReceiptID = "op-2"
	case "verify-liens":
		v.Step.Happened = "The lender found two loans on the home and needs each confirmed before it can price the line."
		for i, l := range [][]string{{"Cascade Federal Savings", "06/14/2018", "312,000", "238,410", "1,612"}, {"Treasure Valley CU", "03/02/2021", "60,000", "418,750", "388"}} {
			for j, n := range []string{"lenderName", "originationDate", "originalBalance", "currentBalance", "monthlyPayment"} {
				v.Step.Form.Values = append(v.Step.Form.Values, ui.SubmittedValue{Name: fmt.Sprintf("liens.%d.%s", i, n), Value: l[j]})
			}
			v.Step.Form.Values = append(v.Step.Form.Values, ui.SubmittedValue{Name: fmt.Sprintf("liens.%d.lienUuid", i), Value: fmt.Sprint("lien-", i)})
		}
		v.Step.Form.FieldErrors = []ui.FieldError{{Name: "liens.1.currentBalance", Text: "More than the original $60,000. Meant $41,875?"}}
	case "ssn-needed":
		v.Step.RepeatedAfter, v.Step.Attempt = "after the SSN you sent at 10:44 AM", "2"
		v.Step.Form.Values = []ui.SubmittedValue{{Name: "applicant.ssn", Value: "123-45-6789"}}
		v.Step.Form.FieldErrors = []ui.FieldError{{Name: "applicant.ssn", Text: "Nine digits, please"}}
	case "credit-frozen", "repull-due":
		v.Step.Freeze = FreezeView{Bureau: "Experian", CanNote: true}
		if key == "repull-due" {
			v.Step.Freeze.LiftPlan, v.Step.Freeze.RepullAt = "Lifted today at 2:10 PM, as the borrower said", "3:10 PM"
		}
	case "more-assets", "payoff":
		v.Step.Income = IncomeView{CanAdd: true, Debts: sampleDebts(), AddIncome: ui.Form{OperationID: "ticket-add-income"}}
	case "choose-property":
		v.Step.SelectProperty = SelectPropertyView{Messages: []string{"3 properties matched"}, Homes: []HomeChoice{{ID: "p1", Address: "2216 Larkspur Ave Unit 1, Boise, ID 83702", Parcel: "R1234"}, {ID: "p2", Address: "2216 Larkspur Ave Unit 2, Boise, ID 83702"}}}
	case "no-offers":
		v.Step.NoOffersHints = []ui.Fact{{Label: "A smaller amount.", Value: "$60,000 was asked for."}, {Label: "Paying off debts.", Value: "The lender sees 2 debts that the line could pay off."}}
		v.Step.Phase.Reasons = []string{"Stated income not confirmed"}
	case "offers":
		v.Offers = sampleOffers()
	case "borrower-sign-in", "chase-sign-in", "broker-documents", "chase-documents":
		v.Step.FollowUp = BorrowerFollowUpView{Link: "/leads/x/borrower-link", Can: true, Last: "Call, today 9:20 AM, by you"}
		v.Offers.Selected = sampleSelected()
	default:
		v.Step.Phase = PhaseView{Dates: sampleFacts[:2], Conditions: []ConditionRow{{Name: "Proof of insurance", Open: true, Created: "Nov 21"}}, Reasons: []string{"Stated income not confirmed"}}
		v.Offers.Selected = sampleSelected()
	}
}

func sampleSelected() SelectedOfferView {
	return SelectedOfferView{Title: "10 years fixed at 8.20%, fee 2.99%", Payment: "$1,828.02", OurEstimate: "$1,827.67", Difference: "The lender counts 31 days in the first month.", Facts: []ui.Fact{{Label: "Loan amount", Value: "$149,335.50"}}, CanChange: true}
}

func sampleOffers() OffersView {
	o := OffersView{
		PricedAsOf: "Nov 20, 2026", CanSelect: true, Kind: "fixed", Draw: "$145,000", CanPrintSheet: true,
		Quote: QuoteForm{Requote: true, BothRateTypes: true, Min: "15000", Max: "175000", MinText: "$15,000", MaxText: "$175,000", Autopay: true, CreditUnion: true,
			Form: ui.Form{Values: []ui.SubmittedValue{{Name: "amount", Value: "145,000"}, {Name: "autoPayDiscountEnabled", Value: "true"}}}},
		Fees:      []FeeTier{{"1.50%", "$2,175.00"}, {"2.99%", "$4,335.50"}, {"4.99%", "$7,235.50"}},
		Form:      ui.Form{OperationID: "ticket-offers", Values: []ui.SubmittedValue{{Name: "offer.offerUuid", Value: "10-2.99"}, {Name: "offer.selectedOfferAmount", Value: "145,000"}}},
		Discounts: []DiscountChoice{{Type: "AUTOPAY", Label: "Autopay −0.25", Selected: true}, {Type: "SOMETHING_NEW", Label: words.Name("SOMETHING_NEW")}},
		Planner: PlannerView{
			Debts: sampleDebts(), Chosen: "2 debts", Total: "$69,730", ToBorrower: "$75,270", Fee: "$4,335.50", Loan: "$149,335.50",
			Before: "$836", After: "$1,827.67", OldRate: "13.45%", NewRate: "8.20%",
		},
		Pinned: CompareView{
			Labels:  []string{"Estimated payment, a month", "Net cash"},
			Columns: []CompareColumn{{UUID: "10-2.99", Title: "10 years fixed, fee 2.99%", InGrid: true, Values: []string{"$1,827.67", "$75,270"}}, {UUID: "v", Title: "5 years variable, fee 2.99%", Values: []string{"$2,960.10", "$75,270"}}},
		},
		Balance:     NewBalanceChart([]BalanceLine{{"10 years fixed, fee 2.99%", []int64{14933550, 13900000, 0}}, {"5 years variable, fee 2.99%", []int64{14933550, 0}}}),
		SavedQuotes: SavedQuotesView{Days: []SavedQuotesDay{{Day: "Today, Friday, November 20, 2026", Quotes: []SavedQuote{{Time: "10:42 AM", Request: "net draw $145,000 · 24 offers · by you", Href: "/leads/x/offers?quote=q"}}}}},
		Chosen: QuoteBreakdown{Title: "10 years fixed at 8.20%, fee 2.99%", ToBorrower: "$75,270.00", PaysOff: "$69,730.00", FeeName: "Fee 2.99%", Fee: "$4,335.50", Loan: "$149,335.50", Payment: "$1,827.67",
			Bar:     ui.NewMoneyBar("Of a loan amount of $149,335.50: to the borrower $75,270.00, pays off $69,730.00, fee $4,335.50", ui.BarAmount{Class: "p2", Cents: 7527000}, ui.BarAmount{Class: "p1", Cents: 6973000}, ui.BarAmount{Class: "p3", Cents: 433550}),
			Figures: []ui.Fact{{Label: "Total interest, 120 payments, estimate", Value: "$69,984.90"}, {Label: "Discount applied", Value: "Autopay −0.25"}}},
	}
	o.Rows = append(o.Rows, []TermRow{
		{Term: "5 yr", LongTerm: "5 years", Cells: []OfferCell{{UUID: "5-1.50", Dollars: "$3,012", Cents: ".43", Rate: "8.40%"}, {UUID: "5-2.99", Dollars: "$3,017", Cents: ".28", Rate: "7.85%"}, {Rate: "7.25%", Reason: "up to $120,000 only"}}},
		{Term: "10 yr", LongTerm: "10 years", Cells: []OfferCell{{UUID: "10-1.50", Dollars: "$1,844", Cents: ".50", Rate: "8.75%"}, {UUID: "10-2.99", Dollars: "$1,827", Cents: ".67", Rate: "8.20%"}, {}}},
		{Term: "30 yr", LongTerm: "30 years", Cells: []OfferCell{{UUID: "30-1.50", Dollars: "$1,226", Cents: ".80", Rate: "9.40%"}, {UUID: "30-2.99", Dollars: "$1,185", Cents: ".50", Rate: "8.85%"}, {UUID: "30-4.99", Dollars: "$1,143", Cents: ".69", Rate: "8.25%"}}},
	}...)
	return o
}

func sampleTab(t to.Tab) WorkspaceView {
	v := sampleLead("application")
	v.Tab = t
	v.Offers = sampleOffers()
	v.Property = PropertyView{Address: []string{"2216 Larkspur Ave", "Boise, ID 83702"}, County: "Ada", Liens: []LienRow{{Position: "1", Lender: "Cascade", OriginationDate: "Jun 14, 2018", OriginalBalance: "$312,000", Balance: "$238,410", Payment: "$1,612", ID: "lien-0"}}, Homes: []HomeChoice{{ID: "p1", Address: "Unit 1"}}}
	v.Underwriting = UnderwritingView{Decision: "Approved", Payoff: PayoffView{Debts: sampleDebts()}}
	v.Documents = DocumentsView{Can: true, Age: "as of 10:42 AM", Rows: []DocumentRow{{ID: "d1", Name: "Offer summary.pdf", Kind: "Offer summary", Type: "PDF", ReceivedAt: "Nov 20", New: true, Inline: true}, {ID: "d2", Name: "All.zip", Kind: "Title odds"}}}
	v.Funding = FundingView{Converted: true, Conditions: []ConditionRow{{Name: "Proof of insurance", Open: true}, {Name: "Payslip", State: "Cleared"}}, Transactions: []TransactionRow{{ID: "t1", Amount: "$75,270.00", Status: words.Funding("NEW_STATE"), Rail: "ACH", Message: "m1"}}}
	v.History = HistoryView{Status: "Offers available", NextRaw: "OFFERS_AVAILABLE", Reasons: []string{"R1"}, Entries: []StatusRow{{When: "Nov 20", Status: "Started"}}, Dates: sampleFacts[:2], Costs: []CostRow{{Name: words.Cost("TITLE_FEE"), Amount: "$100"}},
		Licenses: []LicenseRow{{Party: "Loan originator", Holder: "Olivia Bennett", HolderType: "Loan originator", State: "ID"}}, Business: BusinessView{Has: true, Name: "Larkspur LLC"}, BorrowerLink: true}
	v.Activity = ActivityView{Items: v.Recent}
	return v
}

func sampleDemo() page.DemoView {
	return page.DemoView{App: sampleApp, Name: "Priya Raghunathan", ReturnTo: "/leads/" + sampleApp, Events: []ui.Option{{Value: "borrower-signs-in", Label: "Signs in"}, {Value: "thaw", Label: "Thaws"}}, DropNextResponse: true}
}

func sampleOperation() OperationView {
	return OperationView{Page: viewtest.Page("Receipt"), ID: "op-1", Number: "7K2M-94", App: sampleApp, Name: "Priya Raghunathan", ShortID: "1-26324-021", OperationName: "verify-liens", State: "unknown", Steps: []ui.ReceiptStep{
		{Label: "Sent", Text: "10:57:41 AM", Done: true}, {Label: "Seen by the lender", Text: "not known, asking again in 8 s"}, {Label: "Step changed"},
	},
		By: "Olivia Bennett", When: "Today 10:57:41 AM", CanAbandon: true, CanAdopt: true, Form: ui.Form{FieldErrors: []ui.FieldError{{Name: "reason", Text: "Say why, in a few words"}}}, Facts: []ui.Fact{{Label: "Liens", Value: "2"}}, LenderMessages: []string{"Busy."}}
}

var sampleBar = ui.NewMoneyBar("Of a value of $642,000: liens $280,285, this line $145,000, equity left $216,715",
	ui.BarAmount{Class: "p1", Cents: 28028500}, ui.BarAmount{Class: "p2", Cents: 14500000}, ui.BarAmount{Class: "p3", Cents: 21671500})

var sampleFacts = []ui.Fact{
	{Label: "Estimated value", Value: "$642,000"}, {Label: "Liens, not verified", Value: "$280,285", Key: "p1"},
	{Label: "This line, as wanted", Value: "$145,000", Key: "p2"}, {Label: "Equity left", Value: "$216,715", Key: "p3"}, {Label: "Flood zone", Value: words.Dash},
}

var sampleEvents = []ui.Event{
	{Icon: "triangle-alert", Tone: "yours", Time: "10:41 AM", Title: "Liens need verifying", Text: "Two were found.", Raw: "nextInquiryStep: LIEN_MATCHING_REQUIRED"},
	{Icon: "phone", Time: "9:20 AM", Title: "Called", Text: "By you. “Has both statements at hand after ten.”"},
	{Icon: "check", Time: "9:02 AM", Title: "Inquiry started", Text: "Consent on a recorded call, text of Oct 1, 2026."},
}
