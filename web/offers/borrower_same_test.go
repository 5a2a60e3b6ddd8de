package offers_test

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	desklead "hearthline/internal/desk/lead"
	deskoffers "hearthline/internal/desk/offers"

	"hearthline/internal/heloc"
	"hearthline/views/text"
	"hearthline/web/offers"
	"hearthline/web/webtest"
)

// shownCells returns the same from the borrower's page.
func shownCells(p *webtest.Response) []string {
	var all []string
	p.Find(".opt2").Each(func(_ int, s *webtest.Selection) {
		payment := strings.TrimSuffix(strings.TrimSpace(s.Find(".pay").Text()), s.Find(".pay span").Text())
		parts := []string{strings.TrimSpace(payment)}
		// the payment afterward, if there is one, and the rate
		s.Find("dd").EachWithBreak(func(_ int, dd *webtest.Selection) bool {
			parts = append(parts, strings.TrimSuffix(strings.TrimSpace(dd.Text()), " a month"))
			return !strings.HasSuffix(parts[len(parts)-1], "%")
		})
		all = append(all, strings.Join(parts, " "))
	})
	slices.Sort(all)
	return all
}

// TestBorrowerView_FilteredGrid_ShowsTheSameOffers filters for variable offers with one fee and a discount, then
// opens the borrower's page.
func TestBorrowerView_FilteredGrid_ShowsTheSameOffers(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	lead := olivia.StartLead("Rivera")
	olivia.WaitFor(lead, `input[name="offer.offerUuid"]`)
	fee := olivia.Get(lead+"/offers").Find(`#originationFee option`).Last().AttrOr("value", "")
	page := olivia.Post(lead+"/calculate-offers", url.Values{"amount": {"72,500"}, "rateType": {"FLOATING"},
		"originationFee": {fee}, "autoPayDiscountEnabled": {"true"}})
	if cells := page.Cells(); fee == "" || len(cells) != 4 {
		t.Fatalf("fee %q gives %v", fee, cells)
	}
	page.WantText("including the autopay discount")
	show := page.Find(`a[href*="/show"]`).First().AttrOr("href", "")
	shown := olivia.Get(show)
	if got, want := shownCells(shown), page.Cells(); !slices.Equal(got, want) {
		t.Errorf("the borrower's page shows %v, want %v", got, want)
	}
	shown.WantText("$72,500", "Variable rate", "The rate includes the discount for autopay (0.25 percentage points).",
		"A variable rate moves with the prime rate")
	if words := shown.Text(); strings.Contains(words, "Fixed rate") || strings.Count(words, "Rates as of") != 1 ||
		strings.Contains(words, "without a draw amount") || strings.Contains(words, "The rate doesn’t include") {
		t.Errorf("the borrower's page reads %s", words)
	}
	olivia.Get(show + "&lang=es").WantText("Incluye el descuento por pago automático (0.25 puntos porcentuales).")
	for _, link := range []string{shown.Find("header a.btn").Last().AttrOr("href", ""),
		page.Find(`a[href*="/offer-sheet"]`).First().AttrOr("href", "")} {
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
	h := webtest.New(t, webtest.Options{Dialect: "live"})
	olivia := h.SignInAs("olivia")
	lead := olivia.StartLead("Rivera")
	page := olivia.WaitFor(lead+"/offers", `input[name="offer.offerUuid"]`)
	gone := olivia.Send(page.Form("form#quote"))
	checked := olivia.Send(payoffForm(gone).With("offer.selectedDiscounts", "AUTOPAY"))
	shown := olivia.Get(checked.Find(`a[href*="/show"]`).First().AttrOr("href", ""))
	shown.WantText("The lender provided these rates without a draw amount.",
		"The rate includes our estimate of the discount for autopay (0.25 percentage points).")
	if got, want := shownCells(shown), checked.Cells(); !slices.Equal(got, want) {
		t.Errorf("the borrower's page shows %v, want %v", got, want)
	}
}

func TestBorrowerView_OfferOfAnotherDraw_NotShown(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	lead := olivia.StartLead("Rivera")
	olivia.WaitFor(lead, `input[name="offer.offerUuid"]`)
	first := olivia.Post(lead+"/calculate-offers", url.Values{"amount": {"45,000"}})
	id := first.Find(`input[name="offer.offerUuid"]`).First().AttrOr("value", "")
	second := olivia.Post(lead+"/calculate-offers", url.Values{"amount": {"150,000"}, "offer.offerUuid": {id}})
	shown := olivia.Get(lead + "/show?amount=150000&offer=" + id)
	if cells := shownCells(shown); len(cells) != 1 || !slices.Contains(second.Cells(), cells[0]) {
		t.Errorf("the borrower's page shows %v at $150,000, want one of %v", cells, second.Cells())
	}
}

func TestPricedOn_LenderDayAhead_IsUsersDate(t *testing.T) {
	t.Parallel()
	v := webtest.DenverViewer(t)
	var l desklead.Snapshot
	today := heloc.DateOf(v.Now.In(v.Zone))
	l.Details.App.Underwriting.PricingAsOf = heloc.DateOf(v.Now.In(v.Zone).AddDate(0, 0, 1))
	if got := offers.PricingDates(v, l, offers.OfferGrid{}); got != today {
		t.Errorf("got %s, want %s", got, today)
	}
	if got := offers.PresentOffers(v, l, offers.OfferGrid{}).PricedAsOf; got != text.Date(today) {
		t.Errorf("the offers are priced as of %s, want %s", got, text.Date(today))
	}
	quote := offers.OfferGrid{}.BorrowerQuote(v, l, nil)
	if got, want := offers.PresentBorrowerQuote(quote, deskoffers.BorrowerContact{}, text.English).Dates,
		"Rates as of "+offers.LocalizedDate(text.English, today)+"."; !strings.Contains(got, want) {
		t.Errorf("the offer sheet has %q, want %q", got, want)
	}
}

// TestBorrowerQuote_InquiryOver_NamesNoExpiration: an expiration that has passed, or that an application replaced, says
// nothing to the borrower.
func TestBorrowerQuote_InquiryOver_NamesNoExpiration(t *testing.T) {
	t.Parallel()
	v := webtest.DenverViewer(t)
	today := heloc.DateOf(v.Now.In(v.Zone))
	for _, tt := range []struct {
		days      int
		converted bool
		want      bool
	}{{0, false, true}, {5, false, true}, {-1, false, false}, {5, true, false}} {
		var l desklead.Snapshot
		l.Row.ExpirationDate, l.Row.Converted = heloc.DateOf(v.Now.In(v.Zone).AddDate(0, 0, tt.days)), tt.converted
		quote := offers.OfferGrid{}.BorrowerQuote(v, l, nil)
		dates := offers.PresentBorrowerQuote(quote, deskoffers.BorrowerContact{}, text.English).Dates
		if got := strings.Contains(dates, "The inquiry with the lender expires"); got != tt.want {
			t.Errorf("%s, today %s, converted %v: got %q", l.Row.ExpirationDate, today, tt.converted, dates)
		}
	}
}

// TestBorrowerView_AfterApplication_ShowsSelectedOfferOnly sends no offers that the borrower can no longer have.
func TestBorrowerView_AfterApplication_ShowsSelectedOfferOnly(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true})
	olivia := h.SignInAs("olivia")
	aLead := olivia.StartLead("Rivera")
	olivia.WaitFor(aLead+"/offers", `input[name="offer.offerUuid"]`)
	page := olivia.Post(aLead+"/calculate-offers", url.Values{"amount": {"72,500"}, "rateType": {"FLOATING"}})
	offer := page.Find(`input[name="offer.offerUuid"]`).First().AttrOr("value", "")
	page = olivia.Post(aLead+"/calculate-offers",
		url.Values{"amount": {"72,500"}, "rateType": {"FLOATING"}, "offer.offerUuid": {offer}})
	if n := len(shownCells(olivia.Get(aLead + "/show?amount=72,500"))); n < 2 {
		t.Fatalf("before the selection the page shows %d offers, want all", n)
	}
	olivia.Send(page.Form("form#select").With("confirm.offer", "true"))
	olivia.WaitFor(aLead, `.panel:contains("Selected offer")`)
	app := heloc.AppID(strings.TrimPrefix(aLead, "/leads/"))
	h.Must(h.Sandbox.Play(app, "convert"))
	h.Must(h.LenderSync.Refresh(t.Context(), app))
	if !h.LeadRow(app).Converted {
		t.Fatal("there is no application yet")
	}
	shown := olivia.Get(aLead + "/show")
	if cells := shownCells(shown); len(cells) != 1 {
		t.Errorf("the borrower's page shows %v, want the selected offer only", cells)
	}
	shown.WantText("$72,500", "Variable rate")
	grid := olivia.Get(aLead + "/offers")
	if strings.Contains(grid.Find("#offers").Text(), "responds to the lender") {
		t.Error("the offers say who responds to the lender although nobody can select one any more")
	}
	if got := grid.Find(`a[href*="/show"]`).First().AttrOr("href", ""); !strings.Contains(got, offer) {
		t.Errorf("the grid opens with %q, want the selected offer %q", got, offer)
	}
}
