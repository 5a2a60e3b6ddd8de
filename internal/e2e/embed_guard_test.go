package e2e

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// TestEmbed_Attacks_Fail attacks the embedded desk from pages around it. All attacks use one browser, each with a
// separate profile.
func TestEmbed_Attacks_Fail(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := startSeeded(t, "SANDBOX_PROCESSING=500ms")
	a := newHostileCRM(t, d)
	for _, person := range []string{"olivia", "marcus"} {
		raw := a.token(t, person, "0", nil)
		d.connectLaunch(t, d.signIn(t, person+"@summit.test"),
			form{action: d.url + "/launch/jwt/hostile", values: url.Values{"launch_token": {raw}}})
	}
	host := d.openFrameBrowser(t, cookiesBlocked)
	for name, try := range map[string]func(*testing.T, embedFrame){
		"an unlisted host": a.checkUnlistedOrigin, "invalid launches": a.checkRejectedLaunches,
		"another user's sign-in": a.checkSignInCSRF, "two records in two tabs": a.checkSeparateRecords,
		"a browser that cannot check visibility": a.checkSelectInNewTab,
	} {
		t.Run(name, func(t *testing.T) { try(t, embedFrame{host.incognito(t)}) })
	}
}

// load opens a page of the hostile CRM, from its listed or unlisted origin.
func (f embedFrame) load(origin, path string) {
	f.t.Helper()
	f.run("the host", chromedp.Navigate(origin+path))
}

// checkUnlistedOrigin frames a valid launch from an origin that the CRM has not listed.
func (h *hostileCRM) checkUnlistedOrigin(t *testing.T, f embedFrame) {
	f.load(h.foreign.URL, h.launchPage(h.token(t, "olivia", "1", nil), "desk"))
	waitFor(t, stepTimeout, "the browser refuses the frame", func() bool {
		blocked := false
		f.run("the frame", chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
			tree, err := cdp.Call(ctx, t, cdppage.GetFrameTree, cdp.Empty{})
			if err == nil && len(tree.FrameTree.ChildFrames) > 0 {
				blocked = strings.HasPrefix(tree.FrameTree.ChildFrames[0].Frame.URL, "chrome-error:")
			}
			return err
		}))
		return blocked
	})
	if messages := f.hostMessages(); messages != "" {
		t.Errorf("a page that may not frame the desk got %s", messages)
	}
}

// checkRejectedLaunches posts launches that are modified, expired, used or meant for another portal.
func (h *hostileCRM) checkRejectedLaunches(t *testing.T, f embedFrame) {
	good := h.token(t, "olivia", "1", nil)
	parts := strings.Split(good, ".")
	past := time.Now().Add(-time.Hour).Unix()
	for name, raw := range map[string]string{
		"altered": parts[0] + "." + parts[1] + "x." + parts[2], "unsigned": parts[0] + "." + parts[1] + ".",
		"expired":              h.token(t, "olivia", "1", map[string]any{"iat": past - 60, "exp": past}),
		"for another audience": h.token(t, "olivia", "1", map[string]any{"aud": h.demo.url + "/launch/jwt/sample-jwt"}),
	} {
		f.load(h.server.URL, h.launchPage(raw, "desk"))
		f.frameUntil(name+" is refused", `document.body.innerText.length > 40 && !document.querySelector("#continue")`)
	}
	f.load(h.server.URL, h.launchPage(good, "desk"))
	f.waitForText("Continue as Olivia Bennett")
	f.load(h.server.URL, h.launchPage(good, "desk"))
	f.frameUntil("a second POST is refused", `document.body.innerText.length > 40 && !document.querySelector("#continue")`)
	if got := f.cookies(); len(got) > 0 {
		t.Errorf("rejected launches left %v", got)
	}
}

// checkSignInCSRF attempts login CSRF: olivia's browser gets marcus's own launch, in a frame and on top, and a page
// of another site continues it for her.
func (h *hostileCRM) checkSignInCSRF(t *testing.T, f embedFrame) {
	f.load(h.server.URL, h.launchPage(h.token(t, "marcus", "1", nil), "desk"))
	f.waitForText("Continue as Marcus")
	f.load(h.foreign.URL, h.launchPage(h.token(t, "marcus", "1", nil), "_top"))
	f.waitUntil("on top it names the user", `location.host !== "`+strings.TrimPrefix(h.foreign.URL, "http://")+
		`" && document.body.innerText.includes("Continue as Marcus")`)
	code := evaluate[string](f.window, `document.querySelector('#continue [name="code"]').value`)
	f.load(h.foreign.URL, h.addPage(launchPost{Action: h.demo.url + "/e/hostile/start", Name: "code", Value: code,
		Target: "_top"}))
	f.window.waitForText("came from another site")
	if got := f.cookies(); len(got) > 0 {
		t.Errorf("nobody continued, but the browser has %v", got)
	}
}

// checkSeparateRecords works on two records at once, in two tabs of one browser.
func (h *hostileCRM) checkSeparateRecords(t *testing.T, f embedFrame) {
	tabs := map[string]embedFrame{"71": f, "72": {f.newTab(t)}}
	sample := sampleInquiry(t, h.demo)
	for _, record := range []string{"71", "72"} {
		tab := tabs[record]
		tab.load(h.server.URL, h.launchPage(h.token(t, "olivia", record, nil), "desk"))
		if record == "71" {
			tab.mouseClick("Continue as", `#continue button`)
		}
		tab.frameUntil("its intake", `document.querySelector('[name="applicant.name.lastName"]')?.value === "Of-`+record+`"`)
	}
	// What is typed beside one record is saved as that record's draft.
	tabs["71"].setValue(`[name="applicant.name.middleName"]`, "Seventyone")
	tabs["71"].frameUntil("the draft is saved", `/^Saved/.test(document.querySelector("[data-saved]").textContent)`)
	tabs["72"].fillMissing(sample)
	tabs["72"].clickUntilDone("send the second", sendInquiry, `/\/leads\/[0-9a-f-]{36}$/.test(location.pathname)`)
	tabs["72"].waitForText("Record Of-72")
	if messages := tabs["71"].hostMessages(); strings.Contains(messages, "portal.changed") {
		t.Errorf("the first tab got a message about the second record: %s", messages)
	}
	tabs["71"].mouseClick("this record", `.framebar nav a`)
	tabs["71"].frameUntil("the first record still has its own intake", `/leads\/new$/.test(location.pathname) && `+
		`document.querySelector('[name="applicant.name.lastName"]')?.value === "Of-71"`)
	tabs["72"].mouseClick("this record", `.framebar nav a`)
	tabs["72"].frameUntil("the second record has its lead",
		`/\/leads\/[0-9a-f-]{36}$/.test(location.pathname) && document.body.innerText.includes("Record Of-72")`)
	if found := h.demo.inquiriesByLastName("Of-71"); len(found) > 0 {
		t.Errorf("the first was started too: %v", found)
	}
}

// checkSelectInNewTab selects an offer in a browser that cannot tell whether a button is covered, like Firefox and
// Safari today: the form moves to a tab, and updates automatically.
func (h *hostileCRM) checkSelectInNewTab(t *testing.T, f embedFrame) {
	f.run("a browser that cannot check visibility", chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, cdppage.AddScriptToEvaluateOnNewDocument, cdppage.AddScriptToEvaluateOnNewDocumentParams{
			Source: `delete IntersectionObserverEntry.prototype.isVisible; ` +
				`delete IntersectionObserver.prototype.trackVisibility`,
		})
		return err
	}))
	f.load(h.server.URL, h.launchPage(h.token(t, "olivia", "73", nil), "desk"))
	f.mouseClick("Continue as", `#continue button`)
	f.frameUntil("the intake", `document.querySelector('[name="applicant.name.lastName"]')?.value === "Of-73"`)
	f.fillMissing(sampleInquiry(t, h.demo))
	f.clickUntilDone("an inquiry is sent anyway", sendInquiry, `/\/leads\/[0-9a-f-]{36}$/.test(location.pathname)`)
	f.frameUntil("offers", `document.querySelectorAll('[name="offer.offerUuid"]').length > 3`)
	f.openOffers()
	offer := mustEvaluate[string](f, `document.querySelectorAll('[name="offer.offerUuid"]')[3].value`)
	f.chooseOffer(3)
	f.clickAfter("select", selectOffer, 900)
	f.waitForText("carried over")
	f.screenshot("embed-carry")
	tab := f.waitForTab("a separate window", func() { f.mouseClick("continue there", `.beside a[target="_blank"]`) })
	tab.waitUntil("the sign-in page", `location.pathname === "/login"`)
	tab.typeInto(`input[name="email"]`, "olivia@summit.test")
	tab.typeInto(`input[name="password"]`, password+"\r")
	tab.waitForText("Nothing has been sent yet")
	tab.waitUntil("the offer is chosen",
		fmt.Sprintf(`document.querySelector('[name="offer.offerUuid"]:checked')?.value === %q`, offer))
	tab.screenshot("embed-carried")
	tab.click("select", `form[action$="/select-offer"] button.pri`)
	tab.waitUntil("the offer is selected",
		`document.title.startsWith("Borrower sign-in") || document.title.startsWith("In progress")`)
	f.run("back to the CRM", chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, cdppage.BringToFront, cdp.Empty{})
		return err
	}))
	f.frameUntil("updates automatically",
		`document.title.startsWith("Borrower sign-in") && !document.querySelector(".beside")`)
}
