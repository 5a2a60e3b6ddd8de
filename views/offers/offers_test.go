package offers

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/a-h/templ"

	"hearthline/views/lead"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/views/viewtest"
	"hearthline/views/words"
	"hearthline/views/workspace"
)

func sampleSelected() *SelectedOfferView {
	return &SelectedOfferView{Title: "10 years fixed at 8.20%, fee 2.99%", Payment: "$1,828.02", OurEstimate: "$1,827.67", Difference: "The lender counts 31 days in the first month.", Facts: []ui.Fact{{Label: "Loan amount", Value: "$149,335.50"}}, CanChange: true, ChangeURL: "/leads/x/offers"}
}

func sampleOffers() *View {
	o := &View{
		URLs: viewtest.URLs(), Tab: to.Overview, WhoCan: "View only. Olivia Bennett responds to the lender.",
		PricedAsOf: "Nov 20, 2026", CanSelect: true, Kind: "fixed rate", Draw: "$145,000", CanPrintSheet: true,
		Quote: QuoteForm{Requote: true, RateTypes: [][2]string{{"FIXED", "Fixed"}, {"FLOATING", "Variable"}}, Min: "15000", Max: "175000", MinText: "$15,000", MaxText: "$175,000", Autopay: true, CreditUnion: true,
			Form: ui.Form{Values: []ui.SubmittedValue{{Name: "amount", Value: "145,000"}, {Name: "autoPayDiscountEnabled", Value: "true"}}}},
		Fees:      []FeeTier{{"1.50%", "$2,175.00"}, {"2.99%", "$4,335.50"}, {"4.99%", "$7,235.50"}},
		Form:      ui.Form{OperationID: "ticket-offers", Values: []ui.SubmittedValue{{Name: "offer.offerUuid", Value: "10-2.99"}, {Name: "offer.selectedOfferAmount", Value: "145,000"}}},
		Discounts: []DiscountChoice{{Type: "AUTOPAY", Label: "Autopay −0.25", Selected: true}, {Type: "SOMETHING_NEW", Label: words.Name("SOMETHING_NEW")}},
		Planner: PlannerView{
			Debts: viewtest.Debts(), Chosen: "2 debts", Total: "$69,730", ToBorrower: "$75,270", Fee: "$4,335.50", Loan: "$149,335.50",
			Before: "$836", After: "$1,827.67", OldRate: "13.45%", NewRate: "8.20%",
		},
		Pinned: CompareView{
			Labels:  []string{"Estimated monthly payment", "Net cash"},
			Columns: []CompareColumn{{UUID: "10-2.99", Title: "10 years fixed, fee 2.99%", InGrid: true, Values: []string{"$1,827.67", "$75,270"}}, {UUID: "v", Title: "5 years variable, fee 2.99%", Values: []string{"$2,960.10", "$75,270"}}},
		},
		Balance:     NewBalanceChart([]BalanceLine{{"10 years fixed, fee 2.99%", []int64{14933550, 13900000, 0}, []int64{0, 1203407, 2100012}}, {"5 years variable, fee 2.99%", []int64{14933550, 0}, []int64{0, 500000}}}),
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

// overview is the first tab of a lead with these offers.
func overview(v *View) templ.Component {
	frame := viewtest.Workspace("offers")
	frame.KeepsOffers = true
	return overviewIn(frame, v, Part(v))
}

// overviewIn is the first tab in a page, with what the offers area shows there.
func overviewIn(frame *workspace.View, v *View, offers templ.Component) templ.Component {
	frame.Content = lead.Overview(&lead.OverviewView{
		URLs: viewtest.URLs(), Step: &lead.NextStepView{URLs: viewtest.URLs(), Card: viewtest.Card("offers"), Body: ViewOnly(v)}, Offers: offers,
		Notes: &lead.NotesView{URLs: viewtest.URLs(), Can: v.CanSelect},
	})
	return workspace.Workspace(frame)
}

// offersTab is the offers tab of a lead.
func offersTab(v *View) templ.Component {
	frame := viewtest.Workspace("offers")
	frame.Tab, v.Tab, frame.Content = to.Offers, to.Offers, Tab(v)
	return workspace.Workspace(frame)
}

// viewOnly is the offers for a user who may not select.
func viewOnly() *View {
	v := sampleOffers()
	v.CanSelect = false
	return v
}

func TestScreens_MeetPageRules(t *testing.T) {
	plain, withCard, selected := sampleOffers(), sampleOffers(), sampleOffers()
	plain.Quote.Requote, plain.Form.FieldErrors = false, []ui.FieldError{{Name: "confirm.offer", Text: "Say that the borrower chose"}}
	card := viewtest.Card("offers")
	withCard.Card, selected.Selected = &card, sampleSelected()
	screens := map[string]templ.Component{
		"overview": overview(sampleOffers()), "overview, view only": overview(viewOnly()), "overview, no re-quote": overview(plain), "selected": overviewIn(viewtest.Workspace("borrower-sign-in"), sampleOffers(), SelectedPanel(sampleSelected())),
		"tab": offersTab(withCard), "tab, view only": offersTab(viewOnly()), "tab, selected": offersTab(selected), "empty tab": offersTab(&View{URLs: viewtest.URLs()}),
	}
	viewtest.CheckScreens(t, screens)
	viewtest.CheckLinksAndForms(t, screens)
}

// Other programs drive the portal through the names of controls and the ends of URLs.
func TestOffers_FormControls(t *testing.T) {
	for operation, names := range map[string][]string{
		"select-offer":     {"operation", "offer.offerUuid", "offer.selectedOfferAmount", "offer.selectedDiscounts", "offer.selectedAccountsToPayoff", "confirm.offer"},
		"calculate-offers": {"amount", "autoPayDiscountEnabled", "cuDiscountEnabled", "rateType"},
		"cancel":           {"operation", "confirm.cancel"},
	} {
		form := viewtest.Render(t, overview(sampleOffers())).Find(fmt.Sprintf("form[action=%q]", "/leads/"+viewtest.App+"/"+operation))
		if form.Length() == 0 {
			t.Errorf("no form for %s", operation)
		}
		for _, name := range names {
			if form.Find(fmt.Sprintf("[name=%q]", name)).Length() == 0 {
				t.Errorf("no control %s for %s", name, operation)
			}
		}
	}
}

func TestOffers_Confirmations_RequiredAndUnchecked(t *testing.T) {
	viewtest.CheckConfirmations(t, "offers", overview(sampleOffers()))
}

func TestOffers_CannotSelect_HasNoForms(t *testing.T) {
	v := viewOnly()
	frame := viewtest.Workspace("offers")
	frame.Cancel.Can, frame.Head.CanRefresh = false, false
	doc := viewtest.Render(t, overviewIn(frame, v, Part(v)))
	doc.Find(`main form[method="post"]`).Each(func(_ int, s *goquery.Selection) {
		t.Errorf("unexpected form for %s", s.AttrOr("action", ""))
	})
	if !strings.Contains(doc.Find("#step").Text(), "Olivia Bennett responds") {
		t.Error("the card does not name who can act")
	}
}

func TestOffers_NothingPreselected(t *testing.T) {
	v := sampleOffers()
	v.Form.Values, v.Chosen, v.Pinned = nil, QuoteBreakdown{}, CompareView{}
	doc := viewtest.Render(t, overview(v))
	if n := doc.Find(`.cell input[checked], [name="pin"][checked]`).Length(); n != 0 {
		t.Errorf("got %d selected cells before the user chose one", n)
	}
	if n := doc.Find(`[name="offer.offerUuid"]`).Length(); n != 7 {
		t.Errorf("got %d selectable offers, want 7", n)
	}
	if got := doc.Find(".out").First().Text(); !strings.Contains(got, "up to $120,000 only") {
		t.Errorf("out of range: got %q", got)
	}
	text := strings.ToLower(doc.Find("main").Text())
	for _, bad := range []string{"apr", "best", "denied", "recommended"} {
		if slices.Contains(strings.Fields(text), bad) {
			t.Errorf("the page contains %q", bad)
		}
	}
	if !strings.Contains(text, "estimate") {
		t.Error("the page does not label the figures as estimates")
	}
}

func TestOffers_UnknownFigures_Selectable(t *testing.T) {
	v := sampleOffers()
	v.Rows = append(v.Rows, TermRow{Term: "—", LongTerm: "term not known", Cells: []OfferCell{{UUID: "bare"}, {}, {}}})
	cell := viewtest.Render(t, overview(v)).Find(`input[value="bare"]`)
	if got := cell.AttrOr("aria-label", ""); got != "term not known, fee 1.50%, payment not known" {
		t.Errorf("got %q", got)
	}
	if text := cell.Parent().Text(); !strings.Contains(text, "—") || !strings.Contains(text, "rate not known") {
		t.Errorf("got %q", text)
	}
	if cell.Parent().Parent().Find(".pin").Length() != 0 {
		t.Error("an offer without figures has a pin")
	}
}

func TestPart_MatchesPage(t *testing.T) {
	for name, screen := range map[string]templ.Component{"overview": overview(sampleOffers()), "tab": overviewIn(viewtest.Workspace("offers"), sampleOffers(), Tab(sampleOffers()))} {
		full, _ := goquery.OuterHtml(viewtest.Render(t, screen).Find("#offers"))
		part, _ := goquery.OuterHtml(viewtest.Render(t, Part(sampleOffers())).Find("#offers"))
		if full != part {
			t.Errorf("%s: the offers and their part differ", name)
		}
	}
}
