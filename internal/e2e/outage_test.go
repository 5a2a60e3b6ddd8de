package e2e

import "testing"

// TestOutage_OpenForm_PausesAndResumes types into a form, takes the lender offline and brings it back. The page is
// never loaded again, and what was typed can be sent.
func TestOutage_OpenForm_PausesAndResumes(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := startSeeded(t)
	w := d.openBrowser(t)
	w.signIn("olivia@summit.test")
	w.leadOf("Rivera-Value", `form[action$="/add-property-estimate"]`)
	w.waitUntil("the page is subscribed",
		`document.readyState === "complete" && document.querySelector("#demo-bar[data-htmx-powered]")`)
	evaluate[bool](w, `(window.sameDocument = true)`)
	const (
		value = `document.querySelector('[name="propertyEstimate.borrowerEstimatedValue"]').value`
		send  = `document.querySelector('form[action$="/add-property-estimate"] button[data-sends]')`
	)
	w.fill("propertyEstimate.borrowerEstimatedValue", "612,000")
	w.click("offline", `.demobar button[value="down"]`)
	w.waitUntil("the lender is offline", `document.querySelector('.demobar button[value="up"]')`)
	w.click("refresh", `form[action$="/refresh"] button`)
	w.waitUntil("sending is paused", send+`.disabled && `+send+`.innerText === "Sending is paused"`)
	w.waitUntil("the banner says so", `document.querySelector("#lender").innerText.includes("Sending is paused")`)
	w.wantTrue("the entry is kept", value+` === "612,000"`)
	w.checkAccessible("paused")
	w.screenshot("paused")
	w.click("online", `.demobar button[value="up"]`)
	w.waitUntil("sending works again",
		`!`+send+`.disabled && !document.querySelector("#lender").innerText.includes("paused")`)
	w.wantTrue("the entry is kept", value+` === "612,000"`)
	w.wantTrue("the page was never loaded again", "window.sameDocument")
	w.click("send", `form[action$="/add-property-estimate"] button.pri`)
	w.waitUntil("offers are ready", `document.querySelector('input[name="offer.offerUuid"]')`)
	d.checkLogHasNoPII(t)
}
