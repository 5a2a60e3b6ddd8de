package e2e

import (
	"fmt"
	"testing"
)

// TestABlockedInquiryOnAPhone works the longest road of the sandbox, an SSN, then liens,
// then debts, then the offers and a document, with a thumb: the page is never loaded
// anew by hand, because each answer of the lender comes to the page by itself.
func TestABlockedInquiryOnAPhone(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := start(t, t.TempDir(), "SANDBOX_PROCESSING=1500ms")
	w := d.open(t)
	w.size(390, 844, true)
	w.signIn("olivia@summit.test")
	w.visit("/leads/new?sample=Rivera")
	w.fill("applicant.name.lastName", "Rivera-Match-Liens-Payoff")
	w.click("how they agreed", `input[name="consent.method"][value="recorded-call"]`)
	w.click("attest", `input[name="consent.attested"]`)
	w.click("send", `form[method="post"][action="/leads"] button.pri`)

	w.until("the SSN is needed", `document.title.startsWith("SSN needed")`)
	w.fill("applicant.ssn", "123-45-6789")
	w.shot("road-ssn-phone")
	w.fits("the SSN on a phone")
	w.click("send the SSN", `form[action$="/add-ssn"] button.pri`)

	w.until("liens are asked for", `document.title.startsWith("Verify liens")`)
	w.until("the detected liens stand there", `document.querySelector('[name="liens.1.lenderName"]')`)
	w.fill("liens.1.currentBalance", "0")
	w.shot("road-liens-phone")
	w.fits("liens on a phone")
	w.click("send the liens", `form[action$="/verify-liens"] button.pri`)

	w.until("debts are to be chosen", `document.title.startsWith("Payoff")`)
	w.until("the debts stand there", `document.querySelector('form[action$="/asset-depletion"] input[type=checkbox]:not([disabled])')`)
	w.click("a debt", `form[action$="/asset-depletion"] input[type=checkbox]:not([disabled])`)
	w.shot("road-payoff-phone")
	w.fits("debts on a phone")
	w.click("send the choice", `form[action$="/asset-depletion"] button.pri`)

	w.until("offers are ready", `document.title.startsWith("Offers ready")`)
	w.until("the offers stand here", `document.querySelector('input[name="offer.offerUuid"]')`)
	w.click("choose", `.cell:has(input[name="offer.offerUuid"])`)
	w.click("the borrower's word", `input[name="confirm.offer"]`)
	w.shot("road-offers-phone")
	w.fits("offers on a phone")
	w.click("select", `form[action$="/select-offer"] button.pri`)
	w.until("the borrower's move", `document.title.startsWith("Borrower sign-in")`)
	w.shot("road-borrower-phone")

	lead := w.address()
	w.visit(lead + "/documents")
	w.until("a document can be opened", fmt.Sprintf(`document.querySelector('a[href^=%q]')`, lead+"/documents/"))
	d.quiet(t)
}

// fill types into a control from its beginning, in place of what stands there.
func (w *window) fill(name, text string) {
	w.t.Helper()
	selector := fmt.Sprintf(`[name=%q]`, name)
	w.until(name, fmt.Sprintf(`document.querySelector(%q)`, selector))
	eval[bool](w, fmt.Sprintf(`(e => { e.focus(); e.select(); return true })(document.querySelector(%q))`, selector))
	w.keys(text)
}
