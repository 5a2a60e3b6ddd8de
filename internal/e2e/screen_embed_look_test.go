package e2e

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestTheFrameIsForEverybody looks at every screen inside a frame at the widths that CRMs
// give it. The tab that stands for a frame shows the same pages, and there axe can look.
func TestTheFrameIsForEverybody(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := start(t, t.TempDir())
	a := newAttic(t, d)
	raw := a.token(t, "olivia", "0", nil)
	d.connects(t, d.signIn(t, "olivia@summit.test"), form{action: d.url + "/launch/jwt/attic", values: url.Values{"launch_token": {raw}}})
	f := d.frames(t, cookiesNowhere)
	f.load(a.server.URL, a.posting(a.token(t, "olivia", "81", nil), "desk"))
	f.press("Continue as", `#continue button`)
	f.within("the offer of a tab", `document.querySelector("[data-without-cookie]:not([hidden]) button")`)
	w := f.opened("a tab", func() { f.press("open it", `[data-without-cookie] button`) })
	w.until("the intake", `document.readyState === "complete" && document.querySelector("form#intake")`)
	base := strings.TrimSuffix(eval[string](w, `location.pathname`), "/leads/new")
	pages := map[string]string{"intake": "/leads/new", "leads": "/leads?view=all", "drafts": "/drafts", "notifications": "/notifications", "lost": "/leads/00000000-0000-4000-8000-000000000000"}
	olivia := d.signIn(t, "olivia@summit.test")
	for _, view := range []string{"offers", "closing", "today"} {
		olivia.get("/leads?view=" + view).Find("table.leads tbody tr").Each(func(_ int, s *selection) {
			name := "lead-" + strings.ReplaceAll(strings.ToLower(strings.TrimSpace(s.Find(".chip").Text())), " ", "-")
			if href, ok := s.Find("a.nm").Attr("href"); ok && pages[name] == "" && len(pages) < 11 {
				pages[name] = href
			}
		})
	}
	lead := pages["lead-offers-ready"]
	if lead == "" {
		t.Fatal("no lead with offers to look at")
	}
	for _, tab := range []string{"/documents", "/reassign", "/history"} {
		pages["lead"+strings.ReplaceAll(tab, "/", "-")] = lead + tab
	}
	widths := []int64{400, 640, 1000}
	i := 0
	for name, path := range pages {
		w.do(name, chromedp.Navigate(d.url+base+path))
		w.until(name, `document.readyState === "complete" && document.querySelector(".framebar")`)
		if missing := eval[bool](w, `!!document.querySelector(".oops")`); missing != (name == "lost") {
			t.Errorf("%s: shows an error: %v", name, missing)
		}
		for n, width := range widths {
			w.size(width, 900, false)
			w.fits(fmt.Sprintf("%s at %d", name, width))
			for _, dark := range []bool{false, true} {
				seen := dark == (i%2 == 1) && n == i%3 // each width and scheme is met by every third page
				if !seen && !pictures() {
					continue
				}
				w.dark(dark)
				if seen {
					w.accessible(fmt.Sprintf("%s at %d", name, width))
				}
				if pictures() {
					w.shot(fmt.Sprintf("frame-%s-%d-%v", name, width, dark))
				}
			}
		}
		i++
	}
}
