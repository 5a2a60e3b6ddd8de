package e2e

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// untilTold is how long a page may stand after its session was ended elsewhere: a heartbeat
// of its stream and the browser's way back to it, on a machine that does much else.
const untilTold = time.Minute

// endsOthers ends every session of a person but the one in which they ask for it.
func (d *demo) endsOthers(t *testing.T, person string) {
	t.Helper()
	p := d.signIn(t, person+"@summit.test")
	p.send(form{action: "/account/sessions/end-others", values: url.Values{}})
}

// TestAFrameWhoseSessionWasEndedElsewhere ends it while a note is being typed: by a press the
// frame is launched anew at once, and without one it is emptied by itself. Either way what
// was typed waits at the next launch of the record.
func TestAFrameWhoseSessionWasEndedElsewhere(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := start(t, t.TempDir())
	crm := d.crmURL(t)
	d.connected(t, crm, "jwt", "olivia")
	lead, _ := d.signIn(t, "olivia@summit.test").get("/leads?view=all").Find("a.nm").First().Attr("href")
	f := d.frames(t, cookiesAllowed)
	f.do("the record", chromedp.Navigate(crm+"/?mfa=yes&kind=jwt&record=D-1001"))
	f.press("Continue as", `#continue button`)
	f.within("the intake", `/\/leads\/new$/.test(location.pathname)`)
	types := func(text string) {
		t.Helper()
		read[bool](f, `location.replace(location.pathname.split("/").slice(0, 4).join("/") + "`+lead+`/activity") || true`)
		f.within("the note", `location.pathname.endsWith("/activity") && document.readyState === "complete" && document.querySelector('#form-note [name="note"]')`)
		f.put(`#form-note [name="note"]`, text)
	}
	again := func(text string) {
		t.Helper()
		within(t, untilTold, "the CRM opens the record again", func() bool {
			there, err := inFrame[bool](f, `document.body.innerText.includes("Continue as Olivia Bennett")`)
			return err == nil && there
		})
		f.press("Continue as", `#continue button`)
		f.says("Go on where you were")
		f.says(text)
	}
	types("She calls back on Monday")
	d.endsOthers(t, "olivia")
	// News of the lead may be refused first; then the frame is launched anew without a press.
	_, _ = inFrame[bool](f, `document.querySelector("#form-note button")?.click() || true`)
	again("She calls back on Monday")
	f.shot("embed-resume")
	f.press("send it", `#resume-form button.pri`)
	f.within("the lead", `location.pathname.endsWith("`+lead+`")`)

	types("Her gate code is on the fence")
	before := strings.Count(f.told(), "portal.expired")
	d.endsOthers(t, "olivia")
	began := time.Now()
	within(t, untilTold, "the CRM hears that the page leads on no more", func() bool { return strings.Count(f.told(), "portal.expired") > before })
	t.Logf("the CRM heard %s after", time.Since(began).Round(100*time.Millisecond))
	if text, err := inFrame[string](f, `document.body.innerHTML`); err == nil && strings.Contains(text, "gate code") {
		t.Errorf("what was typed still stands there")
	}
	again("Her gate code is on the fence")
}

// TestAPageWhoseSessionWasEndedElsewhere stands in the full desk.
func TestAPageWhoseSessionWasEndedElsewhere(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := start(t, t.TempDir())
	w := d.open(t)
	w.signIn("olivia@summit.test")
	lead, _ := d.signIn(t, "olivia@summit.test").get("/leads?view=all").Find("a.nm").First().Attr("href")
	w.visit(lead)
	d.endsOthers(t, "olivia")
	began := time.Now()
	within(t, untilTold, "an empty page, or the log-in where news of the lead was refused first", func() bool {
		return w.holds(`(document.title === "Signed out · Hearthline" || location.pathname === "/login") && !document.querySelector("#lead")`)
	})
	t.Logf("the page was emptied %s after its session was ended elsewhere", time.Since(began).Round(100*time.Millisecond))
}
