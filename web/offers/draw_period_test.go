package offers_test

import (
	"strings"
	"testing"

	"hearthline/internal/heloc"
	"hearthline/web/webtest"
)

// TestOffers_DrawPeriodUnknown_NothingThatNeedsIt: the pages show the first payment of variable offers, say that it
// rises, and leave out the payment afterward, the totals and the balances.
func TestOffers_DrawPeriodUnknown_NothingThatNeedsIt(t *testing.T) {
	t.Parallel()
	for _, dialect := range webtest.Dialects() {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			h := webtest.New(t, webtest.Options{Dialect: dialect,
				Payments: heloc.PaymentModel{Fee: heloc.FeeAdded, Term: heloc.TermMonths}})
			olivia := h.SignInAs("olivia")
			lead := olivia.StartLead("Rivera")
			page := olivia.WaitFor(lead+"/offers", `.offers-grid input[name="offer.offerUuid"]`)
			variable := olivia.Send(payoffForm(page).With("rateType", "FLOATING"))
			id := variable.Find(`.offers-grid input[name="offer.offerUuid"]`).First().AttrOr("value", "")
			chosen := olivia.Send(payoffForm(variable).With("offer.offerUuid", id))
			chosen.WantText("The draw period of some of these offers isn’t known.", "rises afterward",
				"a month during the draw period, more afterward")
			grid := chosen.Find("main").Text()
			show := olivia.Get(chosen.Find(`a[href*="/show"]`).First().AttrOr("href", ""))
			show.WantText("a month at first", "a higher payment", "The payment rises when that period ends")
			for place, text := range map[string]string{"grid": grid, "borrower's page": show.Find("main").Text()} {
				for _, never := range []string{"Two payments", "Total interest$", "today’s rate$", "Balance over time",
					"month 1 vs."} {
					if strings.Contains(text, never) {
						t.Errorf("the %s says %q: %s", place, never, text)
					}
				}
			}
			if cell := chosen.Find(`.compare tbody tr:contains("Total interest") td.num`).First().
				Text(); strings.Contains(cell, "$") {
				t.Errorf("the comparison has a total: %q", cell)
			}
		})
	}
}
