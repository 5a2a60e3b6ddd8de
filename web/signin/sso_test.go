package signin_test

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/account"
	"hearthline/internal/fault"
	"hearthline/internal/store"
	"hearthline/web"
	"hearthline/web/webtest"
)

// fakeSSO is a provider that authenticates one user.
type fakeSSO struct {
	signedOn      account.SSOResult
	stepUpSession *string // the session that started a step-up
}

func (fakeSSO) SSOName() string { return "acme" }

func (fakeSSO) BeginSSO(_ context.Context, name, _ string, _ account.ClientInfo) (token, address string, err error) {
	if name != "acme" {
		return "", "", fault.New(fault.NotFound, "Page not found.")
	}
	return "token", "https://sso.example/auth?state=s", nil
}

func (f fakeSSO) BeginSSOStepUp(_ context.Context, session access.Session,
	_ account.ClientInfo) (token, address string, err error) {
	*f.stepUpSession = session.IDHash
	return "token", "https://sso.example/auth?state=s&prompt=login", nil
}

func (f fakeSSO) FinishSSO(_ context.Context, _, token string, back account.Callback) (account.SSOResult, error) {
	if token != "token" || back.State != "s" {
		return account.SSOResult{}, fault.New(fault.Invalid, "connected to Hearthline")
	}
	on := f.signedOn
	if f.stepUpSession != nil {
		on.Session = *f.stepUpSession
	}
	return on, nil
}

// useSSO replaces the provider of single sign-on.
func useSSO(h *webtest.Harness, p fakeSSO) {
	deps := h.Server.Deps
	deps.SSO = p
	h.Server = web.New(deps)
	h.HTTPServer.Config.Handler = h.Server
}

func withoutRedirects(v *webtest.Browser) *webtest.Browser {
	v.Client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return v
}

func TestSSO_SignsIn(t *testing.T) {
	t.Parallel()
	for _, required := range []bool{false, true} {
		for _, proof := range []access.Proof{access.BySingleSignOn, access.ByStrongSSO} {
			h := webtest.New(t, webtest.Options{NoSync: true, NoJobs: true, MFARequired: required})
			useSSO(h, fakeSSO{signedOn: account.SSOResult{User: h.People["olivia"], Proof: proof, Next: "/drafts"}})
			v := withoutRedirects(h.NewBrowser())
			if href := v.Get("/login?next=/drafts").Find(`a[href^="/login/sso/acme"]`).
				AttrOr("href", ""); href != "/login/sso/acme?next=%2Fdrafts" {
				t.Fatalf("the sign-in page links to %q", href)
			}
			if got := v.Get("/login/sso/acme").Header.Get("Location"); !strings.HasPrefix(got, "https://sso.example/") {
				t.Fatalf("it starts at %q", got)
			}
			want := "/drafts"
			if required && proof == access.BySingleSignOn {
				want = "/login/second-factor?next=%2Fdrafts"
			}
			if got := v.Get("/login/sso/acme/callback?code=c&state=s", "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode",
				"navigate", "Sec-Fetch-Dest", "document").Header.Get("Location"); got != want {
				t.Errorf("required %v, %s: it ends at %q, want %q", required, proof, got, want)
			}
		}
	}
}

func TestSSO_ForeignOrForged_Rejected(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoSync: true, NoJobs: true})
	useSSO(h, fakeSSO{signedOn: account.SSOResult{User: h.People["olivia"], Proof: access.ByStrongSSO,
		Next: "https://evil.test/"}})
	v := withoutRedirects(h.NewBrowser())
	if got := v.Get("/login/sso/acme/callback?code=c&state=s"); got.Status != http.StatusUnprocessableEntity {
		t.Errorf("a browser that started no sign-in: got %d, want 422", got.Status)
	}
	if got := v.Get("/login/sso/acme", "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest",
		"document").Header.Get("Location"); got != "/login" {
		t.Errorf("another site's link leads to %q, want the sign-in page", got)
	}
	if got := v.Get("/login/sso/other"); got.Status != http.StatusNotFound {
		t.Errorf("another provider: got %d, want 404", got.Status)
	}
	v.Get("/login/sso/acme")
	if got := v.Get("/login/sso/acme/callback?code=c&state=t"); got.Status != http.StatusUnprocessableEntity {
		t.Errorf("another state: got %d, want 422", got.Status)
	}
	v.Get("/login/sso/acme")
	if got := v.Get("/login/sso/acme/callback?code=c&state=s").Header.Get("Location"); got != "/leads" {
		t.Errorf("it ends at %q, want no other site", got)
	}
}

func TestStepUp_BySSO(t *testing.T) {
	t.Parallel()
	h, clock := webtest.NewWithSecondFactors(t)
	olivia := h.People["olivia"]
	h.Must(h.Store.Write(t.Context(), func(tx *store.Tx) error {
		return tx.AddIdentity(t.Context(), "https://sso.example", "1", olivia.UserID)
	}))
	away := ""
	useSSO(h, fakeSSO{signedOn: account.SSOResult{User: olivia, Proof: access.ByStrongSSO, Next: "/leads"},
		stepUpSession: &away})
	v := withoutRedirects(h.NewBrowser())
	v.Get("/login/sso/acme")
	v.Get("/login/sso/acme/callback?code=c&state=s")
	v.Client.CheckRedirect = nil
	lead := v.StartLead("Rivera")
	later := func() {
		for range 3 {
			clock.Advance(25 * time.Minute)
			v.Get(lead)
		}
	}
	later()
	asked := v.Post(lead+"/reveal", url.Values{"reason": {"She asked for her address"}})
	asked.WantText("Confirm with single sign-on")
	if asked.Path != "/account/confirm" || asked.Find(`a[href="/account/confirm/sso"]`).Length() != 1 ||
		asked.Find("#proof").Length() != 0 {
		t.Fatalf("got %d at %s: %s", asked.Status, asked.Path, asked.MainText())
	}
	withoutRedirects(v)
	before := v.Cookie("sid")
	if got := v.Get("/account/confirm/sso").Header.Get("Location"); !strings.Contains(got, "prompt=login") {
		t.Fatalf("it redirects to %q", got)
	}
	v.Get("/login/sso/acme/callback?code=c&state=s", "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate",
		"Sec-Fetch-Dest", "document")
	if v.Cookie("sid") == before {
		t.Error("the token did not change")
	}
	v.Client.CheckRedirect = nil
	back := v.Get("/account/confirm")
	back.WantText("Continue where you left off", "She asked for her address")
	v.Send(back.Form("form#resume-form")).WantText("elena@borrower.test")

	// A user who returns to another session has not stepped up there.
	later()
	withoutRedirects(v)
	v.Get("/account/confirm/sso")
	away, before = "another session", v.Cookie("sid")
	if got := v.Get("/login/sso/acme/callback?code=c&state=s").Header.Get("Location"); got != "/account/confirm" ||
		v.Cookie("sid") != before {
		t.Errorf("another session: it redirects to %q, and the token is the same: %v", got, v.Cookie("sid") == before)
	}
}
