package offers_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/a-h/templ"

	"hearthline/views/lead"
	"hearthline/views/offers"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/views/viewtest"
	"hearthline/views/workspace"
)

func sampleSelected() *offers.SelectedOfferView {
	return &offers.SelectedOfferView{Title: "10 years fixed at 8.20%, fee 2.99%",
		Payment: "$1,828.02", OurEstimate: "$1,827.67", Facts: []ui.Fact{{Label: "Loan amount", Value: "$149,335.50"}},
		CanChange: true, ChangeURL: "/leads/x/offers"}
}

func sampleOffers() *offers.View {
	o := &offers.View{
		URLs: viewtest.URLs(), Tab: to.Offers, WhoCan: "View only. Olivia Bennett responds to the lender.",
		PricedAsOf: "Nov 20, 2026", CanSelect: true, Kind: "fixed rate", Draw: "$145,000", CanPrintSheet: true,
		Quote: offers.QuoteForm{Requote: true, RateTypes: [][2]string{{"FIXED", "Fixed"}, {"FLOATING", "Variable"}},
			Min: "15000", Max: "175000", Range: "$15,000 to $175,000",
			Form: ui.Form{Values: []ui.SubmittedValue{{Name: "amount", Value: "145,000"},
				{Name: "autoPayDiscountEnabled", Value: "true"}}}},
		Fees: []offers.FeeTier{{"1.50%", "$2,175.00"}, {"2.99%", "$4,335.50"}, {"4.99%", "$7,235.50"}},
		Form: ui.Form{OperationID: "ticket-offers", Values: []ui.SubmittedValue{
			{Name: "offer.offerUuid", Value: "10-2.99"}, {Name: "offer.selectedOfferAmount", Value: "145,000"},
		}},
		Discounts: []offers.DiscountChoice{{Type: "AUTOPAY", Name: "Autopay", Amount: "−0.25%",
			Control:  "autoPayDiscountEnabled",
			Selected: true}, {Type: "SOMETHING_NEW", Name: text.Name("SOMETHING_NEW")}},
		Planner: offers.PlannerView{
			Debts: viewtest.Debts(), Chosen: "2 debts", Total: "$69,730", ToBorrower: "$75,270", Fee: "$4,335.50",
			Loan: "$149,335.50", Before: "$836", After: "$1,827.67", OldRate: "13.45%", NewRate: "8.20%",
		},
		Sentence: "10 yr fixed, 8.20%, $75,270 to the borrower, $69,730 in payoffs, $1,827.67 a month",
		Home: offers.HomeView{Value: "$642,000", ValueName: "AVM value", CLTV: "60.4%", Remaining: "$254,254.50",
			Bar: ui.NewMoneyBar("Of a value of $642,000", ui.BarAmount{Class: "p1", Cents: 23841000})},
		Ready: offers.ReadyView{Facts: []ui.Fact{{Label: "Terms", Value: "5 yr to 30 yr"}},
			Choices: []ui.Option{{Value: "5-1.50", Label: "5 yr fixed, 1.50% fee", Note: "8.40%"},
				{Value: "10-2.99", Label: "10 yr fixed, 2.99% fee", Note: "8.20%"}}},
		Compare: offers.CompareTable{
			Columns: []offers.CompareColumn{{UUID: "10-2.99", Title: "10 yr fixed, 2.99% fee", InGrid: true, Pinned: true,
				Chosen: true}, {UUID: "v", Title: "5 yr variable, 2.99% fee", Pinned: true}},
			Groups: []offers.CompareGroup{
				{"Payment", []offers.CompareRow{{"Monthly payment", true, []string{"$1,827.67", "$2,960.10"}}}},
				{"Cost", []offers.CompareRow{{"Cash to the borrower", false, []string{"$75,270", "$75,270"}}}},
				{"Term and limits", []offers.CompareRow{{"Term", false, []string{"10 years", "5 years"}}}},
			},
		},
		PaymentChart: offers.PaymentChart{Fee: "fee 2.99%", Width: "288", Bars: []offers.PaymentBar{
			{Term: "5 yr", LongTerm: "5 years", Payment: "$3,017", Exact: "$3,017.28", X: "8", Y: "24.0", Height: "100.0"},
			{Term: "10 yr", LongTerm: "10 years", Payment: "$1,828", Exact: "$1,827.67", X: "80", Y: "63.4", Height: "60.6",
				Chosen: true}}},
		Prime: offers.PrimeChart{Offer: "10 yr variable, 2.99% fee", Prime: "6.75%", Fixed: "$1,827.67", FixedY: "28.1",
			Scale: []offers.AxisMark{{At: "192.0", LabelAt: "196.0", Text: "$0"}},
			Bars: []offers.PrimeBar{
				{Name: "Today", Prime: "6.75%", Rate: "7.95%", Payment: "$1,808.30", Difference: "−$19.37", Today: true},
				{Name: "Prime +1", Prime: "7.75%", Rate: "8.95%", Payment: "$1,888.12", Difference: "+$60.45"},
			}},
		Balance: offers.BalanceChart{Description: "The balance falls to zero within 2 years.", Direct: true,
			Scale: []offers.AxisMark{{At: "192.0", LabelAt: "196.0", Text: "$0"}}, Years: []offers.AxisMark{{At: "46.0",
				Text: "0"}},
			Lines: []offers.ChartLine{
				{Name: "10 years fixed, fee 2.99%", Points: "46.0,24.7 546.0,192.0", TotalInterest: "$21,000.12", Chosen: true},
				{Name: "5 years variable, fee 2.99%", Points: "46.0,24.7 296.0,192.0", TotalInterest: "$5,000.00",
					Dash: "7 4"},
			},
			Rows: [][]string{{"0", "", "$149,336", "", "$149,336"}, {"1", "$12,034.07", "$139,000", "$5,000.00", "$0"}}},
		SavedQuotes: offers.SavedQuotesView{
			Days: []offers.SavedQuotesDay{{Day: "Today, Friday, November 20, 2026",
				Quotes: []offers.SavedQuote{{Time: "10:42 AM", Request: "net draw $145,000 · 24 offers",
					Href: "/leads/x/offers?quote=q"}}}},
		},
		Chosen: offers.QuoteBreakdown{Title: "10 years fixed at 8.20%, fee 2.99%",
			ToBorrower: "$75,270.00", PaysOff: "$69,730.00", FeeName: "Fee 2.99%", Fee: "$4,335.50", Loan: "$149,335.50",
			Bar: ui.NewMoneyBar("Of a loan amount of $149,335.50: to the borrower $75,270.00, pays off $69,730.00, "+
				"fee $4,335.50", ui.BarAmount{Class: "p2", Cents: 7527000}, ui.BarAmount{Class: "p1", Cents: 6973000},
				ui.BarAmount{Class: "p3", Cents: 433550})},
	}
	o.Rows = append(o.Rows, []offers.TermRow{
		{Term: "5 yr", LongTerm: "5 years", Cells: []offers.OfferCell{{UUID: "5-1.50", Payment: "$3,012.43", Rate: "8.40%"},
			{UUID: "5-2.99", Payment: "$3,017.28", Rate: "7.85%"}, {Rate: "7.25%", Reason: "up to $120,000 only"}}},
		{Term: "10 yr", LongTerm: "10 years", Cells: []offers.OfferCell{{UUID: "10-1.50", Payment: "$1,844.50",
			Rate: "8.75%"},
			{UUID: "10-2.99", Payment: "$1,827.67", Rate: "8.20%"}, {}}},
		{Term: "30 yr", LongTerm: "30 years", Cells: []offers.OfferCell{{UUID: "30-1.50", Payment: "$1,226.80",
			Rate: "9.40%"},
			{UUID: "30-2.99", Payment: "$1,185.50", Rate: "8.85%"}, {UUID: "30-4.99", Payment: "$1,143.69", Rate: "8.25%"}}},
	}...)
	return o
}

// overview is the first tab of a lead with these offers.
func overview(v *offers.View) templ.Component {
	return overviewIn(viewtest.Workspace("offers"), v, nil)
}

// overviewIn is the first tab in a page, with what the offers area shows there.
func overviewIn(frame *workspace.View, v *offers.View, selected templ.Component) templ.Component {
	body := offers.Ready(v)
	if selected != nil {
		body = nil
	}
	frame.Content = lead.Overview(&lead.OverviewView{
		URLs: viewtest.URLs(), Step: &lead.NextStepView{URLs: viewtest.URLs(), Card: viewtest.Card("offers"), Body: body},
		Offers: selected,
		Notes:  &lead.NotesView{URLs: viewtest.URLs(), Can: v.CanSelect},
	})
	return workspace.Workspace(frame)
}

// offersTab is the offers tab of a lead.
func offersTab(v *offers.View) templ.Component { return offersTabIn(viewtest.Workspace("offers"), v) }

func offersTabIn(frame *workspace.View, v *offers.View) templ.Component {
	frame.Tab, v.Tab, frame.Content, frame.FullWidth, frame.KeepsOffers = to.Offers, to.Offers, offers.Tab(v),
		v.HasWorkbench(), v.CanSelect
	return workspace.Workspace(frame)
}

// viewOnly is the offers for a user who may not select.
func viewOnly() *offers.View {
	v := sampleOffers()
	v.CanSelect = false
	return v
}

func TestScreens_MeetPageRules(t *testing.T) {
	plain, refused, inline, selected, unquoted := sampleOffers(), sampleOffers(), sampleOffers(), sampleOffers(),
		sampleOffers()
	plain.Quote.Requote = false
	refused.Form.FieldErrors = []ui.FieldError{{Name: "confirm.offer", Text: "Say that the borrower chose"},
		{Name: "offer.selectedOfferAmount", Text: "Too much"}, {Name: "offer.selectedDiscounts", Text: "Not this"}}
	inline.Planner.Inline, inline.Planner.NoOffers = true, true
	selected.Selected, unquoted.CannotText = sampleSelected(), "To select an offer, get a quote."
	screens := map[string]templ.Component{
		"overview": overview(sampleOffers()), "overview, view only": overview(viewOnly()),
		"overview, not quoted": overview(unquoted),
		"overview, selected": overviewIn(viewtest.Workspace("borrower-sign-in"), sampleOffers(),
			offers.SelectedPanel(sampleSelected())),
		"tab": offersTab(sampleOffers()), "tab, view only": offersTab(viewOnly()),
		"tab, selected": offersTab(selected), "empty tab": offersTab(&offers.View{URLs: viewtest.URLs()}),
		"tab, no re-quote": offersTab(plain), "tab, refused": offersTab(refused),
		"tab, debts without offers": offersTab(inline), "tab, not quoted": offersTab(unquoted),
	}
	viewtest.CheckScreens(t, screens)
	viewtest.CheckLinksAndForms(t, screens)
}

// Other programs drive the portal through the names of controls and the ends of URLs. The complete form of the step
// is on the first page.
func TestOffers_FormControls(t *testing.T) {
	selection := []string{"operation", "offer.offerUuid", "offer.selectedOfferAmount", "offer.selectedDiscounts",
		"offer.selectedAccountsToPayoff", "confirm.offer"}
	for _, tt := range []struct {
		page      templ.Component
		operation string
		names     []string
	}{
		{overview(sampleOffers()), "select-offer", selection}, {offersTab(sampleOffers()), "select-offer", selection},
		{offersTab(sampleOffers()), "calculate-offers",
			[]string{"amount", "autoPayDiscountEnabled", "cuDiscountEnabled", "rateType"}},
		{overview(sampleOffers()), "cancel", []string{"operation", "confirm.cancel"}},
	} {
		form := viewtest.Render(t, tt.page).Find(fmt.Sprintf("form[action=%q]", "/leads/"+viewtest.App+"/"+tt.operation))
		if form.Length() == 0 {
			t.Errorf("no form for %s", tt.operation)
		}
		for _, name := range tt.names {
			if form.Find(fmt.Sprintf("[name=%q]", name)).Length() == 0 {
				t.Errorf("no control %s for %s", name, tt.operation)
			}
		}
	}
}

// Each control of the figures is on the page once, and the overview repeats no payment.
func TestOffers_EachControlOnce(t *testing.T) {
	doc := viewtest.Render(t, offersTab(sampleOffers()))
	for _, control := range []string{`input[type="text"][name="amount"]`, `[type="range"]`, `#rateType`, `#payoffs`,
		`[popovertarget="payoffs"]:not([popovertargetaction])`,
		`[type="checkbox"][name="autoPayDiscountEnabled"]`, `[type="checkbox"][name="cuDiscountEnabled"]`,
		`[type="checkbox"][name="offer.selectedDiscounts"]`} {
		if n := doc.Find(control).Length(); n != 1 {
			t.Errorf("%s: got %d, want 1", control, n)
		}
	}
	if n := doc.Find(`[name="offer.selectedDiscounts"][value="AUTOPAY"]`).Length(); n != 1 {
		t.Errorf("got %d values of the quoted discount in the selection, want 1", n)
	}
	words := viewtest.Render(t, overview(sampleOffers())).Find("main").Text()
	for _, figure := range []string{"$1,827", "$3,012", "$2,175.00"} {
		if strings.Contains(words, figure) {
			t.Errorf("the overview repeats %s", figure)
		}
	}
}

// The press of the button confirms the sentence above it, so a form that is only filled in is not confirmed.
func TestSelectionBar_PressConfirmsSentence(t *testing.T) {
	bar := viewtest.Render(t, offersTab(sampleOffers())).Find(".selection-bar")
	const sentence = "10 yr fixed, 8.20%, $75,270 to the borrower, $69,730 in payoffs, $1,827.67 a month"
	if got := bar.Find(".sentence").Text(); got != sentence ||
		bar.Find(`input[name="confirm.sentence"]`).AttrOr("value", "") != sentence {
		t.Errorf("got %q", got)
	}
	if button := bar.Find(`button[name="confirm.offer"][value="true"]`); button.Length() != 1 ||
		strings.TrimSpace(button.Text()) != "Select offer" || bar.Find(`input[name="confirm.offer"]`).Length() != 0 {
		t.Error("the button does not confirm, or something else does too")
	}
	refused := sampleOffers()
	refused.Form.FieldErrors = []ui.FieldError{{Name: "confirm.offer", Text: "Confirm it"}}
	bar = viewtest.Render(t, offersTab(refused)).Find(".selection-bar")
	if bar.Find(`input[type="checkbox"][name="confirm.offer"]`).Length() != 1 ||
		bar.Find(`button[name="confirm.offer"]`).Length() != 0 {
		t.Error("a form that was refused for its confirmation has no checkbox, or its button confirms by itself")
	}
}

func TestOffers_Confirmations_RequiredAndUnchecked(t *testing.T) {
	viewtest.CheckConfirmations(t, "offers", overview(sampleOffers()))
}

func TestOffers_CannotSelect_HasNoForms(t *testing.T) {
	v := viewOnly()
	frame := viewtest.Workspace("offers")
	frame.Cancel.Can, frame.Head.CanRefresh = false, false
	doc := viewtest.Render(t, offersTabIn(frame, v))
	doc.Find(`main form[method="post"]`).Each(func(_ int, s *goquery.Selection) {
		t.Errorf("unexpected form for %s", s.AttrOr("action", ""))
	})
	for name, words := range map[string]string{"offers": doc.Find(".selection-bar").Text(),
		"overview": viewtest.Render(t, overview(viewOnly())).Find("#step").Text()} {
		if !strings.Contains(words, "Olivia Bennett responds") {
			t.Errorf("%s: the page does not name who can act", name)
		}
	}
}

func TestOffers_NothingPreselected(t *testing.T) {
	v := sampleOffers()
	v.Form.Values, v.Chosen, v.Sentence, v.Compare = nil, offers.QuoteBreakdown{}, "", offers.CompareTable{}
	doc := viewtest.Render(t, offersTab(v))
	if n := doc.Find(`.cell input[checked], [name="pin"][checked]`).Length(); n != 0 {
		t.Errorf("got %d selected cells before the user chose one", n)
	}
	if n := doc.Find(`[name="offer.offerUuid"]`).Length(); n != 7 {
		t.Errorf("got %d selectable offers, want 7", n)
	}
	if got := doc.Find(".out").First().Text(); !strings.Contains(got, "up to $120,000 only") {
		t.Errorf("out of range: got %q", got)
	}
	words := strings.ToLower(doc.Find("main").Text())
	for _, bad := range []string{"apr", "best", "denied", "recommended"} {
		if slices.Contains(strings.Fields(words), bad) {
			t.Errorf("the page contains %q", bad)
		}
	}
	if !strings.Contains(words, "estimate") {
		t.Error("the page does not label the figures as estimates")
	}
}

func TestOffers_UnknownFigures_Selectable(t *testing.T) {
	v := sampleOffers()
	v.Rows = append(v.Rows, offers.TermRow{Term: "—", LongTerm: "term not known",
		Cells: []offers.OfferCell{{UUID: "bare"}, {}, {}}})
	cell := viewtest.Render(t, offersTab(v)).Find(`input[value="bare"]`)
	if got := cell.AttrOr("aria-label", ""); got != "term not known, fee 1.50%, payment not known" {
		t.Errorf("got %q", got)
	}
	if words := cell.Parent().Text(); !strings.Contains(words, "—") || !strings.Contains(words, "rate not known") {
		t.Errorf("got %q", words)
	}
	if cell.Parent().Parent().Find(".pin").Length() != 0 {
		t.Error("an offer without figures has a pin")
	}
}

func TestPart_MatchesPage(t *testing.T) {
	full, _ := goquery.OuterHtml(viewtest.Render(t, offersTab(sampleOffers())).Find("#offers"))
	part, _ := goquery.OuterHtml(viewtest.Render(t, offers.Part(sampleOffers())).Find("#offers"))
	if full != part {
		t.Error("the offers and their part differ")
	}
}
