package e2e

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// TestACRMsWordAlone stays at the list without names until the person has confirmed in a
// window of their own; the frame learns of it by itself. The first use is connected there
// too, by letters that are typed.
func TestACRMsWordAlone(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := start(t, t.TempDir())
	address := d.crmURL(t) + "/?kind=hubspot&record=D-1002"
	f := d.frames(t, cookiesBlocked)
	f.size(430, 900, false)
	f.do("the CRM", chromedp.Navigate(address))
	f.says("Connect Sample CRM (HubSpot) once")
	f.shot("embed-connect-430")
	outside := f.opened("a tab to connect it", func() { f.press("connect it", `a[target="_blank"]`) })
	outside.until("who is it?", `location.pathname === "/login"`)
	outside.do("log in",
		chromedp.SendKeys(chromedp.CSS(`input[name="email"]`), "olivia@summit.test"),
		chromedp.SendKeys(chromedp.CSS(`input[name="password"]`), password+"\r"),
	)
	outside.until("the question", `document.querySelector('#connecting input[name="match"]')`)
	f.proves(outside)

	// Connecting was a proof for that launch. The next one is the CRM's word alone.
	alone := framed{f.stranger(t)}
	alone.size(430, 900, false)
	alone.do("the CRM", chromedp.Navigate(address))
	alone.press("Continue as", `#continue button`)
	alone.says("Confirm it is you")
	alone.shot("embed-confirm-430")
	alone.press("the bell", `.framebar .bell`)
	alone.within("one's own notifications", `/\/notifications$/.test(location.pathname)`)
	alone.press("my leads", `.framebar nav a:nth-child(2)`)
	alone.within("the list, masked", `document.body.innerText.includes("•••")`)
	alone.shot("embed-list-430")
	alone.press("this record", `.framebar nav a`)
	alone.within("the question again", `document.querySelector("#confirm a")`)
	outside.visit(read[string](alone, `document.querySelector("#confirm a").getAttribute("href")`))
	outside.shot("embed-connect")
	alone.proves(outside)
	alone.within("the intake comes by itself", `/\/leads\/new$/.test(location.pathname) && document.querySelector('[name="applicant.name.lastName"]').value === "Whitfield-Liens"`)
	alone.shot("embed-intake-430")
}

// proves types the letters of the frame into the page outside.
func (f framed) proves(outside *window) {
	f.t.Helper()
	letters := read[string](f, `document.querySelector(".letters").textContent.trim()`)
	outside.do("the letters", chromedp.SendKeys(chromedp.CSS(`input[name="match"]`), letters))
	outside.click("confirm", `#connecting button.pri`)
	outside.says("Go back to Sample CRM")
}
