package e2e

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestActivation_ByMailLink reads a mail of the demo and sets up the account.
func TestActivation_ByMailLink(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := startDemo(t, seededFolder(t))
	w := d.openBrowser(t)
	w.visit("/reset")
	w.typeInto(`#ask input[name="email"]`, "marcus@summit.test\r")
	w.waitForText("Check your email")
	waitFor(t, stepTimeout, "the mail", func() bool {
		w.visit("/outbox")
		return w.isTrue(`!!document.querySelector('.outbox a[href^="/reset#"]')`)
	})
	w.click("the link", `.outbox a[href^="/reset#"]`)
	w.waitUntil("the form for a new password", `document.querySelector('#set-up') && location.hash === ""`)
	w.checkAccessible("set up")
	w.typeInto(`#set-up input[name="password"]`, "another lantern in the orchard\r")
	w.waitForText("Your password was changed")
	w.typeInto(`input[name="email"]`, "marcus@summit.test")
	w.typeInto(`input[name="password"]`, "another lantern in the orchard\r")
	w.waitUntil("the pipeline", `location.pathname === "/leads"`)
}

// TestSessionExpiry_KeepsTypedText makes the page believe that its session is about to end.
func TestSessionExpiry_KeepsTypedText(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := startDemo(t, seededFolder(t))
	w := d.openBrowser(t)
	w.signIn("olivia@summit.test")
	lead, _ := d.signIn(t, "olivia@summit.test").get("/leads?view=all").Find("a.nm").First().Attr("href")
	w.visit(lead + "/activity")
	w.typeInto(`form[action$="/note"] textarea`, "She calls back on Monday")
	w.run("the expiry is near", chromedp.Evaluate[chromedp.Void](`document.dispatchEvent(new Event('ending'))`))
	waitFor(t, stepTimeout, "the browser has a token", func() bool { return w.hasCookie("pre-held") })
	w.run("sign out", chromedp.Evaluate[chromedp.Void](`document.querySelector('form[action="/logout"]').requestSubmit()`))
	w.waitUntil("the sign-in page", `location.pathname === "/login"`)
	w.typeInto(`input[name="email"]`, "olivia@summit.test")
	w.typeInto(`input[name="password"]`, password+"\r")
	w.waitForText("Continue where you left off")
	w.waitForText("She calls back on Monday")
	w.checkAccessible("resume")
	w.screenshot("resume")
	w.click("send it", `#resume-form button.pri`)
	w.waitUntil("the lead", `location.pathname === "`+lead+`"`)
}

// TestPage_SessionExpiry makes a page believe that its session has ended. If another tab has renewed the session, the
// page asks the server and continues; without a network it is cleared.
func TestPage_SessionExpiry(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := startDemo(t, seededFolder(t))
	w := d.openBrowser(t)
	w.signIn("olivia@summit.test")
	lead, _ := d.signIn(t, "olivia@summit.test").get("/leads?view=all").Find("a.nm").First().Attr("href")
	w.visit(lead + "/activity")
	note := `form[action$="/note"] textarea`
	w.typeInto(note, "Half a sentence")
	// A fragment's response tells the page when its session ends; here that is now.
	overdue := `(() => {
		const ctx = {response: {headers: new Headers({'Session-Expires': String(Date.now())})}};
		document.dispatchEvent(new CustomEvent('htmx:after:request', {detail: {ctx}}));
	})()`
	// again and again, because a response on its way may renew the session
	w.run("the expiry that this tab knows", chromedp.Evaluate[chromedp.Void](`window.asked = 0;
		const fetched = window.fetch;
		window.fetch = (...a) => fetched(...a).finally(() => { window.asked++; clearInterval(window.expiring); });
		window.expiring = setInterval(() => `+overdue+`, 100);`))
	w.waitUntil("the page has asked the server", `window.asked >= 1`)
	w.waitUntil("the typed text is still there", `document.querySelector('`+note+`').value === "Half a sentence"`)
	// A response that was in flight when the network failed may still renew the session, so the expiry is repeated
	// until all responses have arrived.
	w.run("disconnect the network", chromedp.Evaluate[chromedp.Void](`window.fetch = () =>
		Promise.reject(new TypeError('no network'));
		window.ending = setInterval(() => `+overdue+`, 100);`))
	w.waitUntil("an empty page",
		`document.body.innerText.includes("You’re signed out") && !document.querySelector('`+note+`')`)
	if html := evaluate[string](w, `document.documentElement.outerHTML`); strings.Contains(html, "Half a sentence") {
		t.Error("the typed text is still on the cleared page")
	}
}
