package e2e

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestSampleCRM_DeskActs_ListChanges connects the sample CRM as its first user does, and starts an inquiry in the frame
// of a record: the open list shows the offers and a task, and later the end, without a reload.
func TestSampleCRM_DeskActs_ListChanges(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := startSeeded(t, "SANDBOX_PROCESSING=500ms")
	crm := d.crmURL(t)
	f := d.openFrameBrowser(t, cookiesBlocked)
	f.run("the record", chromedp.Navigate(crm+"/record?record=D-1001"))
	f.waitForText("Connect Sample CRM (token)")
	outside := f.waitForTab("a tab to connect it", func() { f.mouseClick("connect it", `a[target="_blank"]`) })
	outside.waitUntil("the sign-in page", `location.pathname === "/login"`)
	outside.typeInto(`input[name="email"]`, "olivia@summit.test")
	outside.typeInto(`input[name="password"]`, password+"\r")
	outside.waitUntil("the confirmation", `document.querySelector('#connecting input[name="match"]')`)
	f.confirmOutside(outside)
	list := f.newTab(t)
	list.run("the list", chromedp.Navigate(crm+"/"))
	list.waitForText("No inquiry")
	f.frameUntil("the intake",
		`/\/leads\/new$/.test(location.pathname) && document.querySelector('[name="applicant.name.lastName"]').value`)
	f.fillMissing(sampleInquiry(t, d))
	f.clickUntilDone("send", sendInquiry, `/\/leads\/[0-9a-f-]{36}$/.test(location.pathname)`)
	app := mustEvaluate[string](f, `location.pathname.split("/").pop()`)
	list.waitUntil("offers in the list",
		`document.querySelector('[data-lead="`+app+`"]')?.innerText.includes("Offers ready")`)
	list.waitUntil("one task", `document.querySelectorAll("#tasks form").length === 1 && `+
		`document.querySelector("#tasks").innerText.includes("Elena Rivera")`)
	checkCRMPage(list, "sample-crm-list")
	record := f.newTab(t)
	record.run("the record", chromedp.Navigate(crm+"/record?record=D-1001"))
	record.waitUntil("the frame", `document.querySelector("iframe")`)
	checkCRMPage(record, "sample-crm-record")

	olivia := d.signIn(t, "olivia@summit.test")
	olivia.send(olivia.get("/leads/"+app).form("#form-cancel").with("confirm.cancel", "true"))
	list.waitUntil("its end in the list", `document.querySelector('[data-lead="`+app+`"]').innerText.includes("Canceled")`)
	before := evaluate[string](list, `document.querySelector("#list").innerText`)
	// an event may replace the list and the tasks between finding a button and clicking it
	evaluate[bool](list, `window.old = true, document.querySelector('form[action="/rebuild"] button').click(), true`)
	list.waitUntil("the same list", `!window.old && document.readyState === "complete" && `+
		`document.querySelector("#list").innerText === `+
		"`"+before+"`")
	list.waitUntil("the task", `(done => done && (done.click(), true))(document.querySelector("#tasks button"))`)
	list.waitUntil("no task", `document.querySelector("#tasks").innerText.startsWith("None")`)
	list.run("the log", chromedp.Navigate(crm+"/log"))
	list.waitUntil("the events", `["test", "lead.started", "lead.offers_ready", "lead.ended"].every(kind => `+
		`document.querySelector("#log").innerText.includes(kind))`)
	checkCRMPage(list, "sample-crm-log")
	if text := list.text(); strings.Contains(text, "Rivera") {
		t.Errorf("the log has a name: %s", text)
	}
}

// checkCRMPage checks a page of the sample CRM on a wide screen and on a phone, light and dark.
func checkCRMPage(w *window, name string) {
	w.t.Helper()
	for _, dark := range []bool{false, true} {
		w.setDark(dark)
		w.setSize(1440, 900, false)
		w.screenshot(name + map[bool]string{true: "-dark"}[dark])
		w.setSize(390, 844, true)
		w.screenshot(name + "-390" + map[bool]string{true: "-dark"}[dark])
		w.checkAccessible(name)
		w.checkNoOverflow(name)
	}
	w.setDark(false)
}
