package e2e

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// sessionEndTimeout limits how long a page may remain after its session was ended elsewhere: a heartbeat of its
// stream and the browser's reconnect, on a busy machine.
const sessionEndTimeout = time.Minute

// endOtherSessions ends every session of a user except the one that requests it.
func (d *demo) endOtherSessions(t *testing.T, person string) {
	t.Helper()
	p := d.signIn(t, person+"@summit.test")
	p.send(form{action: "/account/sessions/end-others", values: url.Values{}})
}

// TestEmbed_SessionEndedElsewhere_KeepsTypedText ends the session while the user is typing a note. If the user
// submits, the frame launches again immediately; if not, it clears itself. Either way the typed text is offered at
// the record's next launch.
func TestEmbed_SessionEndedElsewhere_KeepsTypedText(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := startDemo(t, seededFolder(t))
	crm := d.crmURL(t)
	d.connectCRM(t, crm, "jwt", "olivia")
	lead, _ := d.signIn(t, "olivia@summit.test").get("/leads?view=all").Find("a.nm").First().Attr("href")
	f := d.openFrameBrowser(t, cookiesAllowed)
	f.run("the record", chromedp.Navigate(crm+"/record?mfa=yes&kind=jwt&record=D-1001"))
	f.mouseClick("Continue as", `#continue button`)
	f.frameUntil("the intake", `/\/leads\/new$/.test(location.pathname)`)
	types := func(text string) {
		t.Helper()
		mustEvaluate[bool](f,
			`location.replace(location.pathname.split("/").slice(0, 4).join("/") + "`+lead+`/activity") || true`)
		f.frameUntil("the note", `location.pathname.endsWith("/activity") && document.readyState === "complete" && `+
			`document.querySelector('#form-note [name="note"]')`)
		f.setValue(`#form-note [name="note"]`, text)
	}
	again := func(text string) {
		t.Helper()
		waitFor(t, sessionEndTimeout, "the CRM opens the record again", func() bool {
			there, err := evaluateInFrame[bool](f, `document.body.innerText.includes("Continue as Olivia Bennett")`)
			return err == nil && there
		})
		f.mouseClick("Continue as", `#continue button`)
		f.waitForText("Continue where you left off")
		f.waitForText(text)
	}
	types("She calls back on Monday")
	d.endOtherSessions(t, "olivia")
	// The server may first refuse an update of the lead; then the frame launches again without a click.
	_, _ = evaluateInFrame[bool](f, `document.querySelector("#form-note button")?.click() || true`)
	again("She calls back on Monday")
	f.screenshot("embed-resume")
	f.mouseClick("send it", `#resume-form button.pri`)
	f.frameUntil("the lead", `location.pathname.endsWith("`+lead+`")`)

	types("Her gate code is on the fence")
	before := strings.Count(f.hostMessages(), "portal.expired")
	d.endOtherSessions(t, "olivia")
	began := time.Now()
	waitFor(t, sessionEndTimeout, "the CRM is notified that the page has expired",
		func() bool { return strings.Count(f.hostMessages(), "portal.expired") > before })
	t.Logf("the CRM was notified %s later", time.Since(began).Round(100*time.Millisecond))
	if text, err := evaluateInFrame[string](f, `document.body.innerHTML`); err == nil &&
		strings.Contains(text, "gate code") {
		t.Errorf("the typed text is still on the page")
	}
	again("Her gate code is on the fence")
}

// TestPage_SessionEndedElsewhere does the same in the full desk.
func TestPage_SessionEndedElsewhere(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := startDemo(t, seededFolder(t))
	w := d.openBrowser(t)
	w.signIn("olivia@summit.test")
	lead, _ := d.signIn(t, "olivia@summit.test").get("/leads?view=all").Find("a.nm").First().Attr("href")
	w.visit(lead)
	d.endOtherSessions(t, "olivia")
	began := time.Now()
	waitFor(t, sessionEndTimeout, "an empty page, or the sign-in page if an update was refused first", func() bool {
		return w.isTrue(`(document.title === "Signed out · Hearthline" || location.pathname === "/login") && ` +
			`!document.querySelector("#lead")`)
	})
	t.Logf("the page was cleared %s after its session was ended elsewhere", time.Since(began).Round(100*time.Millisecond))
}
