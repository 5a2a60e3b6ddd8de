package e2e

import (
	"context"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/webauthn"
	"github.com/chromedp/chromedp"
)

// withAuthenticator gives the window a security key whose owner is there and is who they
// say they are.
func (w *window) withAuthenticator() {
	w.t.Helper()
	w.do("authenticator", chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		if _, err := cdp.Call(ctx, t, webauthn.Enable, webauthn.EnableParams{}); err != nil {
			return err
		}
		_, err := cdp.Call(ctx, t, webauthn.AddVirtualAuthenticator, webauthn.AddVirtualAuthenticatorParams{Options: &webauthn.VirtualAuthenticatorOptions{
			Protocol: "ctap2", Transport: "internal", HasResidentKey: true, HasUserVerification: true, IsUserVerified: true,
			AutomaticPresenceSimulation: true, DefaultBackupEligibility: true, DefaultBackupState: true,
		}})
		return err
	}))
}

// TestAPasskeyIsTheWholeLogIn makes one, signs in with it alone, and confirms with it.
func TestAPasskeyIsTheWholeLogIn(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := start(t, t.TempDir())
	w := d.open(t)
	w.withAuthenticator()
	w.signIn("olivia@summit.test")
	w.visit("/account")
	w.click("add a passkey", `a[href="/account/passkey"]`)
	w.until("the browser can make one", `document.querySelector('[data-passkey="create"]') && !document.querySelector('[data-passkey="create"]').hidden`)
	w.accessible("new passkey")
	w.shot("passkey-new")
	w.click("create", `[data-passkey="create"]`)
	w.says("Keep these recovery codes")
	w.visit("/account")
	w.says("Passkey, on your devices")
	w.accessible("account")
	w.shot("account-passkey")

	w.do("sign out", chromedp.Evaluate[chromedp.Void](`document.querySelector('form[action="/logout"]').requestSubmit()`))
	w.until("the log-in page", `location.pathname === "/login"`)
	w.shot("login-passkey")
	w.accessible("login with a passkey")
	w.click("sign in with it", `#passkey [data-passkey]`)
	w.until("the pipeline, without an e-mail or a password", `location.pathname === "/leads"`)

	// In a session of a password alone, whatever needs certainty asks for the passkey.
	w.do("sign out", chromedp.Evaluate[chromedp.Void](`document.querySelector('form[action="/logout"]').requestSubmit()`))
	w.until("the log-in page", `location.pathname === "/login"`)
	w.do("log in",
		chromedp.SendKeys(chromedp.CSS(`input[name="email"]`), "olivia@summit.test"),
		chromedp.SendKeys(chromedp.CSS(`input[name="password"]`), password+"\r"),
	)
	w.until("the second step", `location.pathname === "/login/second-factor"`)
	w.click("use the passkey", `[data-passkey]`)
	w.until("the pipeline", `location.pathname === "/leads"`)
}

// hasCookie looks at what scripts cannot see.
func (w *window) hasCookie(name string) bool {
	found := false
	w.do("cookies", chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		all, err := cdp.Call(ctx, t, network.GetCookies, network.GetCookiesParams{})
		for _, c := range all.Cookies {
			found = found || c.Name == name
		}
		return err
	}))
	return found
}
