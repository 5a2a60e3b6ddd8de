package offers_test

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"hearthline/internal/heloc"
	"hearthline/web/webtest"
)

const chooseOffer = `form#select button:contains("Select offer")`

// TestOffers_NotQuotedForDraw_ShowTheirTerms opens the offers before a quote was requested, and requests one
// as a browser without scripts does.
func TestOffers_NotQuotedForDraw_ShowTheirTerms(t *testing.T) {
	t.Parallel()
	calls := &webtest.LenderCalls{}
	h := webtest.New(t, webtest.Options{LenderMiddleware: calls.Middleware})
	olivia := h.SignInAs("olivia")
	lead := olivia.StartLead("Rivera")
	page := olivia.WaitFor(lead+"/offers", `input[name="offer.offerUuid"]`)
	page.WantText("The lender provided these rates without a draw amount.",
		"To select an offer, get a quote for a net draw of $60,000.")
	if page.Find(chooseOffer).Length() != 0 {
		t.Error("an offer can be selected at rates that were not quoted for a draw")
	}
	if page.Find(`#quote[data-due]`).Length() != 1 || len(calls.CallsTo("calculate-offers")) != 0 {
		t.Error("the page does not request the quote by script, or waited for the lender")
	}
	if page.Find(`form#select button[form="quote"]:contains("Get quote")`).Length() != 1 {
		t.Error("there is no button for a quote")
	}
	quoted := olivia.Send(page.Form("form#quote"))
	quoted.WantText("The lender quoted these rates for a net draw of $60,000.")
	if quoted.Find(chooseOffer).Length() != 1 || quoted.Find(`#quote[data-due]`).Length() != 0 {
		t.Error("a quoted offer cannot be selected, or is requested again")
	}
	if strings.Contains(quoted.MainText(), "without a draw amount") {
		t.Error("the page says that quoted rates are not for the draw")
	}
	again := olivia.Get(lead + "/offers")
	again.WantText("The lender quoted these rates for a net draw of $60,000.")
	if other := olivia.Get(lead + "/offers?amount=70000"); other.Find(chooseOffer).Length() != 0 ||
		other.Find(`#quote[data-due]`).Length() != 1 {
		t.Error("another draw counts as quoted")
	}
	bad := olivia.Post(lead+"/calculate-offers", url.Values{"amount": {"fifty & some"}})
	if bad.Status != http.StatusUnprocessableEntity || bad.Find(`#quote[data-due]`).Length() != 0 {
		t.Errorf("got %d for an invalid amount, and a quote was requested", bad.Status)
	}
}

// TestSelectOffer_FiguresForAnotherDraw_FormRedisplayed posts forms that the page does not offer.
func TestSelectOffer_FiguresForAnotherDraw_FormRedisplayed(t *testing.T) {
	t.Parallel()
	calls := &webtest.LenderCalls{}
	h := webtest.New(t, webtest.Options{LenderMiddleware: calls.Middleware})
	olivia := h.SignInAs("olivia")
	lead := olivia.StartLead("Rivera")
	page := olivia.WaitFor(lead+"/offers", `input[name="offer.offerUuid"]`)
	quoted := olivia.Send(page.Form("form#quote"))
	id := quoted.Find(`input[name="offer.offerUuid"]`).First().AttrOr("value", "")
	form := quoted.Form("form#select").With("offer.offerUuid", id, "confirm.offer", "true")
	got := olivia.Send(form.With("offer.selectedOfferAmount", "70,000"))
	if got.Status != http.StatusUnprocessableEntity {
		t.Fatalf("got %d, want 422", got.Status)
	}
	got.WantText("This offer was quoted for $60,000. Get a quote for $70,000 first.")
	if values := got.Form("form#select").Values; values.Get("offer.selectedOfferAmount") != "70,000" ||
		values.Get("operation") != form.Values.Get("operation") {
		t.Errorf("the redisplayed form has %v", values)
	}
	other := olivia.Send(quoted.Form("form#select").With("offer.offerUuid", id, "confirm.offer", "true",
		"offer.selectedDiscounts", "AUTOPAY"))
	if other.Status != http.StatusUnprocessableEntity {
		t.Errorf("with another discount: got %d, want 422", other.Status)
	}
	// The offer in the details has another rate than the quote for this draw.
	stale := page.Form("form#select").With("offer.offerUuid", page.Find(`input[name="offer.offerUuid"]`).First().
		AttrOr("value", ""), "confirm.offer", "true")
	refused := olivia.Send(stale)
	if refused.Status != http.StatusUnprocessableEntity || len(calls.CallsTo("select-offer")) != 0 {
		t.Fatalf("got %d, and the lender got %d calls", refused.Status, len(calls.CallsTo("select-offer")))
	}
	refused.WantText("For $60,000 the lender quoted", "The lender quoted these rates for a net draw of $60,000.")
	if got := refused.Form("form#select").Values; got.Get("offer.offerUuid") != id || got.Get("confirm.offer") != "" {
		t.Errorf("the redisplayed form has %v, want the same terms as quoted, to be confirmed again", got)
	}
	if again := olivia.Send(refused.Form("form#select").With("confirm.offer", "true")); again.Path != lead {
		t.Errorf("the redisplayed form with a quoted offer: %d: %s", again.Status, again.MainText())
	}
}

// TestOffers_LenderDoesNotQuote_DetailsMayBeSelected uses the dialect without calculate-offers.
func TestOffers_LenderDoesNotQuote_DetailsMayBeSelected(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{Dialect: "live"})
	olivia := h.SignInAs("olivia")
	lead := olivia.StartLead("Rivera")
	page := olivia.WaitFor(lead+"/offers", `input[name="offer.offerUuid"]`)
	gone := olivia.Send(page.Form("form#quote"))
	gone.WantText("The lender provided these rates without a draw amount.")
	next := olivia.Get(lead + "/offers")
	for _, p := range []*webtest.Response{gone, next} {
		if p.Find(chooseOffer).Length() != 1 || p.Find(`#quote[data-due]`).Length() != 0 ||
			p.Find("#autoPayDiscountEnabled").Length() != 0 {
			t.Fatalf("with a lender that does not quote: %s", p.MainText())
		}
	}
	checked := olivia.Send(payoffForm(next).With("offer.selectedDiscounts", "AUTOPAY"))
	checked.WantText("The rates include our estimate of the autopay discount (−0.25). The lender sets the final rate.")
	form := checked.Form("form#select").With("offer.offerUuid", checked.Find(`input[name="offer.offerUuid"]`).First().
		AttrOr("value", ""), "confirm.offer", "true", "offer.selectedOfferAmount", "70,000")
	if got := form.Values["offer.selectedDiscounts"]; len(got) != 1 {
		t.Errorf("the form selects %v, want the discount", got)
	}
	if got := olivia.Send(form); got.Path != lead {
		t.Errorf("selecting: %d: %s", got.Status, got.MainText())
	}
}

// quoteAnswer is a middleware of the sandbox that gives its own answer about calculate-offers once
// it is switched on.
type quoteAnswer struct {
	on     atomic.Bool
	calls  atomic.Int64
	answer func(w http.ResponseWriter)
}

func (q *quoteAnswer) middleware(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "/calculate-offers") || !q.on.Load() {
			next.ServeHTTP(w, r)
			return
		}
		q.calls.Add(1)
		q.answer(w)
	})
}

func answerWithJSON(body string) func(http.ResponseWriter) {
	return func(w http.ResponseWriter) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, body)
	}
}

const noOffersAnswer = `{"requestUuid":"99999999-9999-4999-8999-999999999999","underwriting":{"offers":[]}}`

// TestOffers_LenderHasNoneForDraw_NotAskedAgain answers a quote with an empty list: the page
// must say so, and must not ask the same question again.
func TestOffers_LenderHasNoneForDraw_NotAskedAgain(t *testing.T) {
	t.Parallel()
	q := &quoteAnswer{answer: answerWithJSON(noOffersAnswer)}
	h := webtest.New(t, webtest.Options{LenderMiddleware: q.middleware})
	olivia := h.SignInAs("olivia")
	lead := olivia.StartLead("Rivera")
	page := olivia.WaitFor(lead+"/offers", `input[name="offer.offerUuid"]`)
	q.on.Store(true)
	answered := olivia.Send(page.Form("form#quote"))
	for name, p := range map[string]*webtest.Response{"the answer": answered,
		"the next page": olivia.Get(lead + "/offers")} {
		p.WantText("The lender has no offers for a net draw of $60,000.")
		if p.Find(`#quote[data-due]`).Length() != 0 || p.Find(chooseOffer).Length() != 0 {
			t.Errorf("%s: the same question is asked again, or an offer can be selected", name)
		}
		if text := p.MainText(); strings.Contains(text, "Getting a quote") ||
			strings.Contains(text, "get a quote for a net draw of $60,000") {
			t.Errorf("%s says that a quote is missing: %s", name, text)
		}
	}
	if other := olivia.Get(lead + "/offers?amount=70000"); other.Find(`#quote[data-due]`).Length() != 1 {
		t.Error("another draw is not asked about")
	}
	if n := q.calls.Load(); n != 1 {
		t.Errorf("the lender was asked %d times, want once", n)
	}
}

// TestSelectOffer_FormOfFirstPage_SelectsInOnePost fills in what the form shows, and nothing else.
func TestSelectOffer_FormOfFirstPage_SelectsInOnePost(t *testing.T) {
	t.Parallel()
	for _, dialect := range []string{"", "live"} {
		t.Run("dialect "+dialect, func(t *testing.T) {
			h := webtest.New(t, webtest.Options{Dialect: dialect})
			olivia := h.SignInAs("olivia")
			lead := olivia.StartLead("Rivera")
			page := olivia.WaitFor(lead, `input[name="offer.offerUuid"]`)
			if page.Find(`form#select input[name="confirm.offer"]`).Length() != 1 {
				t.Fatal("the form has no control for the borrower's confirmation")
			}
			id := page.Find(`input[name="offer.offerUuid"]`).First().AttrOr("value", "")
			if got := olivia.Send(page.Form("form#select").With("offer.offerUuid", id,
				"confirm.offer", "true")); got.Path != lead {
				t.Errorf("selecting: %d: %s", got.Status, got.MainText())
			}
		})
	}
}

// TestOffers_QuoteFails_DetailsMayBeSelected has a lender whose calculate-offers never works.
func TestOffers_QuoteFails_DetailsMayBeSelected(t *testing.T) {
	t.Parallel()
	status := func(code int) func(http.ResponseWriter) {
		return func(w http.ResponseWriter) { w.WriteHeader(code) }
	}
	for name, c := range map[string]struct {
		answer  func(http.ResponseWriter)
		missing bool // the lender does not have calculate-offers at all
	}{
		"405": {status(http.StatusMethodNotAllowed), true}, "501": {status(http.StatusNotImplemented), true},
		"400": {status(http.StatusBadRequest), false}, "403": {status(http.StatusForbidden), false},
		"messages": {answerWithJSON(`{"messages":[]}`), false},
	} {
		t.Run(name, func(t *testing.T) {
			q := &quoteAnswer{answer: c.answer}
			q.on.Store(true)
			h := webtest.New(t, webtest.Options{LenderMiddleware: q.middleware})
			olivia := h.SignInAs("olivia")
			lead := olivia.StartLead("Rivera")
			failed := olivia.Send(olivia.WaitFor(lead+"/offers", `input[name="offer.offerUuid"]`).Form("form#quote"))
			failed.WantText("The lender provided these rates without a draw amount.")
			if failed.Find(chooseOffer).Length() != 1 || failed.Find(`#quote[data-due]`).Length() != 0 {
				t.Fatalf("after a failed quote: %s", failed.MainText())
			}
			if said := failed.Find("#quote .quote-go span").Text(); said == "" {
				t.Error("the page does not say that the quote failed")
			}
			if due := olivia.Get(lead+"/offers").Find(`#quote[data-due]`).Length() == 1; due == c.missing {
				t.Errorf("got a quote asked for on the next page: %v, want %v", due, !c.missing)
			}
			id := failed.Find(`input[name="offer.offerUuid"]`).First().AttrOr("value", "")
			if got := olivia.Send(failed.Form("form#select").With("offer.offerUuid", id,
				"confirm.offer", "true")); got.Path != lead {
				t.Errorf("selecting: %d: %s", got.Status, got.MainText())
			}
		})
	}
}

// TestOffers_PinNotInQuote_HasNoFigures pins an offer, and gets a quote without its terms.
func TestOffers_PinNotInQuote_HasNoFigures(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	lead := olivia.StartLead("Rivera")
	page := olivia.WaitFor(lead+"/offers", `input[name="offer.offerUuid"]`)
	quoted := olivia.Send(page.Form("form#quote"))
	row := quoted.Find(".offers-grid tbody tr").First().Find(`input[name="pin"]`)
	pinned, within := row.First().AttrOr("value", ""), row.Last().AttrOr("value", "")
	fee := strings.TrimSuffix(quoted.Find(".offers-grid thead b").Last().Text(), "% fee")
	form := quoted.Form("form#quote").With("originationFee", fee)
	form.Values["pin"] = []string{pinned, within}
	filtered := olivia.Send(form)
	columns := filtered.Find("#pins thead th.num")
	if columns.Length() != 2 {
		t.Fatalf("got %d pinned columns, want both: %s", columns.Length(), filtered.Find("#pins").Text())
	}
	if text := columns.First().Text(); !strings.Contains(text, "not among these offers") {
		t.Errorf("the pin is shown as one of the quote: %q", text)
	}
	if figure := strings.TrimSpace(filtered.Find("#pins tr.main-figure td").First().Text()); figure != "—" {
		t.Errorf("it has the figure %q, want none", figure)
	}
	links := filtered.Find(`a[href*="/show"], a[href*="/offer-sheet"]`)
	if links.Length() == 0 {
		t.Fatal("the page has no link to the borrower's view")
	}
	for _, href := range links.Map(func(_ int, s *goquery.Selection) string { return s.AttrOr("href", "") }) {
		if got := olivia.Get(href); got.Status != http.StatusOK {
			t.Errorf("%s: got %d", href, got.Status)
		}
	}
}

// TestSelectOffer_EarlierOneMayHaveArrived_AsksOnce: the check that confirms a repeat is in the form from the start,
// also after the grid was priced again.
func TestSelectOffer_EarlierOneMayHaveArrived_AsksOnce(t *testing.T) {
	t.Parallel()
	var lost atomic.Bool
	h := webtest.New(t, webtest.Options{LenderMiddleware: func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, "/select-offer") && lost.CompareAndSwap(true, false) {
				panic(http.ErrAbortHandler)
			}
			next.ServeHTTP(w, r)
		})
	}})
	olivia := h.SignInAs("olivia")
	lead := olivia.StartLead("Rivera")
	page := olivia.WaitFor(lead+"/offers", `input[name="offer.offerUuid"]`)
	const repeat = `form#select input[name="confirm.repeat"]`
	if page.Find(repeat).Length() != 0 {
		t.Error("the first selection asks about a repeat")
	}
	id := page.Find(`input[name="offer.offerUuid"]`).First().AttrOr("value", "")
	lost.Store(true)
	receipt := olivia.Send(page.Form("form#select").With("offer.offerUuid", id, "confirm.offer", "true"))
	receipt = olivia.Get(receipt.Path)
	olivia.Send(receipt.Form(`form[action="`+receipt.Path+`"]`).With("reason", "Asked the lender",
		"confirm.abandon", "true"))

	page = olivia.Get(lead + "/offers")
	quoted := olivia.Send(page.Form("form#quote"))
	if page.Find(repeat).Length() != 1 || quoted.Find(repeat).Length() != 1 {
		t.Errorf("got %d and %d checks, want one each", page.Find(repeat).Length(), quoted.Find(repeat).Length())
	}
	refused := olivia.Send(page.Form("form#select").With("offer.offerUuid", id, "confirm.offer", "true"))
	if refused.Status != http.StatusUnprocessableEntity || refused.Find(repeat).Length() != 1 {
		t.Errorf("without the check: got %d with %d checks: %s", refused.Status, refused.Find(repeat).Length(),
			refused.MainText())
	}
	if got := olivia.Send(refused.Form("form#select").With("confirm.offer", "true",
		"confirm.repeat", "true")); got.Path != lead {
		t.Errorf("with the check: %d: %s", got.Status, got.Find(".error-summary, .err").Text())
	}
}

// TestSelectOffer_LaterOneUnknown_EarlierOneIsNotCurrent: nobody knows which of the two is selected.
func TestSelectOffer_LaterOneUnknown_EarlierOneIsNotCurrent(t *testing.T) {
	t.Parallel()
	var fails atomic.Bool
	h := webtest.New(t, webtest.Options{LenderMiddleware: func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, "/select-offer") && fails.Load() {
				http.Error(w, "unavailable", http.StatusServiceUnavailable)
				return
			}
			next.ServeHTTP(w, r)
		})
	}})
	olivia := h.SignInAs("olivia")
	lead := olivia.StartLead("Rivera")
	selectOffer := func(which func(*webtest.Selection) *webtest.Selection) {
		page := olivia.Send(olivia.WaitFor(lead+"/offers", `form#select`).Form("form#quote"))
		id := which(page.Find(`input[name="offer.offerUuid"]`)).AttrOr("value", "")
		olivia.Send(page.Form("form#select").With("offer.offerUuid", id, "confirm.offer", "true"))
	}
	selectOffer((*webtest.Selection).First)
	h.WaitUntil("the selection is the lender's", func() bool {
		l := h.LeadRow(heloc.AppID(strings.TrimPrefix(lead, "/leads/")))
		return l.Step == heloc.StepBorrowerAuth && l.PendingUntil == 0
	})
	olivia.Get(lead).WantText("Selected offer", "Select another offer")
	fails.Store(true)
	selectOffer((*webtest.Selection).Last)
	for _, path := range []string{lead, lead + "/offers"} {
		page := olivia.Get(path)
		page.WantText("It may have replaced this one.")
		if got := page.Find("#selected h2").Text(); got != "Earlier selection" {
			t.Errorf("%s: the panel is called %q", path, got)
		}
		for _, never := range []string{"elect another offer until", "Offer selection confirmed"} {
			if strings.Contains(page.MainText(), never) {
				t.Errorf("%s says %q", path, never)
			}
		}
	}
}
