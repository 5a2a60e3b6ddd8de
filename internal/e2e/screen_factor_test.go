package e2e

import (
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/pquerna/otp/totp"
)

// TestTwoFactorsForEverybody walks the pages of a portal that asks everybody for a second
// factor, wide and narrow, light and dark.
func TestTwoFactorsForEverybody(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := start(t, t.TempDir(), "PORTAL_MFA=required")
	w := d.open(t)
	judge := func(name string) {
		t.Helper()
		w.size(390, 900, true)
		w.dark(true)
		w.accessible(name + "-390-dark")
		w.fits(name + "-390")
		w.shot(name + "-390-dark")
		w.size(320, 800, true)
		w.fits(name + "-320")
		w.dark(false)
		w.size(1440, 1000, false)
		w.accessible(name + "-1440-light")
		w.shot(name + "-1440-light")
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
		w.do("log in",
			chromedp.SendKeys(chromedp.CSS(`#login input[name="email"]`), "maya@summit.test"),
			chromedp.SendKeys(chromedp.CSS(`#login input[name="password"]`), password+"\r"),
		)
		w.until("the second step", `location.pathname === "/login/second-factor"`)
	}
	logIn()
	judge("factor-first")
	key := strings.ReplaceAll(eval[string](w, `document.querySelector('.totp b').textContent`), " ", "")
	w.do("a wrong code", chromedp.SendKeys(chromedp.CSS(`#second input[name="proof.code"]`), "000000\r"))
	w.until("the complaint has the focus", `document.activeElement && document.activeElement.getAttribute('aria-invalid') === 'true'`)
	w.accessible("factor-wrong")
	w.do("the code", chromedp.SendKeys(chromedp.CSS(`#second input[name="proof.code"]`), code(key)+"\r"))
	w.says("Keep these recovery codes")
	judge("recovery")
	recovery := eval[string](w, `document.querySelector('.codes li').textContent`)
	w.visit("/invite")
	judge("invite")
	w.visit("/account")
	judge("account-two-factors")

	w.do("sign out", chromedp.Evaluate[chromedp.Void](`document.querySelector('form[action="/logout"]').requestSubmit()`))
	w.until("the log-in page", `location.pathname === "/login"`)
	logIn()
	judge("factor-second")
	w.click("no phone at hand", `.lost summary`)
	w.do("a recovery code", chromedp.SendKeys(chromedp.CSS(`#second input[name="proof.recovery"]`), recovery+"\r"))
	w.until("the pipeline", `location.pathname === "/leads"`)
}
