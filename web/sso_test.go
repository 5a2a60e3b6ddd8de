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
	"hearthline/web/page"
)

// signsOn is a provider that answers for one person.
type signsOn struct {
	page.Accounts
	on   account.SignedOn
	away *string // the session in which somebody went to confirm
}

func (signsOn) SignOn() string { return "acme" }

func (signsOn) BeginSSO(_ context.Context, name, _ string, _ account.From) (token, address string, err error) {
	if name != "acme" {
		return "", "", fault.New(fault.NotFound, "There is nothing at this address.")
	}
	return "token", "https://sso.example/auth?state=s", nil
}

func (p signsOn) ConfirmSSO(_ context.Context, session access.Session, _ account.From) (token, address string, err error) {
	*p.away = session.IDHash
	return "token", "https://sso.example/auth?state=s&prompt=login", nil
}

func (p signsOn) FinishSSO(_ context.Context, _, token string, back account.Callback) (account.SignedOn, error) {
	if token != "token" || back.State != "s" {
		return account.SignedOn{}, fault.New(fault.Invalid, "This sign-on opens nothing here.")
	}
	on := p.on
	if p.away != nil {
		on.Session = *p.away
	}
	return on, nil
}

func (v *visitor) unfollowed() *visitor {
	v.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return v
}

func TestSingleSignOn(t *testing.T) {
	for _, required := range []bool{false, true} {
		for _, proof := range []access.Proof{access.BySingleSignOn, access.ByStrongSSO} {
			h := newHouse(t, furnished{still: true, idle: true, required: required})
			h.Server.Accounts = signsOn{Accounts: h.known, on: account.SignedOn{User: h.people["olivia"], Proof: proof, Next: "/drafts"}}
			v := h.stranger().unfollowed()
			if href := v.get("/login?next=/drafts").Find(`a[href^="/login/sso/acme"]`).AttrOr("href", ""); href != "/login/sso/acme?next=%2Fdrafts" {
				t.Fatalf("the log-in page leads to %q", href)
			}
			if got := v.get("/login/sso/acme").header.Get("Location"); !strings.HasPrefix(got, "https://sso.example/") {
				t.Fatalf("it begins at %q", got)
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

func TestSignOnsThatAreNotOurs(t *testing.T) {
	h := newHouse(t, furnished{still: true, idle: true})
	h.Server.Accounts = signsOn{Accounts: h.known, on: account.SignedOn{User: h.people["olivia"], Proof: access.ByStrongSSO, Next: "https://evil.test/"}}
	v := h.stranger().unfollowed()
	if got := v.get("/login/sso/acme/callback?code=c&state=s"); got.status != http.StatusUnprocessableEntity {
		t.Errorf("a browser that began nothing: got %d, want 422", got.status)
	}
	if got := v.get("/login/sso/acme", "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document").header.Get("Location"); got != "/login" {
		t.Errorf("another site's link leads to %q, want the log-in page", got)
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

func TestWhoHasSingleSignOnAloneConfirmsThere(t *testing.T) {
	h, clock := strict(t)
	olivia := h.people["olivia"]
	h.must(h.store.Write(t.Context(), func(tx *store.Tx) error {
		return tx.AddIdentity(t.Context(), "https://sso.example", "1", olivia.UserID)
	}))
	away := ""
	h.Server.Accounts = signsOn{Accounts: h.known, on: account.SignedOn{User: olivia, Proof: access.ByStrongSSO, Next: "/leads"}, away: &away}
	v := h.stranger().unfollowed()
	v.get("/login/sso/acme")
	v.get("/login/sso/acme/callback?code=c&state=s")
	v.client.CheckRedirect = nil
	lead := v.start("Rivera")
	later := func() {
		for range 3 {
			clock.by(25 * time.Minute)
			v.get(lead)
		}
	}
	later()
	asked := v.post(lead+"/reveal", url.Values{"reason": {"She asked for her address"}})
	asked.says("Confirm by single sign-on")
	if asked.path != "/account/confirm" || asked.Find(`a[href="/account/confirm/sso"]`).Length() != 1 || asked.Find("#proof").Length() != 0 {
		t.Fatalf("got %d at %s: %s", asked.status, asked.path, asked.text())
	}
	v.unfollowed()
	before := v.cookie("sid")
	if got := v.get("/account/confirm/sso").header.Get("Location"); !strings.Contains(got, "prompt=login") {
		t.Fatalf("it leads to %q", got)
	}
	v.get("/login/sso/acme/callback?code=c&state=s", "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document")
	if v.cookie("sid") == before {
		t.Error("the token is the one of before")
	}
	v.client.CheckRedirect = nil
	back := v.get("/account/confirm")
	back.says("Go on where you were", "She asked for her address")
	v.send(back.form("form#resume-form")).says("elena@borrower.test")

	// Who comes back to another session has proved nothing there.
	later()
	v.unfollowed()
	v.get("/account/confirm/sso")
	away, before = "another session", v.cookie("sid")
	if got := v.get("/login/sso/acme/callback?code=c&state=s").header.Get("Location"); got != "/account/confirm" || v.cookie("sid") != before {
		t.Errorf("another session: it leads to %q, and the token is the same: %v", got, v.cookie("sid") == before)
	}
}
