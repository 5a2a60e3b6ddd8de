package e2e

import (
	"context"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	cdpage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/webauthn"
	"github.com/chromedp/chromedp"
)

// withAuthenticator adds a virtual security key that always verifies its user.
func (w *window) withAuthenticator() (id webauthn.AuthenticatorID) {
	w.t.Helper()
	w.run("authenticator", chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		if _, err := cdp.Call(ctx, t, webauthn.Enable, webauthn.EnableParams{}); err != nil {
			return err
		}
		added, err := cdp.Call(ctx, t, webauthn.AddVirtualAuthenticator,
			webauthn.AddVirtualAuthenticatorParams{Options: &webauthn.VirtualAuthenticatorOptions{
				Protocol: "ctap2", Transport: "internal", HasResidentKey: true, HasUserVerification: true, IsUserVerified: true,
				AutomaticPresenceSimulation: true, DefaultBackupEligibility: true, DefaultBackupState: true,
			}})
		id = added.AuthenticatorID
		return err
	}))
	return id
}

// TestPasskey_SignInAndConfirm creates a passkey, signs in with it alone, and steps up with it.
func TestPasskey_SignInAndConfirm(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := startDemo(t, seededFolder(t))
	w := d.openBrowser(t)
	w.withAuthenticator()
	w.signIn("olivia@summit.test")
	w.visit("/account")
	w.click("add a passkey", `a[href="/account/passkey"]`)
	w.waitUntil("the browser supports passkeys",
		`document.querySelector('[data-passkey="create"]') && !document.querySelector('[data-passkey="create"]').hidden`)
	if evaluate[bool](w, `document.querySelector('[data-without-passkey]').checkVisibility()`) {
		t.Error("the page says that the browser cannot create one")
	}
	w.checkAccessible("new passkey")
	w.screenshot("passkey-new")
	w.click("create", `[data-passkey="create"]`)
	w.waitForText("Save your recovery codes")
	w.visit("/account")
	w.waitForText("Passkey, synced across your devices")
	w.checkAccessible("account")
	w.screenshot("account-passkey")

	// The page offers the passkey where the email is typed; this virtual user accepts immediately.
	w.signOut()
	w.waitUntil("the pipeline, without an email, a password or a click", `location.pathname === "/leads"`)

	w.withholdPasskeys()
	w.signOut()
	w.waitUntil("the sign-in page offers a passkey",
		`location.pathname === "/login" && asked.length === 1 && asked[0].mediation === "conditional"`)
	w.waitUntil("the button shows it", `document.querySelector('#email').autocomplete === "username webauthn"`)
	w.screenshot("login-passkey")
	w.checkAccessible("login with a passkey")
	w.run("eight minutes later", chromedp.Evaluate[chromedp.Void](`{ const now = Date.now; `+
		`Date.now = () => now() + 481000; document.dispatchEvent(new Event('visibilitychange')); }`))
	w.waitUntil("a new offer replaces the expired one", `asked.length === 2 && asked[0].aborted && !asked[1].aborted`)
	w.click("sign in with the button, which replaces the offer", `#passkey [data-passkey]`)
	w.waitUntil("the pipeline, without an email or a password", `location.pathname === "/leads"`)

	// In a password-only session, an action that requires a step-up asks for the passkey.
	w.signOut()
	w.waitUntil("the sign-in page", `location.pathname === "/login"`)
	w.typeInto(`input[name="email"]`, "olivia@summit.test")
	w.typeInto(`input[name="password"]`, password+"\r")
	w.waitUntil("the second factor", `location.pathname === "/login/second-factor"`)
	w.click("use the passkey", `[data-passkey]`)
	w.waitUntil("the pipeline", `location.pathname === "/leads"`)

	w.run("a browser without passkeys", chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, cdpage.AddScriptToEvaluateOnNewDocument,
			cdpage.AddScriptToEvaluateOnNewDocumentParams{Source: `delete window.PublicKeyCredential`})
		return err
	}))
	w.visit("/account/passkey")
	w.waitUntil("the page says so, and offers the alternatives",
		`document.querySelector('[data-without-passkey]')?.checkVisibility() && `+
			`!document.querySelector('[data-passkey]').checkVisibility()`)
}

func (w *window) signOut() {
	w.t.Helper()
	// the URL changes before its page is there
	w.waitUntil("the sign-out button", `document.querySelector('form[action="/logout"]')`)
	w.run("sign out", chromedp.Evaluate[chromedp.Void](`document.querySelector('form[action="/logout"]').requestSubmit()`))
}

// withholdPasskeys makes the virtual user ignore passkey offers, and records in window.asked how each page has asked.
func (w *window) withholdPasskeys() {
	w.t.Helper()
	w.run("withhold", chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, cdpage.AddScriptToEvaluateOnNewDocument,
			cdpage.AddScriptToEvaluateOnNewDocumentParams{Source: `
			const get = navigator.credentials.get.bind(navigator.credentials);
			window.asked = [];
			navigator.credentials.get = o => {
				const one = {mediation: o.mediation || 'button', aborted: false};
				window.asked.push(one);
				o.signal?.addEventListener('abort', () => { one.aborted = true; });
				return o.mediation ? new Promise((_, no) => o.signal.addEventListener('abort', no)) : get(o);
			};`})
		return err
	}))
}

// hasCookie also sees cookies that scripts cannot read.
func (w *window) hasCookie(name string) bool {
	found := false
	w.run("cookies", chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		all, err := cdp.Call(ctx, t, network.GetCookies, network.GetCookiesParams{})
		for _, c := range all.Cookies {
			found = found || c.Name == name
		}
		return err
	}))
	return found
}
