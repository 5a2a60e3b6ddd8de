package e2e

import (
	"fmt"
	"testing"
)

// TestBlockedInquiry_OnPhone resolves the sandbox's longest sequence of blocked steps with a phone: an SSN, then
// liens, then debts, then the offers and a document. It never reloads the page: every answer of the lender must
// update it.
func TestBlockedInquiry_OnPhone(t *testing.T) {
	chromium(t)
	t.Parallel()
	sent, env := recordedLender(t)
	d := startSeeded(t, append(env, "SANDBOX_PROCESSING=1500ms")...)
	w := d.openBrowser(t)
	w.recordForms()
	w.setSize(390, 844, true)
	w.signIn("olivia@summit.test")
	w.visit("/leads/new?sample=Rivera")
	w.fill("applicant.name.lastName", "Rivera-Match-Liens-Payoff")
	w.click("how they agreed", `input[name="consent.method"][value="recorded-call"]`)
	w.click("attest", `input[name="consent.attested"]`)
	w.click("send", `form[method="post"][action="/leads"] button.pri`)

	w.waitUntil("the SSN is required", `document.title.startsWith("SSN needed")`)
	w.fill("applicant.ssn", "123-45-6789")
	w.screenshot("road-ssn-phone")
	w.checkNoOverflow("the SSN on a phone")
	w.click("send the SSN", `form[action$="/add-ssn"] button.pri`)

	w.waitUntil("liens are required", `document.title.startsWith("Verify liens")`)
	w.waitUntil("the detected liens are on the page", `document.querySelector('[name="liens.1.lenderName"]')`)
	w.fill("liens.1.currentBalance", "0")
	w.screenshot("road-liens-phone")
	w.checkNoOverflow("liens on a phone")
	w.click("send the liens", `form[action$="/verify-liens"] button.pri`)

	w.waitUntil("debts are required", `document.title.startsWith("Payoff")`)
	w.waitUntil("the debts are on the page",
		`document.querySelector('form[action$="/asset-depletion"] input[type=checkbox]:not([disabled])')`)
	w.click("a debt", `form[action$="/asset-depletion"] input[type=checkbox]:not([disabled])`)
	w.screenshot("road-payoff-phone")
	w.checkNoOverflow("debts on a phone")
	w.click("send the choice", `form[action$="/asset-depletion"] button.pri`)

	w.waitUntil("offers are ready", `document.title.startsWith("Offers ready")`)
	w.openOffers()
	w.click("choose", `.cell:has(input[name="offer.offerUuid"])`)
	w.screenshot("road-offers-phone")
	w.checkNoOverflow("offers on a phone")
	w.click("select", `form[action$="/select-offer"] button.pri`)
	w.waitUntil("the borrower's move", `document.title.startsWith("Borrower sign-in")`)
	w.screenshot("road-borrower-phone")
	w.checkSentFields(sent.Take(), "start", "add-ssn", "verify-liens", "asset-depletion", "select-offer")

	lead := w.path()
	w.visit(lead + "/documents")
	w.waitUntil("a document can be opened", fmt.Sprintf(`document.querySelector('a[href^=%q]')`, lead+"/documents/"))
	d.checkLogHasNoPII(t)
}

// typeInto types into a control by keyboard. It waits for the page to be complete, because a control of a page that is
// being replaced loses what is typed.
func (w *window) typeInto(selector, text string) {
	w.t.Helper()
	w.waitUntil(selector, fmt.Sprintf(`document.readyState === "complete" && document.querySelector(%q)`, selector))
	evaluate[bool](w, fmt.Sprintf(`(document.querySelector(%q).focus(), true)`, selector))
	w.keys(text)
}

// fill replaces the value of a control by typing.
func (w *window) fill(name, text string) {
	w.t.Helper()
	selector := fmt.Sprintf(`[name=%q]`, name)
	w.waitUntil(name, fmt.Sprintf(`document.querySelector(%q)`, selector))
	evaluate[bool](w, fmt.Sprintf(`(e => { e.focus(); e.select(); return true })(document.querySelector(%q))`, selector))
	w.keys(text)
}
