package e2e

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// TestAdministrationIsForEverybody looks at every page of administration, wide and narrow.
func TestAdministrationIsForEverybody(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := start(t, t.TempDir())
	w := d.open(t)
	w.visit("/login")
	w.do("log in",
		chromedp.SendKeys(chromedp.CSS(`input[name="email"]`), "admin@hearthline.test"),
		chromedp.SendKeys(chromedp.CSS(`input[name="password"]`), password+"\r"),
	)
	w.until("the administrator's desk", `location.pathname.startsWith("/admin/")`)
	pages := []string{"health", "users", "originators", "licences", "texts", "audit", "policy", "interface", "asvs"}
	for _, page := range pages {
		w.visit("/admin/" + page)
		w.until("the page", `document.querySelector("h1")`)
		w.accessible("admin " + page)
		w.fits("admin " + page)
		w.shot("admin-" + page)
	}
	w.size(390, 844, true)
	for _, page := range append(pages, "users") {
		w.visit("/admin/" + page)
		w.fits("admin " + page + " on a phone")
		w.shot("admin-" + page + "-phone")
	}
	w.click("a person", `#people tbody a`)
	w.until("one account", `document.querySelector("#account")`)
	w.accessible("admin person")
	w.fits("admin person on a phone")
	w.shot("admin-person-phone")
}
