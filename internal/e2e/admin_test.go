package e2e

import (
	"testing"
)

// TestAdminScreens_Accessible opens the page of a user on a phone. TestManagerScreens_Accessible checks every other
// administration page, and TestEveryPage_EveryWidth_FitsAndIsEasyToPress loads them on a phone.
func TestAdminScreens_Accessible(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := startSeeded(t)
	w := d.openBrowser(t)
	w.visit("/login")
	w.typeInto(`input[name="email"]`, "admin@hearthline.test")
	w.typeInto(`input[name="password"]`, password+"\r")
	w.waitUntil("the administrator's pages", `location.pathname.startsWith("/admin/")`)
	w.setSize(390, 844, true)
	w.visit("/admin/users")
	w.click("a user", `#people tbody a`)
	w.waitUntil("one account", `document.querySelector("#user")`)
	w.checkAccessible("admin person")
	w.checkNoOverflow("admin person on a phone")
	w.screenshot("admin-person-phone")
}
