package e2e

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"hearthline/views"
)

// hosting makes the help's own page around a frame, which launches with a token and
// remembers each message, and gives its path.
func (a *attic) hosting(token string) string {
	folder := "/" + rand.Text()
	own := strings.NewReplacer(
		"https://desk.example/launch/jwt/acme", a.d.url+"/launch/jwt/attic", "https://desk.example", a.d.url,
		"the token that your server has just signed", token,
	)
	a.host.Store(folder+"/page.html", `<!doctype html><title>Host</title><script>globalThis.told = []; addEventListener("message", e => told.push(e.data))</script>`+own.Replace(views.Sample("page.html").Text))
	a.host.Store(folder+"/desk.js", own.Replace(views.Sample("desk.js").Text))
	return folder + "/page.html"
}

// hosted opens a browser whose scrollbars are seen, as a person's are on most machines.
func (d *demo) hosted(t *testing.T) (framed, *attic) {
	t.Helper()
	a := newAttic(t, d)
	raw := a.token(t, "olivia", "0", nil)
	d.connects(t, d.signIn(t, "olivia@summit.test"), form{action: d.url + "/launch/jwt/attic", values: url.Values{"launch_token": {raw}}})
	f := framed{d.openPreferring(t, cookiesAllowed, chromedp.Flag("hide-scrollbars", false),
		chromedp.Flag("disable-site-isolation-trials", true), chromedp.Flag("disable-features", "IsolateOrigins,site-per-process,OverlayScrollbar"))}
	return f, a
}

// enters opens a record in the help's page and goes on to its intake.
func (f framed) enters(a *attic, record string) (base string) {
	f.t.Helper()
	f.do("the host", chromedp.Navigate(a.server.URL+a.hosting(a.token(f.t, "olivia", record, nil))))
	f.press("Continue as", `#continue button`)
	f.within("the intake", `document.readyState === "complete" && document.querySelector("form#intake")`)
	return strings.TrimSuffix(read[string](f, `location.pathname`), "/leads/new")
}

// goes puts a page of the desk into the frame.
func (f framed) goes(path string) {
	f.t.Helper()
	_, _ = inFrame[bool](f, fmt.Sprintf(`location.replace(%q) || true`, path))
	f.within(path, fmt.Sprintf(`location.pathname === %q && document.readyState === "complete" && document.querySelector(".framebar")`, strings.SplitN(path, "?", 2)[0]))
}

// TestFrameHeight_ScrollbarsSeen_Settles: at no width of the frame may its height go on
// changing, because each change of it shows or hides a scrollbar.
func TestFrameHeight_ScrollbarsSeen_Settles(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := start(t, t.TempDir())
	f, a := d.hosted(t)
	base := f.enters(a, "91")
	if bar := eval[int](f.window, `(() => { const el = document.createElement("div"); el.style.cssText = "overflow:scroll;width:100px;height:50px"; document.body.append(el);
		const w = el.offsetWidth - el.clientWidth; el.remove(); return w })()`); bar == 0 {
		t.Fatal("the browser shows no scrollbars, so nothing is tested")
	}
	lead, _ := d.signIn(t, "olivia@summit.test").get("/leads?view=offers").Find("a.nm").First().Attr("href")
	for _, page := range []string{"/leads/new", lead, "/leads?view=all"} {
		f.goes(base + page)
		for width := 400; width <= 760; width += 24 {
			// The frames of a page are drawn one after the other: once twenty were drawn without
			// a message the height stands. A loop has one in every second of them.
			got := awaited[float64](f, fmt.Sprintf(`(async () => {
				const desk = document.querySelector("iframe"), frame = () => new Promise(r => requestAnimationFrame(r));
				desk.style.width = "%dpx"; let calm = 0, drawn = 0, before = told.length;
				const first = before;
				while (calm < 20 && drawn++ < 200) { await frame(); calm = told.length === before ? calm + 1 : 0; before = told.length }
				return calm < 20 ? told.length - first : -1 })()`, width))
			if got >= 0 {
				t.Errorf("%s at %d px: told %v heights and did not stop", page, width, got)
			}
			if over := read[int](f, `document.documentElement.scrollHeight - document.documentElement.clientHeight`); over > 0 && eval[int](f.window, `document.querySelector("iframe").offsetHeight`) < 4000 {
				t.Errorf("%s at %d px: %d px of the page do not fit the frame", page, width, over)
			}
		}
	}
}

// awaited runs an expression that waits in the page around the frame.
func awaited[T any](f framed, expression string) T {
	f.t.Helper()
	ctx, cancel := context.WithTimeout(f.ctx, 3*step)
	defer cancel()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		f.t.Fatal(err)
	}
	return v
}
