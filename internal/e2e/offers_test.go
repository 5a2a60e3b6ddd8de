package e2e

import (
	"fmt"
	"testing"
)

// slowAnswers keeps every answer about 30,000 dollars until letGo is called, long after that
// of the question which follows, whatever the page does about the first: the network owes
// nobody an order.
const slowAnswers = `(() => {
	const real = window.fetch.bind(window);
	const kept = new Promise(done => { window.letGo = done; });
	window.asks = [];
	window.fetch = (address, options = {}) => {
		if (!String(address).includes("calculate-offers")) return real(address, options);
		const ask = {at: performance.now(), amount: new URLSearchParams(String(options.body)).get("amount"), answered: 0};
		window.asks.push(ask);
		const {signal, ...rest} = options;
		return real(address, rest).then(async r => {
			const text = await r.text();
			if (ask.amount === "30,000") await kept;
			ask.answered = performance.now();
			return Object.defineProperty(new Response(text, {status: r.status, headers: r.headers}), "url", {value: r.url});
		});
	};
	return true;
})()`

// drag moves the slider in steps, as a hand does, with a rest of so many milliseconds
// between them; it resolves when the hand lets go.
func (w *window) drag(from, to, step, rest int) {
	w.t.Helper()
	eval[bool](w, fmt.Sprintf(`(async () => {
		const range = document.getElementById("draw-range");
		for (let v = %d; v <= %d; v += %d) {
			range.value = v;
			range.dispatchEvent(new Event("input", {bubbles: true}));
			await new Promise(done => setTimeout(done, %d));
		}
		window.letGoOf = range.value;
		return true;
	})(), true`, from, to, step, rest))
	w.until("the hand lets go", fmt.Sprintf(`window.letGoOf === "%d"`, to))
}

// TestTheNewestQuestionHasTheLastWord drags the draw about.
func TestTheNewestQuestionHasTheLastWord(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := start(t, t.TempDir())
	w := d.open(t)
	w.signIn("olivia@summit.test")
	w.visit("/leads?view=offers")
	w.click("the first lead", `a.nm`)
	w.until("the grid", `document.querySelector(".cell")`)
	w.until("the page listens", `document.readyState === "complete" && document.querySelector("#quote[data-htmx-powered]")`)
	eval[bool](w, slowAnswers)

	const slow = `window.asks.filter(a => a.amount === "30,000")`
	w.drag(30_000, 30_000, 500, 0)
	w.until("the first question", slow+`.length > 0`)
	w.drag(42_000, 42_000, 500, 0)
	w.until("the second answer", `document.querySelector(".offers-grid caption").innerText.includes("$42,000")`)
	w.until("the first is on its way still", slow+`.every(a => !a.answered)`)
	eval[bool](w, `(window.letGo(), true)`)
	w.until("the first has come, and had its time", slow+`.every(a => a.answered && performance.now() - a.answered > 400)`)
	for what, holds := range map[string]string{
		"the grid is of the newest question": `document.querySelector(".offers-grid caption").innerText.includes("$42,000")`,
		"so is the slider":                   `document.getElementById("draw-range").value === "42000"`,
		"so is the amount":                   `document.getElementById("amount").value === "42,000"`,
		"so is what would be selected":       `document.querySelector('[name="offer.selectedOfferAmount"]').value === "42,000"`,
	} {
		if !eval[bool](w, "!!("+holds+")") {
			t.Errorf("not so: %s", what)
		}
	}

	// A restless hand: in no second are there more than four questions, and the last one asked
	// is for where it let go.
	eval[bool](w, `(window.asks.length = 0, true)`)
	w.drag(20_000, 23_000, 500, 400)
	w.drag(23_000, 60_000, 500, 20)
	w.until("the last answer", `document.querySelector(".offers-grid caption").innerText.includes("$60,000")`)
	if most := eval[int](w, `Math.max(...window.asks.map(a => window.asks.filter(b => b.at >= a.at && b.at < a.at + 1000).length))`); most > 4 {
		t.Errorf("got %d questions in one second, want at most four", most)
	}
	if got := eval[string](w, `window.asks.at(-1).amount`); got != "60,000" {
		t.Errorf("the last question is for %q, want 60,000", got)
	}
	d.quiet(t)
}

// TestDebtsArePlannedOnThePage ticks, types and reads: the sums follow by themselves, an
// empty answer leads back, and nothing was typed into an address.
func TestDebtsArePlannedOnThePage(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := start(t, t.TempDir())
	w := d.open(t)
	w.signIn("olivia@summit.test")
	w.visit("/leads/new?sample=Rivera")
	w.fill("applicant.name.lastName", "Rivera-Payoff")
	w.click("how they agreed", `input[name="consent.method"][value="recorded-call"]`)
	w.click("attest", `input[name="consent.attested"]`)
	w.click("send", `form[method="post"][action="/leads"] button.pri`)
	w.until("debts are to be chosen", `document.title.startsWith("Payoff")`)
	w.until("the debts stand there", `document.querySelector('form[action$="/asset-depletion"] input[type=checkbox]:not([disabled])')`)
	w.click("a debt", `form[action$="/asset-depletion"] input[type=checkbox]:not([disabled])`)
	w.click("send the choice", `form[action$="/asset-depletion"] button.pri`)
	w.until("offers are ready", `document.title.startsWith("Offers ready")`)
	w.until("the planner", `document.querySelector("#payoff-sums")`)

	const box = `#payoffs [name="offer.selectedAccountsToPayoff"]`
	w.click("choose", `tbody tr:nth-child(2) .cell`)
	w.until("the line beside today", `document.querySelector(".before").innerText.includes("in hand besides")`)
	w.fill("paysToday.0.amount", "388.5\t")
	w.until("before and after", `document.querySelector(".before").innerText.includes("$388.50 a month")`)
	w.click("another debt", box+`:not(:checked)`)
	w.until("no offers for that", `document.querySelector("#payoffs").innerText.includes("no offers that pay off exactly these debts")`)
	w.accessible("an empty answer")
	w.shot("payoff-empty")
	w.click("back", `#payoffs .note .btn`)
	w.until("the last good choice", fmt.Sprintf(`location.pathname.endsWith("/direct-debt-payoff-offers") && document.querySelectorAll(%q).length === 1`, box+":checked"))
	w.until("what was noted", `document.querySelector('[name="paysToday.0.amount"]').value === "388.50"`)
	w.click("choose again", `tbody tr:nth-child(2) .cell`)
	w.until("before and after", `document.querySelector(".before").innerText.includes("in hand besides")`)
	w.accessible("the planner")
	w.shot("payoff-planned")
	w.dark(true)
	w.accessible("the planner, dark")
	w.shot("payoff-planned-dark")
	w.dark(false)
	for _, width := range []int64{390, 320} {
		w.size(width, 844, true)
		w.fits(fmt.Sprintf("the planner at %d", width))
	}
	w.shot("payoff-planned-phone")
	w.size(1440, 1000, false)
	w.click("the borrower's word", `input[name="confirm.offer"]`)
	w.click("select", `form[action$="/select-offer"] button.pri`)
	w.until("the borrower's move", `document.title.startsWith("Borrower sign-in")`)

	lead := w.address()
	w.visit(lead + "/offers")
	w.says("Quotes kept")
	w.click("a quote of today", `#kept a`)
	w.says("Priced as of that day")
	eval[bool](w, `(document.addEventListener("htmx:after:swap", e => { if (e.detail.ctx.target.id === "lead") window.again = true; }), document.getElementById("lead").dispatchEvent(new CustomEvent("live")))`)
	w.until("an update of the lead", `window.again`)
	w.says("Priced as of that day")
	w.accessible("a quote as it was")
	w.shot("quote-kept")
	d.quiet(t)
}

// TestOffers_PageOpens_QuotesTheDrawShown keeps the answer of the lender back: the page does
// not wait for it, says what its rates belong to, and offers no selection until it is there.
func TestOffers_PageOpens_QuotesTheDrawShown(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := start(t, t.TempDir())
	w := d.open(t)
	w.signIn("olivia@summit.test")
	w.leadOf("Rivera", `.cell`)
	w.until("the quote", `document.querySelector("#source").innerText.includes("for a net draw of $60,000")`)
	w.until("the selection", `document.querySelector('form[action$="/select-offer"] button.pri')`)
	first := eval[string](w, `document.querySelector(".cell").innerText`)

	d.control("PUT", "faults", map[string]any{"latencyMs": 3000}, nil)
	eval[bool](w, `(() => { const r = document.getElementById("draw-range"); r.value = 150000; r.dispatchEvent(new Event("input", {bubbles: true})); return true; })()`)
	w.until("the answer for the other draw", `document.querySelector("#source").innerText.includes("for a net draw of $150,000")`)
	if got := eval[string](w, `document.querySelector(".cell").innerText`); got == first {
		t.Errorf("the figures are still %q", got)
	}
	lead := w.address()
	w.visit(lead + "/offers?amount=90000")
	w.holdsTrue("the page is there before the lender's answer", `document.querySelector("#source").innerText.includes("without naming a draw")`)
	w.holdsTrue("nothing can be selected", `!document.querySelector('form[action$="/select-offer"] button.pri')`)
	w.shot("offers-not-quoted")
	w.until("the quote for the draw of the page", `document.querySelector("#source").innerText.includes("for a net draw of $90,000")`)
	w.until("the selection", `document.querySelector('form[action$="/select-offer"] button.pri')`)
	w.click("credit union", `[name="offer.selectedDiscounts"][value="CREDIT_UNION"]`)
	w.until("the discount is quoted too", `document.querySelector("#source").innerText.includes("including the credit union discount") && document.getElementById("cuDiscountEnabled").checked`)
	w.accessible("offers for the draw")
	d.quiet(t)
}
