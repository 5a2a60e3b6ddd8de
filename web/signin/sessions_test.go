package signin_test

import (
	"encoding/base64"
	"net/http"
	"strings"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/web/guard"
	"hearthline/web/page"
	"hearthline/web/webtest"
)

func TestSessionCookie_Attributes(t *testing.T) {
	t.Parallel()
	for base, want := range map[string]struct {
		name   string
		secure bool
	}{
		"https://portal.example": {"__Host-sid", true},
		"http://localhost:8080":  {"sid", false},
	} {
		res := webtest.NewFakedServer(t, base).NewBrowser(t).SignIn(access.Originator).Result()
		cookies := res.Cookies()
		if len(cookies) != 2 {
			t.Fatalf("%s: got %d cookies, want the session's and the device's", base, len(cookies))
		}
		c, device := cookies[0], cookies[1]
		if device.Name != strings.Replace(want.name, "sid", "device", 1) || device.Secure != want.secure ||
			!device.HttpOnly || device.SameSite != http.SameSiteStrictMode ||
			device.Path != "/" || device.Domain != "" || device.MaxAge <= 0 {
			t.Errorf("%s: got %q", base, device.Raw)
		}
		if c.Name != want.name || c.Secure != want.secure || !c.HttpOnly || c.SameSite != http.SameSiteLaxMode ||
			c.Path != "/" || c.Domain != "" || c.MaxAge != 0 || !c.Expires.IsZero() {
			t.Errorf("%s: got %q", base, c.Raw)
		}
		if raw, err := base64.RawURLEncoding.DecodeString(c.Value); err != nil || len(raw) != 32 {
			t.Errorf("%s: the token is %d bytes (%v), want 32", base, len(raw), err)
		}
	}
}

func TestSessionStore_HoldsHashOnly(t *testing.T) {
	t.Parallel()
	p := webtest.NewFakedServer(t, "http://localhost:8080")
	b := p.SignedIn(t, access.Originator)
	token := b.Cookies["sid"]
	for hash, s := range p.Rows.Sessions(t.Context(), p.CurrentTime) {
		if len(hash) != 64 || strings.Contains(hash, token) || s.IDHash != hash {
			t.Errorf("a session is stored under %q", hash)
		}
	}
	stolen := p.NewBrowser(t)
	for hash := range p.Rows.Sessions(t.Context(), p.CurrentTime) {
		stolen.Cookies["sid"] = hash
	}
	if res := stolen.Get("/account", "HX-Request", "true"); res.Code != http.StatusUnauthorized {
		t.Errorf("the hash of a token opens a session: got %d", res.Code)
	}
}

func TestSignIn_Again_EndsOldSession(t *testing.T) {
	t.Parallel()
	p := webtest.NewFakedServer(t, "http://localhost:8080")
	b := p.SignedIn(t, access.Originator)
	old := b.Cookies["sid"]
	if res := b.SignIn(access.Manager); res.Code != http.StatusSeeOther {
		t.Fatalf("got %d, want 303", res.Code)
	}
	if b.Cookies["sid"] == old {
		t.Fatal("the token did not change at sign-in")
	}
	if len(p.Rows.Sessions(t.Context(), p.CurrentTime)) != 1 {
		t.Errorf("%d sessions are stored, want only the new one", len(p.Rows.Sessions(t.Context(), p.CurrentTime)))
	}
}

func TestSession_PlantedToken_NotAdopted(t *testing.T) {
	t.Parallel()
	p := webtest.NewFakedServer(t, "http://localhost:8080")
	b := p.NewBrowser(t)
	b.Cookies["sid"] = "planted"
	b.SignIn(access.Originator)
	if b.Cookies["sid"] == "planted" {
		t.Error("an attacker's token became a session")
	}
}

func TestSession_IdleAndAbsoluteLimits(t *testing.T) {
	t.Parallel()
	tests := []struct {
		what string
		wait func(p *webtest.FakedServer, b *webtest.FakeBrowser)
		want int
	}{
		{"before the idle limit", func(p *webtest.FakedServer, _ *webtest.FakeBrowser) {
			p.CurrentTime = p.CurrentTime.Add(guard.IdleLimit - time.Second)
		}, http.StatusOK},
		{"at the idle limit", func(p *webtest.FakedServer, _ *webtest.FakeBrowser) {
			p.CurrentTime = p.CurrentTime.Add(guard.IdleLimit)
		}, http.StatusSeeOther},
		{"with user requests in between", func(p *webtest.FakedServer, b *webtest.FakeBrowser) {
			for range 3 {
				p.CurrentTime = p.CurrentTime.Add(guard.IdleLimit - time.Minute)
				b.Get("/mine")
			}
		}, http.StatusOK},
		{"with only the page's own refreshes", func(p *webtest.FakedServer, b *webtest.FakeBrowser) {
			for range 3 {
				p.CurrentTime = p.CurrentTime.Add(guard.IdleLimit / 2)
				b.Get("/mine", "Session-Renew", "no", "HX-Request", "true")
			}
		}, http.StatusSeeOther},
		{"at the absolute limit, despite activity", func(p *webtest.FakedServer, b *webtest.FakeBrowser) {
			for range 24 * 2 {
				p.CurrentTime = p.CurrentTime.Add(guard.AbsoluteLimit / 48)
				b.Get("/mine")
			}
		}, http.StatusSeeOther},
		{"when the account is closed", func(p *webtest.FakedServer, _ *webtest.FakeBrowser) {
			p.Rows.ChangeUser("originator", func(u *access.User) { u.Disabled = true })
		}, http.StatusSeeOther},
		{"not when the role changes, but the new role applies immediately",
			func(p *webtest.FakedServer, _ *webtest.FakeBrowser) {
				p.Rows.ChangeUser("originator", func(u *access.User) { u.Role = access.Admin })
			}, http.StatusForbidden},
	}
	for _, tt := range tests {
		t.Run(tt.what, func(t *testing.T) {
			p := webtest.NewFakedServer(t, "http://localhost:8080", page.Route{
				Method: http.MethodGet, Pattern: "/mine", Name: "mine", Permission: access.SeePipeline,
				Handler: webtest.TextHandler("mine"),
			}).WithLeads(t)
			b := p.SignedIn(t, access.Originator)
			tt.wait(p, b)
			for range 2 { // an expired session does not become valid again
				if res := b.Get("/mine"); res.Code != tt.want {
					t.Errorf("got %d, want %d", res.Code, tt.want)
				}
			}
		})
	}
}

func TestSession_TouchedOncePerMinute(t *testing.T) {
	t.Parallel()
	p := webtest.NewFakedServer(t, "http://localhost:8080")
	b := p.SignedIn(t, access.Originator)
	for range 59 {
		p.CurrentTime = p.CurrentTime.Add(time.Second)
		b.Get("/")
	}
	if p.Rows.Touches != 0 {
		t.Errorf("written %d times within a minute, want none", p.Rows.Touches)
	}
	p.CurrentTime = p.CurrentTime.Add(time.Second)
	b.Get("/")
	if p.Rows.Touches != 1 {
		t.Errorf("written %d times after a minute, want once", p.Rows.Touches)
	}
}

func TestSession_OneQueryPerRequest(t *testing.T) {
	t.Parallel()
	p := webtest.NewFakedServer(t, "http://localhost:8080")
	b := p.SignedIn(t, access.Originator)
	p.Rows.Lookups = 0
	b.Get("/")
	if p.Rows.Lookups != 1 {
		t.Errorf("the store got %d queries in one request, want one", p.Rows.Lookups)
	}
}

func TestSessionExpires_Header(t *testing.T) {
	t.Parallel()
	p := webtest.NewFakedServer(t, "http://localhost:8080")
	b := p.SignedIn(t, access.Originator)
	p.CurrentTime = p.CurrentTime.Add(10 * time.Minute)
	if got, want := b.Get("/").Header().Get("Session-Expires"), "1795171200000"; got != want {
		t.Errorf("got %q, want %q: half an hour after the request", got, want)
	}
}

func TestSignOut_EndsSessionAndClearsStorage(t *testing.T) {
	t.Parallel()
	p := webtest.NewFakedServer(t, "https://portal.example")
	b := p.SignedIn(t, access.Originator)
	token := b.Cookies["__Host-sid"]
	res := b.Post("/logout", nil)
	if res.Code != http.StatusSeeOther || res.Header().Get("Location") != "/login" {
		t.Errorf("got %d to %q, want 303 to /login", res.Code, res.Header().Get("Location"))
	}
	if got := res.Header().Get("Clear-Site-Data"); got != `"storage"` {
		t.Errorf("Clear-Site-Data is %q", got)
	}
	set := res.Header().Get("Set-Cookie")
	if !strings.HasPrefix(set, "__Host-sid=;") || !strings.Contains(set, "Max-Age=0") || !strings.Contains(set, "Secure") {
		t.Errorf("the cookie is not expired: %q", set)
	}
	b.Cookies["__Host-sid"] = token
	if res := b.Get("/"); res.Header().Get("Location") != "/login" {
		t.Errorf("the old token still leads to %q", res.Header().Get("Location"))
	}
}
