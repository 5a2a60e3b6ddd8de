package e2e

import (
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/pquerna/otp/totp"
)

// TestFactorScreens_Accessible checks the pages of a portal that requires a second factor from every user, wide and
// narrow, light and dark.
func TestFactorScreens_Accessible(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := startDemo(t, seededFolder(t), "PORTAL_MFA=required")
	w := d.openBrowser(t)
	check := func(name string) {
		t.Helper()
		w.setSize(390, 900, true)
		w.setDark(true)
		w.checkAccessible(name + "-390-dark")
		w.checkNoOverflow(name + "-390")
		w.screenshot(name + "-390-dark")
		w.setSize(320, 800, true)
		w.checkNoOverflow(name + "-320")
		w.setDark(false)
		w.setSize(1440, 1000, false)
		w.checkAccessible(name + "-1440-light")
		w.screenshot(name + "-1440-light")
	}
	code := func(key string) string {
		t.Helper()
		made, err := totp.GenerateCode(key, time.Now())
		if err != nil {
			t.Fatal(err)
		}
		return made
	}
	logIn := func() {
		t.Helper()
		w.visit("/login")
		w.typeInto(`#login input[name="email"]`, "maya@summit.test")
		w.typeInto(`#login input[name="password"]`, password+"\r")
		w.waitUntil("the second factor", `location.pathname === "/login/second-factor"`)
	}
	logIn()
	check("factor-first")
	key := strings.ReplaceAll(evaluate[string](w, `document.querySelector('.totp b').textContent`), " ", "")
	w.typeInto(`#second input[name="proof.code"]`, "000000\r")
	w.waitUntil("the error has the focus",
		`document.activeElement && document.activeElement.getAttribute('aria-invalid') === 'true'`)
	w.checkAccessible("factor-wrong")
	w.typeInto(`#second input[name="proof.code"]`, code(key)+"\r")
	w.waitForText("Save your recovery codes")
	check("recovery")
	recovery := evaluate[string](w, `document.querySelector('.codes li').textContent`)
	w.visit("/invite")
	check("invite")
	w.visit("/account")
	check("account-two-factors")

	w.run("sign out", chromedp.Evaluate[chromedp.Void](`document.querySelector('form[action="/logout"]').requestSubmit()`))
	w.waitUntil("the sign-in page", `location.pathname === "/login"`)
	logIn()
	check("factor-second")
	w.click("no phone available", `.lost summary`)
	w.typeInto(`#second input[name="proof.recovery"]`, recovery+"\r")
	w.waitUntil("the pipeline", `location.pathname === "/leads"`)
}
