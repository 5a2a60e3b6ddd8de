package web

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	"hearthline/internal/desk"
	"hearthline/internal/heloc"
	"hearthline/views/words"
	"hearthline/web/format"
	"hearthline/web/offers"
)

// cells returns the payments and rates of a grid, in page order.
func (p *response) cells() []string {
	var all []string
	p.Find(".offers-grid .cell").Each(func(_ int, s *selection) {
		all = append(all, strings.Join(strings.Fields(s.Find("b").Text()+" "+s.Find("span").Text()), " "))
	})
	slices.Sort(all)
	return all
}

// shownCells returns the same from the borrower's page.
func (p *response) shownCells() []string {
	var all []string
	p.Find(".shown .panel").Each(func(_ int, s *selection) {
		all = append(all, strings.TrimSpace(s.Find(".pay b").Text())+" "+strings.TrimSpace(s.Find("dd").First().Text()))
	})
	slices.Sort(all)
	return all
}

// TestBorrowerView_FilteredGrid_ShowsTheSameOffers filters for variable offers with one fee and a discount, then
// opens the borrower's page.
func TestBorrowerView_FilteredGrid_ShowsTheSameOffers(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{})
	olivia := h.signInAs("olivia")
	lead := olivia.startLead("Rivera")
	olivia.waitFor(lead, `input[name="offer.offerUuid"]`)
	fee := olivia.get(lead+"/offers").Find(`#originationFee option`).Last().AttrOr("value", "")
	page := olivia.post(lead+"/calculate-offers", url.Values{"amount": {"72,500"}, "rateType": {"FLOATING"}, "originationFee": {fee}, "autoPayDiscountEnabled": {"true"}})
	if cells := page.cells(); fee == "" || len(cells) != 4 {
		t.Fatalf("fee %q gives %v", fee, cells)
	}
	page.wantText("including the autopay discount")
	show := page.Find(`#terms header a`).First().AttrOr("href", "")
	shown := olivia.get(show)
	if got, want := shown.shownCells(), page.cells(); !slices.Equal(got, want) {
		t.Errorf("the borrower's page shows %v, want %v", got, want)
	}
	shown.wantText("$72,500", "variable rate", "Discounts included", "Autopay −0.25%")
	if text := shown.text(); strings.Contains(text, "fixed rate") || strings.Contains(text, "Prepared on") || strings.Count(text, "Priced as of") != 1 || strings.Contains(text, "without naming") {
		t.Errorf("the borrower's page reads %s", text)
	}
	olivia.get(show+"&lang=es").wantText("Descuentos incluidos", "Pago automático −0.25%")
	for _, link := range []string{shown.Find("nav a").Last().AttrOr("href", ""), page.Find(`#terms header a`).Last().AttrOr("href", "")} {
		for _, part := range []string{"rateType=FLOATING", "originationFee=" + fee, "autoPayDiscountEnabled=true"} {
			if !strings.Contains(link, part) {
				t.Errorf("the sheet at %q lacks %s", link, part)
			}
		}
	}
}

// TestBorrowerView_NotQuoted_SaysSo shows rates that were not quoted for the draw, with discounts that they do not
// include.
func TestBorrowerView_NotQuoted_SaysSo(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{dialect: "live"})
	olivia := h.signInAs("olivia")
	lead := olivia.startLead("Rivera")
	page := olivia.waitFor(lead, `input[name="offer.offerUuid"]`)
	gone := olivia.send(page.form("form#quote"))
	checked := olivia.send(gone.payoffForm().with("offer.selectedDiscounts", "AUTOPAY"))
	shown := olivia.get(checked.Find(`#terms header a`).First().AttrOr("href", ""))
	shown.wantText("The lender gave these rates without a draw amount.", "Discounts not included", "Autopay −0.25%")
	if got, want := shown.shownCells(), checked.cells(); !slices.Equal(got, want) {
		t.Errorf("the borrower's page shows %v, want %v", got, want)
	}
}

func TestBorrowerView_OfferOfAnotherDraw_NotShown(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{})
	olivia := h.signInAs("olivia")
	lead := olivia.startLead("Rivera")
	olivia.waitFor(lead, `input[name="offer.offerUuid"]`)
	first := olivia.post(lead+"/calculate-offers", url.Values{"amount": {"45,000"}})
	id := first.Find(`input[name="offer.offerUuid"]`).First().AttrOr("value", "")
	second := olivia.post(lead+"/calculate-offers", url.Values{"amount": {"150,000"}, "offer.offerUuid": {id}})
	shown := olivia.get(lead + "/show?amount=150000&offer=" + id)
	if cells := shown.shownCells(); len(cells) != 1 || !slices.Contains(second.cells(), cells[0]) {
		t.Errorf("the borrower's page shows %v at $150,000, want one of %v", cells, second.cells())
	}
}

func TestPricedOn_LenderDayAhead_IsUsersDate(t *testing.T) {
	t.Parallel()
	v := denverViewer(t)
	var l desk.LeadView
	today := heloc.DateOf(v.Now.In(v.Zone))
	l.Details.App.Underwriting.PricingAsOf = heloc.DateOf(v.Now.In(v.Zone).AddDate(0, 0, 1))
	if got := offers.PricingDates(v, l, offers.OfferGrid{}); got != today {
		t.Errorf("got %s, want %s", got, today)
	}
	if got := offers.PresentOffers(v, l, offers.OfferGrid{}).PricedAsOf; got != format.Date(today) {
		t.Errorf("the offers are priced as of %s, want %s", got, format.Date(today))
	}
	by := offers.SheetPreparedBy(v, l, offers.OfferGrid{}, words.English)
	if at := slices.IndexFunc(by, func(f [2]string) bool { return f[0] == "Priced as of" }); at < 0 || by[at][1] != offers.LocalizedDate(words.English, today) {
		t.Errorf("the offer sheet has %v", by)
	}
}
