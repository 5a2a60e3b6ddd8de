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

// TestNobodyIsTrickedThroughAFrame attacks the embedded desk from pages around it. One
// browser serves all, each attack in a profile of its own.
func TestNobodyIsTrickedThroughAFrame(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := start(t, t.TempDir(), "SANDBOX_PROCESSING=500ms")
	a := newAttic(t, d)
	for _, person := range []string{"olivia", "marcus"} {
		raw := a.token(t, person, "0", nil)
		d.connects(t, d.signIn(t, person+"@summit.test"), form{action: d.url + "/launch/jwt/attic", values: url.Values{"launch_token": {raw}}})
	}
	host := d.frames(t, cookiesBlocked)
	for name, try := range map[string]func(*testing.T, framed){
		"a host that is not listed": a.foreigners, "launches that are no good": a.refuses, "somebody else's log-in": a.logsIn,
		"two records in two tabs": a.keepsApart, "a browser that cannot judge": a.carries,
	} {
		t.Run(name, func(t *testing.T) { try(t, framed{host.stranger(t)}) })
	}
}

// load opens a page of the attic, listed or not.
func (f framed) load(origin, path string) {
	f.t.Helper()
	f.do("the host", chromedp.Navigate(origin+path))
}

// foreigners frames a good launch from an origin that the attic has not listed.
func (a *attic) foreigners(t *testing.T, f framed) {
	f.load(a.foreign.URL, a.posting(a.token(t, "olivia", "1", nil), "desk"))
	within(t, step, "the browser refuses the frame", func() bool {
		blocked := false
		f.do("the frame", chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
			tree, err := cdp.Call(ctx, t, cdppage.GetFrameTree, cdp.Empty{})
			if err == nil && len(tree.FrameTree.ChildFrames) > 0 {
				blocked = strings.HasPrefix(tree.FrameTree.ChildFrames[0].Frame.URL, "chrome-error:")
			}
			return err
		}))
		return blocked
	})
	if said := f.told(); said != "" {
		t.Errorf("a page that may not frame was told %s", said)
	}
}

// refuses posts what is altered, old, used or meant for somebody else.
func (a *attic) refuses(t *testing.T, f framed) {
	good := a.token(t, "olivia", "1", nil)
	parts := strings.Split(good, ".")
	past := time.Now().Add(-time.Hour).Unix()
	for name, raw := range map[string]string{
		"altered": parts[0] + "." + parts[1] + "x." + parts[2], "unsigned": parts[0] + "." + parts[1] + ".",
		"expired":              a.token(t, "olivia", "1", map[string]any{"iat": past - 60, "exp": past}),
		"for another audience": a.token(t, "olivia", "1", map[string]any{"aud": a.d.url + "/launch/jwt/sample-jwt"}),
	} {
		f.load(a.server.URL, a.posting(raw, "desk"))
		f.within(name+" is refused", `document.body.innerText.length > 40 && !document.querySelector("#continue")`)
	}
	f.load(a.server.URL, a.posting(good, "desk"))
	f.says("Continue as Olivia Bennett")
	f.load(a.server.URL, a.posting(good, "desk"))
	f.within("posted again it is refused", `document.body.innerText.length > 40 && !document.querySelector("#continue")`)
	if got := f.cookies(); len(got) > 0 {
		t.Errorf("refused launches left %v", got)
	}
}

// logsIn is log-in CSRF: marcus's own launch is put before olivia, framed and on top, and a
// page of another site presses for her.
func (a *attic) logsIn(t *testing.T, f framed) {
	f.load(a.server.URL, a.posting(a.token(t, "marcus", "1", nil), "desk"))
	f.says("Continue as Marcus")
	f.load(a.foreign.URL, a.posting(a.token(t, "marcus", "1", nil), "_top"))
	f.until("on top it names who", `location.host !== "`+strings.TrimPrefix(a.foreign.URL, "http://")+`" && document.body.innerText.includes("Continue as Marcus")`)
	code := eval[string](f.window, `document.querySelector('#continue [name="code"]').value`)
	f.load(a.foreign.URL, a.page(launched{Action: a.d.url + "/e/attic/start", Name: "code", Value: code, Target: "_top"}))
	f.window.says("came from another site")
	if got := f.cookies(); len(got) > 0 {
		t.Errorf("nobody pressed, and the browser keeps %v", got)
	}
}

// keepsApart works two records in two tabs of one browser at once.
func (a *attic) keepsApart(t *testing.T, f framed) {
	tabs := map[string]framed{"71": f, "72": {f.tab(t)}}
	sample := sampleInquiry(t, a.d)
	for record, tab := range tabs {
		tab.load(a.server.URL, a.posting(a.token(t, "olivia", record, nil), "desk"))
		tab.press("Continue as", `#continue button`)
		tab.within("its intake", `document.querySelector('[name="applicant.name.lastName"]')?.value === "Of-`+record+`"`)
	}
	// What is typed beside one record is kept as that record's draft.
	tabs["71"].put(`[name="applicant.name.middleName"]`, "Seventyone")
	tabs["71"].within("it is saved", `/^Saved/.test(document.querySelector("[data-saved]").textContent)`)
	tabs["72"].fillIn(sample)
	tabs["72"].pressSeen("send the second", sendInquiry, `/\/leads\/[0-9a-f-]{36}$/.test(location.pathname)`)
	tabs["72"].says("Record Of-72")
	if said := tabs["71"].told(); strings.Contains(said, "portal.changed") {
		t.Errorf("the first tab was told of the second record: %s", said)
	}
	tabs["71"].press("this record", `.framebar nav a`)
	tabs["71"].within("the first record still has its own intake", `/leads\/new$/.test(location.pathname) && document.querySelector('[name="applicant.name.lastName"]')?.value === "Of-71"`)
	tabs["72"].press("this record", `.framebar nav a`)
	tabs["72"].within("the second its lead", `/\/leads\/[0-9a-f-]{36}$/.test(location.pathname) && document.body.innerText.includes("Record Of-72")`)
	if found := a.d.named("Of-71"); len(found) > 0 {
		t.Errorf("the first was started too: %v", found)
	}
}

// carries selects an offer where the browser cannot tell what lies over a button, as with
// Firefox and Safari today: the form goes along to a tab, and the frame follows.
func (a *attic) carries(t *testing.T, f framed) {
	f.do("a browser that cannot judge", chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, cdppage.AddScriptToEvaluateOnNewDocument, cdppage.AddScriptToEvaluateOnNewDocumentParams{
			Source: `delete IntersectionObserverEntry.prototype.isVisible; delete IntersectionObserver.prototype.trackVisibility`,
		})
		return err
	}))
	f.load(a.server.URL, a.posting(a.token(t, "olivia", "73", nil), "desk"))
	f.press("Continue as", `#continue button`)
	f.within("the intake", `document.querySelector('[name="applicant.name.lastName"]')?.value === "Of-73"`)
	f.fillIn(sampleInquiry(t, a.d))
	f.pressSeen("an inquiry is sent all the same", sendInquiry, `/\/leads\/[0-9a-f-]{36}$/.test(location.pathname)`)
	f.within("offers", `document.querySelectorAll('[name="offer.offerUuid"]').length > 3`)
	offer := read[string](f, `document.querySelectorAll('[name="offer.offerUuid"]')[3].value`)
	f.clickAfter("select", selectOffer, 900, fmt.Sprintf(`document.querySelector('[name="offer.offerUuid"][value=%q]').checked = true; document.querySelector('[name="confirm.offer"]').checked = true`, offer))
	f.says("goes along")
	f.shot("embed-carry")
	tab := f.opened("a window of its own", func() { f.press("go on there", `.beside a[target="_blank"]`) })
	tab.until("who is it?", `location.pathname === "/login"`)
	tab.do("log in",
		chromedp.SendKeys(chromedp.CSS(`input[name="email"]`), "olivia@summit.test"),
		chromedp.SendKeys(chromedp.CSS(`input[name="password"]`), password+"\r"),
	)
	tab.says("Nothing has been sent yet")
	tab.until("the offer is chosen", fmt.Sprintf(`document.querySelector('[name="offer.offerUuid"]:checked')?.value === %q`, offer))
	tab.shot("embed-carried")
	tab.click("the borrower's word", `input[name="confirm.offer"]`)
	tab.click("select", `form[action$="/select-offer"] button.pri`)
	tab.until("it is selected", `document.title.startsWith("Borrower sign-in") || document.title.startsWith("In progress")`)
	f.do("back to the CRM", chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, cdppage.BringToFront, cdp.Empty{})
		return err
	}))
	f.within("the frame follows", `document.title.startsWith("Borrower sign-in") && !document.querySelector(".beside")`)
}
