package e2e

import (
	"strings"
	"testing"
)

// TestDemoBar_FollowsLead_WithoutReload takes a lead from the selection to the application with the bar, on a phone,
// and never loads the page again.
func TestDemoBar_FollowsLead_WithoutReload(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := startSeeded(t)
	w := d.openBrowser(t)
	w.setSize(390, 844, true)
	w.signIn("olivia@summit.test")
	w.leadOf("Rivera-Frozen", `.demobar button[value="thaw"]`)
	w.waitUntil("the page is subscribed",
		`document.readyState === "complete" && document.querySelector("#demo-bar[data-htmx-powered]")`)
	evaluate[bool](w, `(window.sameDocument = true)`)
	w.click("thaw", `.demobar button[value="thaw"]`)
	w.waitUntil("the bar says what happened",
		`document.querySelector("#demo-bar").innerText.includes("The borrower lifted the credit freeze.")`)
	w.waitUntil("nothing is frozen any more", `!document.querySelector('.demobar button[value="thaw"]')`)
	w.click("offline", `.demobar button[value="down"]`)
	w.waitUntil("the lender is offline", `document.querySelector('.demobar button[value="up"]')`)
	w.click("online", `.demobar button[value="up"]`)
	w.waitUntil("the lender is online", `document.querySelector('.demobar button[value="down"]')`)

	// What another user does reaches the bar too.
	elsewhere := d.signIn(t, "olivia@summit.test")
	elsewhere.send(elsewhere.get(w.path()).form(`form[action$="/repull-credit"]`).with("consent.attested", "true",
		"consent.method", "recorded-call"))
	w.waitUntil("offers are ready", `document.querySelector('input[name="offer.offerUuid"]')`)
	d.playEvent(strings.TrimPrefix(w.path(), "/leads/"), "decline")
	w.waitUntil("the inquiry has ended for the bar",
		`document.querySelector("#demo-bar").innerText.includes("nothing left to simulate")`)
	w.wantTrue("the page was never loaded again", "window.sameDocument")
	w.checkAccessible("demo bar")
	d.checkLogHasNoPII(t)
}
