package e2e

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestEmbedScreens_Accessible checks every screen inside a frame at the widths that CRMs give it. It uses the tab
// that replaces a frame, which has the same pages and where axe can run.
func TestEmbedScreens_Accessible(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := startSeeded(t)
	a := newHostileCRM(t, d)
	raw := a.token(t, "olivia", "0", nil)
	d.connectLaunch(t, d.signIn(t, "olivia@summit.test"),
		form{action: d.url + "/launch/jwt/hostile", values: url.Values{"launch_token": {raw}}})
	f := d.openFrameBrowser(t, cookiesUnavailable)
	f.load(a.server.URL, a.launchPage(a.token(t, "olivia", "81", nil), "desk"))
	f.mouseClick("Continue as", `#continue button`)
	f.frameUntil("the offer of a tab", `document.querySelector("[data-without-cookie]:not([hidden]) button")`)
	w := f.waitForTab("a tab", func() { f.mouseClick("open it", `[data-without-cookie] button`) })
	w.waitUntil("the intake", `document.readyState === "complete" && document.querySelector("form#intake")`)
	base := strings.TrimSuffix(evaluate[string](w, `location.pathname`), "/leads/new")
	pages := map[string]string{"intake": "/leads/new", "leads": "/leads?view=all", "drafts": "/drafts",
		"notifications": "/notifications", "lost": "/leads/00000000-0000-4000-8000-000000000000"}
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
		t.Fatal("there is no lead with offers")
	}
	for _, tab := range []string{"/documents", "/reassign", "/history"} {
		pages["lead"+strings.ReplaceAll(tab, "/", "-")] = lead + tab
	}
	widths := []int64{400, 640, 1000}
	i := 0
	for name, path := range pages {
		w.run(name, chromedp.Navigate(d.url+base+path))
		w.waitUntil(name, `document.readyState === "complete" && document.querySelector(".framebar")`)
		if missing := evaluate[bool](w, `!!document.querySelector(".oops")`); missing != (name == "lost") {
			t.Errorf("%s: shows an error: %v", name, missing)
		}
		for n, width := range widths {
			w.setSize(width, 900, false)
			w.checkNoOverflow(fmt.Sprintf("%s at %d", name, width))
			for _, dark := range []bool{false, true} {
				seen := dark == (i%2 == 1) && n == i%3 // each combination of width and color scheme applies to every third page
				if !seen && !wantScreenshots() {
					continue
				}
				w.setDark(dark)
				if seen {
					w.checkAccessible(fmt.Sprintf("%s at %d", name, width))
				}
				if wantScreenshots() {
					w.screenshot(fmt.Sprintf("frame-%s-%d-%v", name, width, dark))
				}
			}
		}
		i++
	}
}
