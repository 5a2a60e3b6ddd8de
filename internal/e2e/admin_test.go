package e2e

import (
	"testing"
)

// TestAdminScreens_Accessible checks every administration page, wide and narrow.
func TestAdminScreens_Accessible(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := startDemo(t, seededFolder(t))
	w := d.openBrowser(t)
	w.visit("/login")
	w.typeInto(`input[name="email"]`, "admin@hearthline.test")
	w.typeInto(`input[name="password"]`, password+"\r")
	w.waitUntil("the administrator's pages", `location.pathname.startsWith("/admin/")`)
	pages := []string{"health", "users", "originators", "licences", "texts", "audit", "policy", "interface", "asvs"}
	for _, page := range pages {
		w.visit("/admin/" + page)
		w.waitUntil("the page", `document.querySelector("h1")`)
		w.checkAccessible("admin " + page)
		w.checkNoOverflow("admin " + page)
		w.screenshot("admin-" + page)
	}
	w.setSize(390, 844, true)
	for _, page := range append(pages, "users") {
		w.visit("/admin/" + page)
		w.checkNoOverflow("admin " + page + " on a phone")
		w.screenshot("admin-" + page + "-phone")
	}
	w.click("a user", `#people tbody a`)
	w.waitUntil("one account", `document.querySelector("#user")`)
	w.checkAccessible("admin person")
	w.checkNoOverflow("admin person on a phone")
	w.screenshot("admin-person-phone")
}
