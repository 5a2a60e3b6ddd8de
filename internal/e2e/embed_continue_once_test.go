package e2e

import (
	"context"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/webauthn"
	"github.com/chromedp/chromedp"
)

// TestEmbed_ManyRecords_AsksOnce opens records one after the other in the frame of a CRM's page.
func TestEmbed_ManyRecords_AsksOnce(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := startSeeded(t, "SANDBOX_PROCESSING=500ms")
	a := newHostileCRM(t, d)
	for _, person := range []string{"olivia", "marcus"} {
		d.connectLaunch(t, d.signIn(t, person+"@summit.test"), form{action: d.url + "/launch/jwt/hostile",
			values: url.Values{"launch_token": {a.token(t, person, "0", nil)}}})
	}
	f := d.openFrameBrowser(t, cookiesBlocked)
	launch := func(person, record string) {
		t.Helper()
		f.load(a.server.URL, a.launchPage(a.token(t, person, record, nil), "desk"))
	}
	intake := func(record string) {
		t.Helper()
		f.frameUntil("the intake of "+record,
			`document.querySelector('[name="applicant.name.lastName"]')?.value === "Of-`+record+`"`)
	}
	launch("olivia", "81")
	f.mouseClick("Continue as", `#continue button`)
	intake("81")
	f.fillMissing(sampleInquiry(t, d))
	f.clickUntilDone("send", sendInquiry, `/\/leads\/[0-9a-f-]{36}$/.test(location.pathname)`)
	app := mustEvaluate[string](f, `location.pathname.split("/").pop()`)
	for _, record := range []string{"82", "82"} { // another record, and the page of the CRM reloaded
		launch("olivia", record)
		intake(record)
	}
	launch("olivia", "81")
	f.frameUntil("the record's lead", `location.pathname.endsWith("/leads/`+app+`")`)
	launch("olivia", "")
	f.frameUntil("her leads", `location.pathname.endsWith("/leads") && document.querySelector("#pipeline")`)

	hers := mustEvaluate[string](f, `location.pathname`)
	launch("marcus", "83")
	f.waitForText("Continue as Marcus")
	f.navigate(hers) // his launch has ended nothing
	f.frameUntil("her leads", `document.querySelector("#pipeline a.nm")`)
	f.mouseClick("sign out", `.framebar form button`)
	f.waitForText("You’re signed out")
	launch("olivia", "82")
	f.waitForText("Continue as Olivia Bennett")
}

// TestEmbed_PasskeyConfirmation_TabClosesAndFrameContinues confirms with one touch.
func TestEmbed_PasskeyConfirmation_TabClosesAndFrameContinues(t *testing.T) {
	chromium(t)
	t.Parallel()
	d := startSeeded(t)
	crm := d.crmURL(t)
	p := d.signIn(t, "olivia@summit.test")
	res, err := p.client.Get(crm + "/record?kind=jwt&mfa=no&record=D-1001")
	if err != nil {
		t.Fatal(err)
	}
	d.connectLaunch(t, p, launchIn(p.read(res)))
	f := d.openFrameBrowser(t, cookiesBlocked)
	own := f.newTab(t)
	key := own.withAuthenticator()
	own.signIn("olivia@summit.test")
	own.visit("/account/passkey")
	own.click("create a passkey", `[data-passkey="create"]`)
	own.waitForText("Save your recovery codes")
	passkeys := own.passkeys(key)
	own.signOut()

	f.run("the CRM", chromedp.Navigate(crm+"/record?mfa=no&kind=jwt&record=D-1001"))
	f.mouseClick("Continue as", `#continue button`)
	f.waitForText("Confirm it’s you")
	f.screenshot("embed-confirm-passkey")
	tab := f.waitForTab("a tab for the passkey", func() { f.mouseClick("confirm", `#confirm form[target] button`) })
	tab.waitUntil("it asks", `location.pathname === "/confirm/sample-jwt" && document.querySelector("#passkey")`)
	tab.addPasskeys(tab.withAuthenticator(), passkeys)
	tab.screenshot("confirm-passkey")
	tab.checkAccessible("the tab for a passkey")
	// The page asked before its browser had the passkey. The reloaded page asks at once.
	tab.run("again", chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, cdppage.Reload, cdppage.ReloadParams{})
		return err
	}))
	f.frameUntil("the intake, with nothing pressed", `/\/leads\/new$/.test(location.pathname)`)
	waitFor(t, stepTimeout, "the tab closes itself", func() bool {
		all, err := chromedp.Targets(f.ctx)
		if err != nil {
			t.Fatal(err)
		}
		for _, one := range all {
			if strings.Contains(one.URL, "/confirm/") {
				return false
			}
		}
		return true
	})
}

// passkeys returns what a virtual security key holds.
func (w *window) passkeys(key webauthn.AuthenticatorID) (all []*webauthn.Credential) {
	w.t.Helper()
	w.run("the passkeys", chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		got, err := cdp.Call(ctx, t, webauthn.GetCredentials, webauthn.GetCredentialsParams{AuthenticatorID: key})
		all = got.Credentials
		return err
	}))
	return all
}

// addPasskeys adds passkeys of another security key, without what this browser supports only in real ones.
func (w *window) addPasskeys(key webauthn.AuthenticatorID, all []*webauthn.Credential) {
	w.t.Helper()
	add := cdp.Command[map[string]any, cdp.Empty]{Method: webauthn.CommandAddCredential}
	w.run("the passkeys", chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		for _, one := range all {
			if _, err := cdp.Call(ctx, t, add, map[string]any{"authenticatorId": key, "credential": map[string]any{
				"credentialId": one.CredentialID, "isResidentCredential": true, "rpId": one.RpID,
				"privateKey": one.PrivateKey, "userHandle": one.UserHandle, "signCount": one.SignCount + 1,
				"backupEligibility": one.BackupEligibility, "backupState": one.BackupState,
			}}); err != nil {
				return err
			}
		}
		return nil
	}))
}
