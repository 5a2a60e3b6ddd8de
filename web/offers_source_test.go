package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

const chooseOffer = `form#select button:contains("Select this offer")`

// TestOffers_NotQuotedForDraw_ShowTheirTerms opens the offers before a quote was requested, and requests one
// as a browser without scripts does.
func TestOffers_NotQuotedForDraw_ShowTheirTerms(t *testing.T) {
	calls := &lenderCalls{}
	h := newHarness(t, harnessOptions{lenderMiddleware: calls.middleware})
	olivia := h.signInAs("olivia")
	lead := olivia.startLead("Rivera")
	page := olivia.waitFor(lead, `input[name="offer.offerUuid"]`)
	page.wantText("The lender gave these rates without naming a draw.", "To select an offer, get a quote for a net draw of $60,000.")
	if page.Find(chooseOffer).Length() != 0 {
		t.Error("an offer can be selected at rates that were not quoted for a draw")
	}
	if page.Find(`#quote[data-due]`).Length() != 1 || len(calls.callsTo("calculate-offers")) != 0 {
		t.Error("the page does not request the quote by script, or waited for the lender")
	}
	if page.Find(`form#select button[form="quote"]:contains("Get quote")`).Length() != 1 {
		t.Error("there is no button for a quote")
	}
	quoted := olivia.send(page.form("form#quote"))
	quoted.wantText("The lender quoted these rates for a net draw of $60,000.")
	if quoted.Find(chooseOffer).Length() != 1 || quoted.Find(`#quote[data-due]`).Length() != 0 {
		t.Error("a quoted offer cannot be selected, or is requested again")
	}
	if strings.Contains(quoted.text(), "without naming a draw") {
		t.Error("the page says that quoted rates are not for the draw")
	}
	again := olivia.get(lead + "/offers")
	again.wantText("The lender quoted these rates for a net draw of $60,000.")
	if other := olivia.get(lead + "/offers?amount=70000"); other.Find(chooseOffer).Length() != 0 || other.Find(`#quote[data-due]`).Length() != 1 {
		t.Error("another draw counts as quoted")
	}
	bad := olivia.post(lead+"/calculate-offers", url.Values{"amount": {"fifty & some"}})
	if bad.status != http.StatusUnprocessableEntity || bad.Find(`#quote[data-due]`).Length() != 0 {
		t.Errorf("got %d for an invalid amount, and a quote was requested", bad.status)
	}
}

// TestSelectOffer_FiguresForAnotherDraw_FormRedisplayed posts forms that the page does not offer.
func TestSelectOffer_FiguresForAnotherDraw_FormRedisplayed(t *testing.T) {
	calls := &lenderCalls{}
	h := newHarness(t, harnessOptions{lenderMiddleware: calls.middleware})
	olivia := h.signInAs("olivia")
	lead := olivia.startLead("Rivera")
	page := olivia.waitFor(lead, `input[name="offer.offerUuid"]`)
	quoted := olivia.send(page.form("form#quote"))
	id := quoted.Find(`input[name="offer.offerUuid"]`).First().AttrOr("value", "")
	form := quoted.form("form#select").with("offer.offerUuid", id, "confirm.offer", "true")
	got := olivia.send(form.with("offer.selectedOfferAmount", "70,000"))
	if got.status != http.StatusUnprocessableEntity {
		t.Fatalf("got %d, want 422", got.status)
	}
	got.wantText("This offer was quoted for $60,000. Get a quote for $70,000 first.")
	if values := got.form("form#select").values; values.Get("offer.selectedOfferAmount") != "70,000" || values.Get("operation") != form.values.Get("operation") {
		t.Errorf("the redisplayed form has %v", values)
	}
	other := olivia.send(quoted.form("form#select").with("offer.offerUuid", id, "confirm.offer", "true", "offer.selectedDiscounts", "AUTOPAY"))
	if other.status != http.StatusUnprocessableEntity {
		t.Errorf("with another discount: got %d, want 422", other.status)
	}
	// The offer in the details has another rate than the quote for this draw.
	stale := page.form("form#select").with("offer.offerUuid", page.Find(`input[name="offer.offerUuid"]`).First().AttrOr("value", ""), "confirm.offer", "true")
	refused := olivia.send(stale)
	if refused.status != http.StatusUnprocessableEntity || len(calls.callsTo("select-offer")) != 0 {
		t.Fatalf("got %d, and the lender got %d calls", refused.status, len(calls.callsTo("select-offer")))
	}
	refused.wantText("For $60,000 the lender quoted", "The lender quoted these rates for a net draw of $60,000.")
	if got := refused.form("form#select").values; got.Get("offer.offerUuid") != id || got.Get("confirm.offer") != "" {
		t.Errorf("the redisplayed form has %v, want the same terms as quoted, to be confirmed again", got)
	}
	if again := olivia.send(refused.form("form#select").with("confirm.offer", "true")); again.path != lead {
		t.Errorf("the redisplayed form with a quoted offer: %d: %s", again.status, again.text())
	}
}

// TestOffers_LenderDoesNotQuote_DetailsMayBeSelected uses the dialect without calculate-offers.
func TestOffers_LenderDoesNotQuote_DetailsMayBeSelected(t *testing.T) {
	h := newHarness(t, harnessOptions{dialect: "live"})
	olivia := h.signInAs("olivia")
	lead := olivia.startLead("Rivera")
	page := olivia.waitFor(lead, `input[name="offer.offerUuid"]`)
	gone := olivia.send(page.form("form#quote"))
	gone.wantText("The lender gave these rates without naming a draw.")
	next := olivia.get(lead)
	for _, p := range []*response{gone, next} {
		if p.Find(chooseOffer).Length() != 1 || p.Find(`#quote[data-due]`).Length() != 0 || p.Find("#autoPayDiscountEnabled").Length() != 0 {
			t.Fatalf("with a lender that does not quote: %s", p.text())
		}
	}
	checked := olivia.send(next.payoffForm().with("offer.selectedDiscounts", "AUTOPAY"))
	checked.wantText("The figures above do not include the autopay discount.", "The lender sets the final rate and payment.")
	form := checked.form("form#select").with("offer.offerUuid", checked.Find(`input[name="offer.offerUuid"]`).First().AttrOr("value", ""), "confirm.offer", "true", "offer.selectedOfferAmount", "70,000")
	if got := form.values["offer.selectedDiscounts"]; len(got) != 1 {
		t.Errorf("the form selects %v, want the discount", got)
	}
	if got := olivia.send(form); got.path != lead {
		t.Errorf("selecting: %d: %s", got.status, got.text())
	}
}
