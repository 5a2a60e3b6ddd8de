package e2e

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestALinkFromAMailOpensByItself reads a mail of the demo and sets the account up.
func TestALinkFromAMailOpensByItself(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := start(t, t.TempDir())
	w := d.open(t)
	w.visit("/reset")
	w.do("ask", chromedp.SendKeys(chromedp.CSS(`#ask input[name="email"]`), "marcus@summit.test\r"))
	w.says("Look at your mail")
	within(t, step, "the mail", func() bool {
		w.visit("/outbox")
		return w.holds(`!!document.querySelector('.outbox a[href^="/reset#"]')`)
	})
	w.click("the link", `.outbox a[href^="/reset#"]`)
	w.until("the form for another password", `document.querySelector('#set-up') && location.hash === ""`)
	w.accessible("set up")
	w.do("choose", chromedp.SendKeys(chromedp.CSS(`#set-up input[name="password"]`), "another lantern in the orchard\r"))
	w.says("Your password is changed")
	w.do("log in",
		chromedp.SendKeys(chromedp.CSS(`input[name="email"]`), "marcus@summit.test"),
		chromedp.SendKeys(chromedp.CSS(`input[name="password"]`), "another lantern in the orchard\r"),
	)
	w.until("the pipeline", `location.pathname === "/leads"`)
}

// TestWhatIsTypedWaitsBehindTheLogIn lets the page believe that its session ends.
func TestWhatIsTypedWaitsBehindTheLogIn(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := start(t, t.TempDir())
	w := d.open(t)
	w.signIn("olivia@summit.test")
	lead, _ := d.signIn(t, "olivia@summit.test").get("/leads?view=all").Find("a.nm").First().Attr("href")
	w.visit(lead + "/activity")
	w.do("type", chromedp.SendKeys(chromedp.CSS(`form[action$="/note"] textarea`), "She calls back on Monday"))
	w.do("the end comes near", chromedp.Evaluate[chromedp.Void](`document.dispatchEvent(new Event('ending'))`))
	within(t, step, "the browser keeps a token", func() bool { return w.hasCookie("pre-held") })
	w.do("sign out", chromedp.Evaluate[chromedp.Void](`document.querySelector('form[action="/logout"]').requestSubmit()`))
	w.until("the log-in page", `location.pathname === "/login"`)
	w.do("log in",
		chromedp.SendKeys(chromedp.CSS(`input[name="email"]`), "olivia@summit.test"),
		chromedp.SendKeys(chromedp.CSS(`input[name="password"]`), password+"\r"),
	)
	w.says("Go on where you were")
	w.says("She calls back on Monday")
	w.accessible("resume")
	w.shot("resume")
	w.click("send it", `#resume-form button.pri`)
	w.until("the lead", `location.pathname === "`+lead+`"`)
}

// TestAPageEndsWithItsSessionAndNotBefore lets a page believe that its time is over: while
// another tab keeps the session it asks and goes on, and without a network it is emptied.
func TestAPageEndsWithItsSessionAndNotBefore(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := start(t, t.TempDir())
	w := d.open(t)
	w.signIn("olivia@summit.test")
	lead, _ := d.signIn(t, "olivia@summit.test").get("/leads?view=all").Find("a.nm").First().Attr("href")
	w.visit(lead + "/activity")
	note := `form[action$="/note"] textarea`
	w.do("type", chromedp.SendKeys(chromedp.CSS(note), "Half a sentence"))
	// A fragment's answer tells the page when its session ends; here that is now.
	overdue := `(() => {
		const ctx = {response: {headers: new Headers({'Session-Expires': String(Date.now())})}};
		document.dispatchEvent(new CustomEvent('htmx:after:request', {detail: {ctx}}));
	})()`
	w.do("the end, as this tab knows it", chromedp.Evaluate[chromedp.Void](`window.asked = 0;
		const fetched = window.fetch;
		window.fetch = (...a) => fetched(...a).finally(() => { window.asked++; });`+overdue))
	w.until("it has asked", `window.asked >= 1`)
	w.until("what was typed still stands", `document.querySelector('`+note+`').value === "Half a sentence"`)
	// An answer that was under way when the network went may still renew: so the end is told
	// again until all of them are in.
	w.do("the network goes", chromedp.Evaluate[chromedp.Void](`window.fetch = () => Promise.reject(new TypeError('no network'));
		window.ending = setInterval(() => `+overdue+`, 100);`))
	w.until("an empty page", `document.body.innerText.includes("You have been signed out") && !document.querySelector('`+note+`')`)
	if left := eval[string](w, `document.documentElement.outerHTML`); strings.Contains(left, "Half a sentence") {
		t.Error("what was typed stands in the emptied page")
	}
}
