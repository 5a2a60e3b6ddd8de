package web

import (
	"encoding/base64"
	"net/http"
	"strings"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/web/guard"
	"hearthline/web/page"
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
		res := newFakedServer(t, base).newBrowser(t).signIn(access.Originator).Result()
		cookies := res.Cookies()
		if len(cookies) != 2 {
			t.Fatalf("%s: got %d cookies, want the session's and the device's", base, len(cookies))
		}
		c, device := cookies[0], cookies[1]
		if device.Name != strings.Replace(want.name, "sid", "device", 1) || device.Secure != want.secure || !device.HttpOnly || device.SameSite != http.SameSiteStrictMode ||
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
	p := newFakedServer(t, "http://localhost:8080")
	b := p.signedIn(t, access.Originator)
	token := b.cookies["sid"]
	for hash, s := range p.rows.sessions {
		if len(hash) != 64 || strings.Contains(hash, token) || s.IDHash != hash {
			t.Errorf("a session is stored under %q", hash)
		}
	}
	stolen := p.newBrowser(t)
	for hash := range p.rows.sessions {
		stolen.cookies["sid"] = hash
	}
	if res := stolen.get("/events", "HX-Request", "true"); res.Code != http.StatusUnauthorized {
		t.Errorf("the hash of a token opens a session: got %d", res.Code)
	}
}

func TestSignIn_Again_EndsOldSession(t *testing.T) {
	t.Parallel()
	p := newFakedServer(t, "http://localhost:8080")
	b := p.signedIn(t, access.Originator)
	old := b.cookies["sid"]
	if res := b.signIn(access.Manager); res.Code != http.StatusSeeOther {
		t.Fatalf("got %d, want 303", res.Code)
	}
	if b.cookies["sid"] == old {
		t.Fatal("the token did not change at sign-in")
	}
	if len(p.rows.sessions) != 1 {
		t.Errorf("%d sessions are stored, want only the new one", len(p.rows.sessions))
	}
}

func TestSession_PlantedToken_NotAdopted(t *testing.T) {
	t.Parallel()
	p := newFakedServer(t, "http://localhost:8080")
	b := p.newBrowser(t)
	b.cookies["sid"] = "planted"
	b.signIn(access.Originator)
	if b.cookies["sid"] == "planted" {
		t.Error("an attacker's token became a session")
	}
}

func TestSession_IdleAndAbsoluteLimits(t *testing.T) {
	t.Parallel()
	tests := []struct {
		what string
		wait func(p *fakedServer, b *fakeBrowser)
		want int
	}{
		{"before the idle limit", func(p *fakedServer, _ *fakeBrowser) { p.currentTime = p.currentTime.Add(guard.IdleLimit - time.Second) }, http.StatusOK},
		{"at the idle limit", func(p *fakedServer, _ *fakeBrowser) { p.currentTime = p.currentTime.Add(guard.IdleLimit) }, http.StatusSeeOther},
		{"with user requests in between", func(p *fakedServer, b *fakeBrowser) {
			for range 3 {
				p.currentTime = p.currentTime.Add(guard.IdleLimit - time.Minute)
				b.get("/mine")
			}
		}, http.StatusOK},
		{"with only the page's own refreshes", func(p *fakedServer, b *fakeBrowser) {
			for range 3 {
				p.currentTime = p.currentTime.Add(guard.IdleLimit / 2)
				b.get("/mine", "Session-Renew", "no", "HX-Request", "true")
			}
		}, http.StatusSeeOther},
		{"at the absolute limit, despite activity", func(p *fakedServer, b *fakeBrowser) {
			for range 24 * 2 {
				p.currentTime = p.currentTime.Add(guard.AbsoluteLimit / 48)
				b.get("/mine")
			}
		}, http.StatusSeeOther},
		{"when the account is closed", func(p *fakedServer, _ *fakeBrowser) {
			p.rows.changeUser("originator", func(u *access.User) { u.Disabled = true })
		}, http.StatusSeeOther},
		{"not when the role changes, but the new role applies immediately", func(p *fakedServer, _ *fakeBrowser) {
			p.rows.changeUser("originator", func(u *access.User) { u.Role = access.Admin })
		}, http.StatusForbidden},
	}
	for _, tt := range tests {
		t.Run(tt.what, func(t *testing.T) {
			p := newFakedServer(t, "http://localhost:8080", page.Route{
				Method: http.MethodGet, Pattern: "/mine", Name: "mine", Permission: access.SeePipeline, Handler: textHandler("mine"),
			}).withLeads(t)
			b := p.signedIn(t, access.Originator)
			tt.wait(p, b)
			for range 2 { // an expired session does not become valid again
				if res := b.get("/mine"); res.Code != tt.want {
					t.Errorf("got %d, want %d", res.Code, tt.want)
				}
			}
		})
	}
}

func TestSession_TouchedOncePerMinute(t *testing.T) {
	t.Parallel()
	p := newFakedServer(t, "http://localhost:8080")
	b := p.signedIn(t, access.Originator)
	for range 59 {
		p.currentTime = p.currentTime.Add(time.Second)
		b.get("/")
	}
	if p.rows.touches != 0 {
		t.Errorf("written %d times within a minute, want none", p.rows.touches)
	}
	p.currentTime = p.currentTime.Add(time.Second)
	b.get("/")
	if p.rows.touches != 1 {
		t.Errorf("written %d times after a minute, want once", p.rows.touches)
	}
}

func TestSession_OneQueryPerRequest(t *testing.T) {
	t.Parallel()
	p := newFakedServer(t, "http://localhost:8080")
	b := p.signedIn(t, access.Originator)
	p.rows.lookups = 0
	b.get("/")
	if p.rows.lookups != 1 {
		t.Errorf("the store got %d queries in one request, want one", p.rows.lookups)
	}
}

func TestSessionExpires_Header(t *testing.T) {
	t.Parallel()
	p := newFakedServer(t, "http://localhost:8080")
	b := p.signedIn(t, access.Originator)
	p.currentTime = p.currentTime.Add(10 * time.Minute)
	if got, want := b.get("/").Header().Get("Session-Expires"), "1795171200000"; got != want {
		t.Errorf("got %q, want %q: half an hour after the request", got, want)
	}
}

func TestSignOut_EndsSessionAndClearsStorage(t *testing.T) {
	t.Parallel()
	p := newFakedServer(t, "https://portal.example")
	b := p.signedIn(t, access.Originator)
	token := b.cookies["__Host-sid"]
	res := b.post("/logout", nil)
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
	b.cookies["__Host-sid"] = token
	if res := b.get("/"); res.Header().Get("Location") != "/login" {
		t.Errorf("the old token still leads to %q", res.Header().Get("Location"))
	}
}

func TestSessionValues_RoundTrip(t *testing.T) {
	t.Parallel()
	p := newFakedServer(t, "http://localhost:8080")
	st := p.guard.Sessions
	b := p.signedIn(t, access.Originator)
	request := func() *http.Request {
		r, _ := http.NewRequest(http.MethodGet, "/", nil)
		r.AddCookie(&http.Cookie{Name: "sid", Value: b.cookies["sid"]})
		return r
	}
	r := request()
	s, err := st.Get(r, "sid")
	if err != nil {
		t.Fatal(err)
	}
	s.Values["density"] = "compact"
	if err := s.Save(r, nil); err != nil {
		t.Fatal(err)
	}
	if again, err := st.Get(request(), "sid"); err != nil || again.Values["density"] != "compact" {
		t.Errorf("got %v, %v; want the value back", again.Values["density"], err)
	}
	s.Values["lead"] = struct{ Name string }{"Ana"}
	if err := s.Save(r, nil); err == nil {
		t.Error("a value that is not text was stored")
	}
}
