package e2e

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/chromedp"

	"hearthline/views/help"
)

// addHostPage adds the help's own page around a frame that launches with a token and records each message, and returns
// its path.
func (h *hostileCRM) addHostPage(token string) string {
	folder := "/" + rand.Text()
	own := strings.NewReplacer(
		"https://desk.example/launch/jwt/acme", h.demo.url+"/launch/jwt/hostile", "https://desk.example", h.demo.url,
		`token-url="/hearthline/token?type=contact&amp;id=51"`, `token="`+token+`"`,
	)
	h.host.Store(folder+"/page.html", `<!doctype html><title>Host</title><script>globalThis.told = []; `+
		`addEventListener("message", e => told.push(e.data))</script>`+own.Replace(help.Sample("page.html").Text))
	return folder + "/page.html"
}

// openHostBrowser opens a browser with visible scrollbars, as most users have. Only Chromium itself has a clipboard.
func (d *demo) openHostBrowser(t *testing.T, find func() (string, error)) (embedFrame, *hostileCRM) {
	t.Helper()
	a := newHostileCRM(t, d)
	raw := a.token(t, "olivia", "0", nil)
	d.connectLaunch(t, d.signIn(t, "olivia@summit.test"),
		form{action: d.url + "/launch/jwt/hostile", values: url.Values{"launch_token": {raw}}})
	f := embedFrame{d.openOwnBrowser(t, find, cookiesAllowed, chromedp.Flag("hide-scrollbars", false),
		chromedp.Flag("disable-site-isolation-trials", true),
		chromedp.Flag("disable-features", "IsolateOrigins,site-per-process,OverlayScrollbar"))}
	return f, a
}

// openIntake opens a record in the help's page and continues to its intake.
func (f embedFrame) openIntake(a *hostileCRM, record string) (base string) {
	f.t.Helper()
	f.run("the host", chromedp.Navigate(a.server.URL+a.addHostPage(a.token(f.t, "olivia", record, nil))))
	f.mouseClick("Continue as", `#continue button`)
	f.frameUntil("the intake", `document.readyState === "complete" && document.querySelector("form#intake")`)
	return strings.TrimSuffix(mustEvaluate[string](f, `location.pathname`), "/leads/new")
}

// navigate loads a page of the desk into the frame.
func (f embedFrame) navigate(path string) {
	f.t.Helper()
	_, _ = evaluateInFrame[bool](f, fmt.Sprintf(`location.replace(%q) || true`, path))
	f.frameUntil(path, fmt.Sprintf(`location.pathname === %q && document.readyState === "complete" && `+
		`document.querySelector("main")`, strings.SplitN(path, "?", 2)[0]))
}

// TestFrameHeight_ScrollbarsSeen_Settles: the height of the frame must settle at every width. It could loop, because
// each change shows or hides a scrollbar.
func TestFrameHeight_ScrollbarsSeen_Settles(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := startSeeded(t)
	f, a := d.openHostBrowser(t, findHeadless)
	base := f.openIntake(a, "91")
	if bar := evaluate[int](f.window, `(() => { const el = document.createElement("div");
		el.style.cssText = "overflow:scroll;width:100px;height:50px"; document.body.append(el);
		const w = el.offsetWidth - el.clientWidth; el.remove(); return w })()`); bar == 0 {
		t.Fatal("the browser shows no scrollbars, so nothing is tested")
	}
	lead, _ := d.signIn(t, "olivia@summit.test").get("/leads?view=offers").Find("a.nm").First().Attr("href")
	for _, page := range []string{"/leads/new", lead, lead + "/offers", "/leads?view=all"} {
		f.navigate(base + page)
		for width := 300; width <= 760; width += 46 {
			// The browser paints the frames of a page in sequence: after twenty frames without a message the height
			// has settled. A loop sends a message at least every second frame.
			got := evaluateAwaited[float64](f, fmt.Sprintf(`(async () => {
				const desk = document.querySelector("iframe"), frame = () => new Promise(r => requestAnimationFrame(r));
				desk.style.width = "%dpx"; let calm = 0, drawn = 0, before = told.length;
				const first = before;
				while (calm < 20 && drawn++ < 200) { await frame(); calm = told.length === before ? calm + 1 : 0;
					before = told.length }
				return calm < 20 ? told.length - first : -1 })()`, width))
			if got >= 0 {
				t.Errorf("%s at %d px: got %v heights without an end", page, width, got)
			}
			if wide := mustEvaluate[int](f, `document.documentElement.scrollWidth - innerWidth`); wide > 0 {
				t.Errorf("%s at %d px: the page is %d px too wide", page, width, wide)
			}
			if mustEvaluate[bool](f, `(() => { const all = [...document.querySelectorAll(
				".framebar nav a, .framebar > :not(nav, .mark, .vh)")].map(e => e.getBoundingClientRect());
				return all.some((box, i) => i && box.left < all[i - 1].right - 1) })()`) {
				t.Errorf("%s at %d px: the bar overlaps", page, width)
			}
			over := mustEvaluate[int](f, `document.documentElement.scrollHeight - document.documentElement.clientHeight`)
			if over > 0 && evaluate[int](f.window, `document.querySelector("iframe").offsetHeight`) < 8000 {
				t.Errorf("%s at %d px: %d px of the page do not fit the frame", page, width, over)
			}
		}
	}
}

// evaluateAwaited runs an expression that waits, in the page around the frame.
func evaluateAwaited[T any](f embedFrame, expression string) T {
	f.t.Helper()
	ctx, cancel := context.WithTimeout(f.ctx, 3*stepTimeout)
	defer cancel()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		f.t.Fatal(err)
	}
	return v
}

// waitForVisible waits until an element of the frame is inside the visible part of the host page.
func (f embedFrame) waitForVisible(selector string) {
	f.t.Helper()
	waitFor(f.t, stepTimeout, selector+" in sight", func() bool {
		box, err := evaluateInFrame[[]float64](f,
			fmt.Sprintf(`(() => { const b = document.querySelector(%q).getBoundingClientRect(); `+
				`return [b.top, b.bottom, b.height] })()`, selector))
		if err != nil || box[2] == 0 {
			return false
		}
		at := evaluate[[]float64](f.window, `[document.querySelector("iframe").getBoundingClientRect().top, innerHeight]`)
		return at[0]+box[0] >= 0 && at[0]+box[1] <= at[1]
	})
}

// scrollTo scrolls the host page to a part of the frame.
func (f embedFrame) scrollTo(from int) {
	f.t.Helper()
	evaluate[bool](f.window, fmt.Sprintf(`(() => { scrollTo(0, 0); `+
		`scrollTo(0, document.querySelector("iframe").getBoundingClientRect().top + %d); return true })()`, from))
}

// TestFrame_TallerThanWindow_DialogsVisible: dialogs, menus and toasts appear in the visible part of a tall
// frame, and remain there.
func TestFrame_TallerThanWindow_DialogsVisible(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := startSeeded(t)
	f, a := d.openHostBrowser(t, findHeadless)
	base := f.openIntake(a, "92")
	lead, _ := d.signIn(t, "olivia@summit.test").get("/leads?view=offers").Find("a.nm").First().Attr("href")
	f.navigate(base + lead + "/history")
	f.setSize(900, 600, false)
	f.waitUntil("the frame is tall", `document.querySelector("iframe").offsetHeight > 1500`)
	for _, from := range []int{0, 500, 900} {
		f.scrollTo(from)
		mustEvaluate[bool](f, `document.querySelector("#cancel").showPopover() ?? true`)
		f.waitForVisible("#cancel")
		if from == 500 {
			f.screenshot("embed-dialog-in-sight")
		}
		f.frameUntil("the dialog has the focus", `document.querySelector("#cancel").contains(document.activeElement)`)
		mustEvaluate[bool](f, `document.querySelector("#cancel").hidePopover() ?? true`)
	}
	f.mouseClick("the menu", `[popovertarget="lead-menu"]`)
	f.mouseClick("cancel", `#lead-menu [popovertarget="cancel"]`)
	f.waitForVisible("#cancel")
	mustEvaluate[bool](f, `document.querySelector("#cancel").hidePopover() ?? true`)
	// Like a toast of app.js with a button, which remains until it is answered.
	mustEvaluate[bool](f, `(() => { const toast = document.createElement("div"); toast.className = "toast";
		toast.append("You will be signed out", document.createElement("button"));
		document.querySelector("#toasts").replaceChildren(toast); return true })()`)
	for _, from := range []int{700, 100, 400} {
		f.scrollTo(from)
		f.waitForVisible(".toast")
	}

	// The decision about an offer, too. What the host page reports counts more than what the browser does.
	f.navigate(base + lead + "/offers")
	f.waitUntil("the frame is tall", `document.querySelector("iframe").offsetHeight > 900`)
	for _, from := range []int{0, 250, 100} {
		f.scrollTo(from)
		f.waitForVisible(".selection-bar")
	}
	f.screenshot("embed-decision-in-sight")
	// Sent repeatedly, because the host sends its own report whenever the page's height changes, as after a quote.
	evaluate[bool](f.window, `setInterval(() => document.querySelector("iframe").contentWindow.postMessage(
		{v: 1, type: "host.viewport", top: 200, bottom: 555}, "*"), 50) > 0`)
	f.frameUntil("the decision is where the host says", `Math.abs(555 - `+
		`document.querySelector(".selection-bar").getBoundingClientRect().bottom) < 2`)
}

// TestFrame_OfferSheet_DownloadsAndDeskStays: browsers show no PDF in a sandboxed frame.
func TestFrame_OfferSheet_DownloadsAndDeskStays(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := startSeeded(t)
	f, a := d.openHostBrowser(t, findHeadless)
	base := f.openIntake(a, "93")
	lead, _ := d.signIn(t, "olivia@summit.test").get("/leads?view=offers").Find("a.nm").First().Attr("href")
	closing, _ := d.signIn(t, "olivia@summit.test").get("/leads?view=closing").Find("a.nm").First().Attr("href")
	for _, page := range []struct{ at, link, file string }{
		{lead + "/offers", `#pins a[href*="/offer-sheet"]`, "*.pdf"}, {lead + "/show", `a[href*="/offer-sheet"]`, "*.pdf"},
		{closing + "/documents", `a[href$="/documents.zip"]`, "*.zip"},
		{closing + "/documents", `#documents a[href*="/documents/"]`, "*.pdf"}, {"/leads", `a[href$="/leads.ics"]`, "*.ics"},
	} {
		f.navigate(base + page.at)
		f.frameUntil(page.link+" on "+page.at, fmt.Sprintf(`document.querySelector(%q)`, page.link))
		files := f.downloadsTo(t)
		f.mouseClick(page.link, page.link)
		waitFor(t, stepTimeout, "the file of "+page.at, func() bool {
			got, _ := filepath.Glob(filepath.Join(files, page.file))
			return len(got) > 0
		})
		if at := mustEvaluate[string](f, `location.pathname`); at != base+page.at ||
			!mustEvaluate[bool](f, `!!document.querySelector("main h1")`) {
			t.Errorf("after %s of %s the frame is at %s, want the desk", page.file, page.at, at)
		}
	}
}

// downloadsTo sends downloads to a temporary folder and returns it.
func (f embedFrame) downloadsTo(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	f.run("downloads", chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		events := true
		_, err := cdp.Call(ctx, chromedp.FromContext(ctx).Browser, browser.SetDownloadBehavior,
			browser.SetDownloadBehaviorParams{
				Behavior: "allow", DownloadPath: dir, EventsEnabled: &events,
			})
		return err
	}))
	return dir
}

// TestFrame_CopyLink_CopiesOrSelectsLink: with the help's own code the borrower link is copied; in a frame that does
// not allow it, the page says so and selects the link.
func TestFrame_CopyLink_CopiesOrSelectsLink(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := startSeeded(t)
	f, a := d.openHostBrowser(t, findChromium)
	lead, _ := d.signIn(t, "olivia@summit.test").get("/leads?view=offers").Find("a.nm").First().Attr("href")
	copies := func(base string) {
		t.Helper()
		f.navigate(base + lead)
		f.clickUntilDone("the borrower's link", `#form-reach button[value="link"]`,
			`document.querySelector("#borrower-part [data-copy]:not([hidden])")`)
	}
	copies(f.openIntake(a, "94"))
	f.mouseClick("copy", `#borrower-part [data-copy]`)
	f.frameUntil("the link is copied", `document.querySelector("#borrower-part `+
		`[data-copy]").innerText.includes("Copied") && !document.querySelector(".not-copied")`)

	f.run("a host that allows nothing", chromedp.Navigate(a.server.URL+
		a.launchPage(a.token(t, "olivia", "95", nil), "desk")))
	f.frameUntil("the intake", `document.readyState === "complete" && document.querySelector("form#intake")`)
	copies(strings.TrimSuffix(mustEvaluate[string](f, `location.pathname`), "/leads/new"))
	mustEvaluate[bool](f, `document.querySelector("#borrower-part [data-copy]").click() ?? true`)
	f.frameUntil("the page says that it is not copied",
		`document.querySelector(".not-copied")?.innerText.includes("Press Ctrl+C") || `+
			`document.querySelector(".not-copied")?.innerText.includes("⌘C")`)
	if mustEvaluate[bool](f, `document.querySelector("#borrower-part [data-copy]").innerText.includes("Copied")`) {
		t.Error("the button claims that it has copied the link")
	}
	if !mustEvaluate[bool](f, `(() => { const el = document.activeElement; `+
		`return el.value === document.querySelector("#borrower-part [data-copy]").dataset.copy && `+
		`el.selectionEnd - el.selectionStart === el.value.length })()`) {
		t.Error("the link is not selected")
	}

	// Likewise, only Chromium itself shows notifications.
	w := f.newTab(t)
	w.signIn("olivia@summit.test")
	w.checkPush()
}
