package web

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

func (p fakeSSO) BeginSSOStepUp(_ context.Context, session access.Session, _ account.ClientInfo) (token, address string, err error) {
	*p.stepUpSession = session.IDHash
	return "token", "https://sso.example/auth?state=s&prompt=login", nil
}

func (p fakeSSO) FinishSSO(_ context.Context, _, token string, back account.Callback) (account.SSOResult, error) {
	if token != "token" || back.State != "s" {
		return account.SSOResult{}, fault.New(fault.Invalid, "connected to Hearthline")
	}
	on := p.signedOn
	if p.stepUpSession != nil {
		on.Session = *p.stepUpSession
	}
	return on, nil
}

// useSSO replaces the provider of single sign-on.
func (h *harness) useSSO(p fakeSSO) {
	deps := h.Server.Deps
	deps.SSO = p
	h.Server = New(deps)
	h.httpServer.Config.Handler = h.Server
}

func (v *testBrowser) withoutRedirects() *testBrowser {
	v.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return v
}

func TestSSO_SignsIn(t *testing.T) {
	t.Parallel()
	for _, required := range []bool{false, true} {
		for _, proof := range []access.Proof{access.BySingleSignOn, access.ByStrongSSO} {
			h := newHarness(t, harnessOptions{noSync: true, noJobs: true, mfaRequired: required})
			h.useSSO(fakeSSO{signedOn: account.SSOResult{User: h.people["olivia"], Proof: proof, Next: "/drafts"}})
			v := h.newBrowser().withoutRedirects()
			if href := v.get("/login?next=/drafts").Find(`a[href^="/login/sso/acme"]`).AttrOr("href", ""); href != "/login/sso/acme?next=%2Fdrafts" {
				t.Fatalf("the sign-in page links to %q", href)
			}
			if got := v.get("/login/sso/acme").header.Get("Location"); !strings.HasPrefix(got, "https://sso.example/") {
				t.Fatalf("it starts at %q", got)
			}
			want := "/drafts"
			if required && proof == access.BySingleSignOn {
				want = "/login/second-factor?next=%2Fdrafts"
			}
			if got := v.get("/login/sso/acme/callback?code=c&state=s", "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document").header.Get("Location"); got != want {
				t.Errorf("required %v, %s: it ends at %q, want %q", required, proof, got, want)
			}
		}
	}
}

func TestSSO_ForeignOrForged_Rejected(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{noSync: true, noJobs: true})
	h.useSSO(fakeSSO{signedOn: account.SSOResult{User: h.people["olivia"], Proof: access.ByStrongSSO, Next: "https://evil.test/"}})
	v := h.newBrowser().withoutRedirects()
	if got := v.get("/login/sso/acme/callback?code=c&state=s"); got.status != http.StatusUnprocessableEntity {
		t.Errorf("a browser that started no sign-in: got %d, want 422", got.status)
	}
	if got := v.get("/login/sso/acme", "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document").header.Get("Location"); got != "/login" {
		t.Errorf("another site's link leads to %q, want the sign-in page", got)
	}
	if got := v.get("/login/sso/other"); got.status != http.StatusNotFound {
		t.Errorf("another provider: got %d, want 404", got.status)
	}
	v.get("/login/sso/acme")
	if got := v.get("/login/sso/acme/callback?code=c&state=t"); got.status != http.StatusUnprocessableEntity {
		t.Errorf("another state: got %d, want 422", got.status)
	}
	v.get("/login/sso/acme")
	if got := v.get("/login/sso/acme/callback?code=c&state=s").header.Get("Location"); got != "/leads" {
		t.Errorf("it ends at %q, want no other site", got)
	}
}

func TestStepUp_BySSO(t *testing.T) {
	t.Parallel()
	h, clock := newMFAHarness(t)
	olivia := h.people["olivia"]
	h.must(h.store.Write(t.Context(), func(tx *store.Tx) error {
		return tx.AddIdentity(t.Context(), "https://sso.example", "1", olivia.UserID)
	}))
	away := ""
	h.useSSO(fakeSSO{signedOn: account.SSOResult{User: olivia, Proof: access.ByStrongSSO, Next: "/leads"}, stepUpSession: &away})
	v := h.newBrowser().withoutRedirects()
	v.get("/login/sso/acme")
	v.get("/login/sso/acme/callback?code=c&state=s")
	v.client.CheckRedirect = nil
	lead := v.startLead("Rivera")
	later := func() {
		for range 3 {
			clock.advance(25 * time.Minute)
			v.get(lead)
		}
	}
	later()
	asked := v.post(lead+"/reveal", url.Values{"reason": {"She asked for her address"}})
	asked.wantText("Confirm with single sign-on")
	if asked.path != "/account/confirm" || asked.Find(`a[href="/account/confirm/sso"]`).Length() != 1 || asked.Find("#proof").Length() != 0 {
		t.Fatalf("got %d at %s: %s", asked.status, asked.path, asked.text())
	}
	v.withoutRedirects()
	before := v.cookie("sid")
	if got := v.get("/account/confirm/sso").header.Get("Location"); !strings.Contains(got, "prompt=login") {
		t.Fatalf("it redirects to %q", got)
	}
	v.get("/login/sso/acme/callback?code=c&state=s", "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document")
	if v.cookie("sid") == before {
		t.Error("the token did not change")
	}
	v.client.CheckRedirect = nil
	back := v.get("/account/confirm")
	back.wantText("Continue where you left off", "She asked for her address")
	v.send(back.form("form#resume-form")).wantText("elena@borrower.test")

	// A user who returns to another session has not stepped up there.
	later()
	v.withoutRedirects()
	v.get("/account/confirm/sso")
	away, before = "another session", v.cookie("sid")
	if got := v.get("/login/sso/acme/callback?code=c&state=s").header.Get("Location"); got != "/account/confirm" || v.cookie("sid") != before {
		t.Errorf("another session: it redirects to %q, and the token is the same: %v", got, v.cookie("sid") == before)
	}
}
