package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// slowResponses delays every response about 30,000 dollars until letGo is called, long after the response to the next
// request, even if the page aborts the first: networks guarantee no order.
const slowResponses = `(() => {
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

// drag moves the slider in steps, as a hand does, with a pause of rest milliseconds between them. It resolves when
// the slider is released.
func (w *window) drag(from, to, step, rest int) {
	w.t.Helper()
	evaluate[bool](w, fmt.Sprintf(`(async () => {
		const range = document.getElementById("draw-range");
		for (let v = %d; v <= %d; v += %d) {
			range.value = v;
			range.dispatchEvent(new Event("input", {bubbles: true}));
			await new Promise(done => setTimeout(done, %d));
		}
		window.letGoOf = range.value;
		return true;
	})(), true`, from, to, step, rest))
	w.waitUntil("the slider is released", fmt.Sprintf(`window.letGoOf === "%d"`, to))
}

// openOffers follows the overview's link to the offers and waits until one of them can be selected.
func (w *window) openOffers() {
	w.t.Helper()
	w.waitUntil("the overview has offers",
		`document.querySelector('#select input[name="offer.offerUuid"]') && document.readyState === "complete"`)
	w.click("open the offers", `#step a.btn.pri`)
	w.waitUntil("the quote", `document.querySelector('.cell input[name="offer.offerUuid"]') && `+
		`document.querySelector('button[name="confirm.offer"]')`)
}

// TestQuote_LatestRequestWins drags the draw slider.
func TestQuote_LatestRequestWins(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := startSeeded(t)
	w := d.openBrowser(t)
	w.signIn("olivia@summit.test")
	w.visit("/leads?view=offers")
	w.click("the first lead", `a.nm`)
	w.openOffers()
	w.waitUntil("the page is subscribed",
		`document.readyState === "complete" && document.querySelector("#quote[data-htmx-powered]")`)
	evaluate[bool](w, slowResponses)

	const slow = `window.asks.filter(a => a.amount === "30,000")`
	w.drag(30_000, 30_000, 500, 0)
	w.waitUntil("the first request", slow+`.length > 0`)
	w.drag(42_000, 42_000, 500, 0)
	w.waitUntil("the second response", `document.querySelector(".offers-grid caption").innerText.includes("$42,000")`)
	w.waitUntil("the first is still in flight", slow+`.every(a => !a.answered)`)
	evaluate[bool](w, `(window.letGo(), true)`)
	w.waitUntil("the first has arrived and had time to be processed",
		slow+`.every(a => a.answered && performance.now() - a.answered > 400)`)
	for what, holds := range map[string]string{
		"the grid shows the newest request": `document.querySelector(".offers-grid caption").innerText.includes("$42,000")`,
		"the slider shows it too":           `document.getElementById("draw-range").value === "42000"`,
		"the amount shows it too":           `document.getElementById("amount").value === "42,000"`,
		"the form would select it": `document.querySelector('[name="offer.selectedOfferAmount"]').value ` +
			`=== "42,000"`,
	} {
		if !evaluate[bool](w, "!!("+holds+")") {
			t.Errorf("not so: %s", what)
		}
	}

	// With constant movement there are at most four requests in any second, and the last one is for the final
	// position.
	evaluate[bool](w, `(window.asks.length = 0, true)`)
	w.drag(20_000, 23_000, 500, 400)
	w.drag(23_000, 60_000, 500, 20)
	w.waitUntil("the last response", `document.querySelector(".offers-grid caption").innerText.includes("$60,000")`)
	if most := evaluate[int](w,
		`Math.max(...window.asks.map(a => window.asks.filter(b => b.at >= a.at && b.at < a.at + 1000).length))`); most > 4 {
		t.Errorf("got %d requests in one second, want at most four", most)
	}
	if got := evaluate[string](w, `window.asks.at(-1).amount`); got != "60,000" {
		t.Errorf("the last request is for %q, want 60,000", got)
	}
	d.checkLogHasNoPII(t)
}

// TestPayoffPlanner_OnPage checks boxes, types and reads: the sums update without a reload, an empty result leads
// back, and no typed value appears in a URL.
func TestPayoffPlanner_OnPage(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := startSeeded(t)
	w := d.openBrowser(t)
	w.signIn("olivia@summit.test")
	w.visit("/leads/new?sample=Rivera")
	w.fill("applicant.name.lastName", "Rivera-Payoff")
	w.click("how they agreed", `input[name="consent.method"][value="recorded-call"]`)
	w.click("attest", `input[name="consent.attested"]`)
	w.click("send", `form[method="post"][action="/leads"] button.pri`)
	w.waitUntil("debts are required", `document.title.startsWith("Payoff")`)
	w.waitUntil("the debts are on the page",
		`document.querySelector('form[action$="/asset-depletion"] input[type=checkbox]:not([disabled])')`)
	w.click("a debt", `form[action$="/asset-depletion"] input[type=checkbox]:not([disabled])`)
	w.click("send the choice", `form[action$="/asset-depletion"] button.pri`)
	w.waitUntil("offers are ready", `document.title.startsWith("Offers ready")`)
	w.openOffers()
	w.waitUntil("the planner", `document.querySelector("#payoff-sums")`)

	const box = `#payoffs [name="offer.selectedAccountsToPayoff"]`
	w.click("choose", `tbody tr:nth-child(2) .cell`)
	w.click("the planner", `[popovertarget="payoffs"]`)
	w.waitUntil("the row for today", `document.querySelector(".before").innerText.includes("cash to the borrower")`)
	w.fill("paysToday.0.amount", "388.5\t")
	w.waitUntil("before and after", `document.querySelector(".before").innerText.includes("$388.50 a month")`)
	w.click("another debt", box+`:not(:checked)`)
	w.waitUntil("no offers for that",
		`document.querySelector("#payoffs").innerText.includes("no offers that pay off only these debts")`)
	w.checkAccessible("an empty answer")
	w.screenshot("payoff-empty")
	w.click("back", `#payoffs .note .btn`)
	w.waitUntil("the last good choice", fmt.Sprintf(`location.pathname.endsWith("/direct-debt-payoff-offers") && `+
		`document.querySelectorAll(%q).length === 1`, box+":checked"))
	w.waitUntil("what was saved", `document.querySelector('[name="paysToday.0.amount"]').value === "388.50"`)
	w.click("choose again", `tbody tr:nth-child(2) .cell`)
	w.click("the planner", `[popovertarget="payoffs"]`)
	w.waitUntil("before and after", `document.querySelector(".before").innerText.includes("cash to the borrower")`)
	w.checkAccessible("the planner")
	w.screenshot("payoff-planned")
	w.setDark(true)
	w.checkAccessible("the planner, dark")
	w.screenshot("payoff-planned-dark")
	w.setDark(false)
	for _, width := range []int64{390, 320} {
		w.setSize(width, 844, true)
		w.checkNoOverflow(fmt.Sprintf("the planner at %d", width))
	}
	w.screenshot("payoff-planned-phone")
	w.setSize(1440, 1000, false)
	w.click("done with the debts", `#payoffs [popovertargetaction]`)
	w.click("select", `form[action$="/select-offer"] button.pri`)
	w.waitUntil("the borrower's move", `document.title.startsWith("Borrower sign-in")`)

	lead := w.path()
	w.visit(lead + "/offers")
	w.waitForText("Quote history")
	w.click("a quote from today", `#kept a`)
	w.waitForText("Priced on that day")
	w.updateLead()
	w.waitForText("Priced on that day")
	w.checkAccessible("a quote as it was")
	w.screenshot("quote-kept")
	d.checkLogHasNoPII(t)
}

// TestOffers_PageOpens_QuotesTheDrawShown delays the lender's response: the page does not wait for it, says what its
// rates belong to, and offers no selection until it arrives.
func TestOffers_PageOpens_QuotesTheDrawShown(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := startSeeded(t)
	w := d.openBrowser(t)
	w.signIn("olivia@summit.test")
	w.leadOf("Rivera", `#step a.btn.pri`)
	w.openOffers()
	w.waitUntil("the quote", `document.querySelector("#source").innerText.includes("for a net draw of $60,000")`)
	w.waitUntil("the selection", `document.querySelector('form[action$="/select-offer"] button.pri')`)
	first := evaluate[string](w, `document.querySelector(".cell").innerText`)

	d.callControl("PUT", "faults", map[string]any{"latencyMs": 3000}, nil)
	evaluate[bool](w, `(() => { const r = document.getElementById("draw-range"); r.value = 150000; `+
		`r.dispatchEvent(new Event("input", {bubbles: true})); return true; })()`)
	w.waitUntil("the response for the other draw",
		`document.querySelector("#source").innerText.includes("for a net draw of $150,000")`)
	if got := evaluate[string](w, `document.querySelector(".cell").innerText`); got == first {
		t.Errorf("the figures are still %q", got)
	}
	path, _, _ := strings.Cut(w.path(), "?") // without what was just asked for
	w.visit(path + "?amount=90000")
	w.wantTrue("the page is there before the lender's response",
		`document.querySelector("#source").innerText.includes("without a draw amount")`)
	w.wantTrue("nothing can be selected", `!document.querySelector('form[action$="/select-offer"] button.pri')`)
	w.screenshot("offers-not-quoted")
	w.waitUntil("the quote for the page's draw",
		`document.querySelector("#source").innerText.includes("for a net draw of $90,000")`)
	w.waitUntil("the selection", `document.querySelector('form[action$="/select-offer"] button.pri')`)
	w.click("credit union", `#cuDiscountEnabled`)
	w.waitUntil("the discount is quoted too",
		`document.querySelector("#source").innerText.includes("including the credit union discount") && `+
			`document.querySelector('[name="offer.selectedDiscounts"]').value === "CREDIT_UNION"`)
	w.checkAccessible("offers for the draw")
	w.wantTrue("the figures of no other offer are shown as those of the chosen one", `(() => {
		document.querySelector(".cell input:not(:checked)").click();
		return document.querySelector("#strip").getAttribute("aria-busy") === "true";
	})()`)
	w.waitUntil("the figures of the chosen offer", `document.querySelector("#strip:not([aria-busy]) h3")`)
	d.checkLogHasNoPII(t)
}

// place is where a part of the page is in the window.
type place struct{ Top, Bottom float64 }

func (w *window) placeOf(selector string) place {
	w.t.Helper()
	return evaluate[place](w, fmt.Sprintf(`(r => ({Top: r.top, Bottom: `+
		`r.bottom}))(document.querySelector(%q).getBoundingClientRect())`, selector))
}

// TestOffers_LaptopScreen_GridAboveBar opens the offers on a small laptop: the grid is complete above the bar of the
// chosen offer, which is in view, and two presses without scrolling select an offer. What was confirmed is kept.
func TestOffers_LaptopScreen_GridAboveBar(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := startSeeded(t)
	w := d.openBrowser(t)
	w.signIn("olivia@summit.test")
	w.setSize(1366, 768, false)
	w.leadOf("Rivera", `#step a.btn.pri`)
	w.openOffers()
	bar, grid, selection := w.placeOf(".control-bar"), w.placeOf(".offers-grid"), w.placeOf(".selection-bar")
	if grid.Top < bar.Bottom || grid.Bottom > selection.Top || selection.Bottom > 768 {
		t.Errorf("the bar ends at %.0f, the grid is from %.0f to %.0f, and the selection from %.0f to %.0f",
			bar.Bottom, grid.Top, grid.Bottom, selection.Top, selection.Bottom)
	}
	w.clickInPlace("an offer", `.offers-grid tbody tr:nth-child(2) td:nth-of-type(2) .cell`)
	w.waitUntil("its sentence",
		`/^10 yr fixed, .*%, \$60,000 to the borrower, \$.* a month$/.test(document.querySelector(".sentence").innerText)`)
	sentence := evaluate[string](w, `document.querySelector(".sentence").innerText`)
	w.clickInPlace("select it", `form[action$="/select-offer"] button.pri`)
	w.waitUntil("the borrower's move", `document.title.startsWith("Borrower sign-in")`)
	w.visit(evaluate[string](w, `document.querySelector('a[href*="/operations/"]')?.getAttribute("href") ?? "/leads"`))
	w.waitForText(sentence)
	d.checkLogHasNoPII(t)
}

// TestOffers_KeysInGrid chooses, pins and selects an offer with the keyboard alone.
func TestOffers_KeysInGrid(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := startSeeded(t)
	w := d.openBrowser(t)
	w.signIn("olivia@summit.test")
	w.leadOf("Rivera", `#step a.btn.pri`)
	w.visit(w.path() + "/offers#choose")
	w.waitUntil("the quote", `document.querySelector('button[name="confirm.offer"]') && `+
		`document.activeElement.matches("#offers-grid input:not(:checked)")`)
	at := func(row, column int) string {
		return fmt.Sprintf(`document.activeElement === document.querySelector('.offers-grid tbody tr:nth-child(%d) `+
			`td:nth-of-type(%d) input[type="radio"]:checked')`, row, column)
	}
	for _, step := range []struct {
		key         string
		row, column int
	}{{kb.ArrowDown, 2, 1}, {kb.ArrowRight, 2, 2}, {kb.ArrowUp, 1, 2}, {kb.ArrowUp, 1, 2}, {kb.ArrowLeft, 1, 1},
		{kb.ArrowDown, 2, 1}} {
		w.keys(step.key)
		w.waitUntil(fmt.Sprintf("row %d, column %d", step.row, step.column), at(step.row, step.column))
	}
	w.keys("p")
	w.waitUntil("it is pinned", `document.querySelector("#pins header").innerText.includes("1 of 4 pinned")`)
	w.waitUntil("the place in the grid is kept", at(2, 1))
	w.keys(kb.Enter)
	w.waitUntil("the borrower's move", `document.title.startsWith("Borrower sign-in")`)
}
