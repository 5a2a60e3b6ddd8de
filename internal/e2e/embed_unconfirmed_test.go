package e2e

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// TestEmbed_Unconfirmed_HasNoNames remains on the list without names until the user has stepped up in a separate
// window; the frame then updates without a reload. The first launch is connected there too, with a match code that
// the user types, and continues.
func TestEmbed_Unconfirmed_HasNoNames(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := startSeeded(t)
	address := d.crmURL(t) + "/record?kind=hubspot&record=D-1002"
	f := d.openFrameBrowser(t, cookiesBlocked)
	f.setSize(430, 900, false)
	f.run("the CRM", chromedp.Navigate(address))
	f.waitForText("Connect Sample CRM (HubSpot)")
	f.screenshot("embed-connect-430")
	outside := f.waitForTab("a tab to connect it", func() { f.mouseClick("connect it", `a[target="_blank"]`) })
	outside.waitUntil("the sign-in page", `location.pathname === "/login"`)
	outside.typeInto(`input[name="email"]`, "olivia@summit.test")
	outside.typeInto(`input[name="password"]`, password+"\r")
	outside.waitUntil("the confirmation", `document.querySelector('#connecting input[name="match"]')`)
	f.confirmOutside(outside)
	// Connecting counted as a step-up for that launch, which continues without a click. For the next one, only the CRM
	// vouches.
	f.frameUntil("the intake", `/\/leads\/new$/.test(location.pathname)`)
	alone := embedFrame{f.incognito(t)}
	alone.setSize(430, 900, false)
	alone.run("the CRM", chromedp.Navigate(address))
	alone.mouseClick("Continue as", `#continue button`)
	alone.waitForText("Confirm it’s you")
	alone.screenshot("embed-confirm-430")
	alone.mouseClick("the bell", `.framebar .bell`)
	alone.frameUntil("the user's notifications", `/\/notifications$/.test(location.pathname)`)
	alone.mouseClick("my leads", `.framebar nav a:nth-child(2)`)
	alone.frameUntil("the list, masked", `document.body.innerText.includes("•••")`)
	alone.screenshot("embed-list-430")
	alone.mouseClick("this record", `.framebar nav a`)
	alone.frameUntil("the confirmation again", `document.querySelector("#confirm a")`)
	outside = f.newTab(t)
	outside.visit(mustEvaluate[string](alone, `document.querySelector("#confirm a").getAttribute("href")`))
	outside.screenshot("embed-connect")
	alone.confirmOutside(outside)
	alone.frameUntil("the intake appears without a reload", `/\/leads\/new$/.test(location.pathname) && `+
		`document.querySelector('[name="applicant.name.lastName"]').value === "Whitfield-Liens"`)
	alone.screenshot("embed-intake-430")
}

// confirmOutside types the frame's match code into the page outside, which then closes itself.
func (f embedFrame) confirmOutside(outside *window) {
	f.t.Helper()
	code := mustEvaluate[string](f, `document.querySelector(".letters").textContent.trim()`)
	outside.typeInto(`input[name="match"]`, code)
	outside.click("confirm", `#connecting button.pri`)
}
