package web

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"hearthline/internal/access"
	"hearthline/internal/account"
	"hearthline/internal/fault"
)

// signsOn is a provider that answers for one person.
type signsOn struct {
	Accounts
	on account.SignedOn
}

func (signsOn) SignOn() string { return "acme" }

func (signsOn) BeginSSO(_ context.Context, name, _ string, _ account.From) (token, address string, err error) {
	if name != "acme" {
		return "", "", fault.New(fault.NotFound, "There is nothing at this address.")
	}
	return "token", "https://sso.example/auth?state=s", nil
}

func (p signsOn) FinishSSO(_ context.Context, _, token string, back account.Callback) (account.SignedOn, error) {
	if token != "token" || back.State != "s" {
		return account.SignedOn{}, fault.New(fault.Invalid, "This sign-on opens nothing here.")
	}
	return p.on, nil
}

func (v *visitor) unfollowed() *visitor {
	v.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return v
}

func TestSingleSignOn(t *testing.T) {
	for _, required := range []bool{false, true} {
		for _, proof := range []access.Proof{access.BySingleSignOn, access.ByStrongSSO} {
			h := newHouse(t, furnished{still: true, idle: true, required: required})
			h.Server.Accounts = signsOn{h.known, account.SignedOn{User: h.people["olivia"], Proof: proof, Next: "/drafts"}}
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
	h.Server.Accounts = signsOn{h.known, account.SignedOn{User: h.people["olivia"], Proof: access.ByStrongSSO, Next: "https://evil.test/"}}
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
