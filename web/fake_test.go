package web

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/account"
	"hearthline/internal/desk"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/hub"
	"hearthline/internal/store"
	"hearthline/internal/vault"
	"hearthline/web/page"
)

// memory keeps sessions and people for tests.
type memory struct {
	page.Accounts // nil: a test that asks for more than a log-in has a house

	mu       sync.Mutex
	sessions map[string]access.Session
	users    map[string]access.User
	touched  int
	looked   int
	stepUp   bool // nobody has stepped up
}

func (m *memory) Session(_ context.Context, hash string) (access.Session, access.User, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.looked++
	s, ok := m.sessions[hash]
	if !ok {
		return access.Session{}, access.User{}, fault.New(fault.NotFound, "no session")
	}
	return s, m.users[s.UserID], nil
}

func (m *memory) AddSession(_ context.Context, s access.Session) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.sessions[s.IDHash] = s
	return nil
}

func (m *memory) TouchSession(_ context.Context, hash string, at time.Time) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.sessions[hash]
	s.LastSeen = at
	m.sessions[hash] = s
	m.touched++
	return nil
}

func (m *memory) SaveSessionData(_ context.Context, hash string, data []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.sessions[hash]
	s.Data = data
	m.sessions[hash] = s
	return nil
}

func (m *memory) EndSession(_ context.Context, hash string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.sessions, hash)
	return nil
}

func (m *memory) change(id string, f func(*access.User)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	u := m.users[id]
	f(&u)
	m.users[id] = u
}

// LogIn implements Accounts: every person has the same password.
func (m *memory) LogIn(_ context.Context, email, password string, _ account.From) (access.User, error) {
	for _, u := range m.users {
		if u.Email == email && password == "right" {
			return u, nil
		}
	}
	return access.User{}, fault.New(fault.Invalid, "That e-mail and password do not belong together.")
}

// RememberDevice implements Accounts.
func (m *memory) RememberDevice(userID, _ string) string { return "device-of-" + userID }

// Arrived implements Accounts.
func (m *memory) Arrived(context.Context, access.User, access.Proof, account.From) error { return nil }

// Needs implements Accounts: a password is enough.
func (m *memory) Needs(context.Context, string) (account.Need, error) {
	return account.NeedNothing, nil
}

// Mails implements Accounts.
func (m *memory) Mails() bool { return false }

// SignOn implements Accounts.
func (m *memory) SignOn() string { return "" }

// HoldAt implements Accounts.
func (m *memory) HoldAt(context.Context, string, string, account.Held) error { return nil }

// HeldAt implements Accounts.
func (m *memory) HeldAt(context.Context, string, string) (account.Held, error) {
	return account.Held{}, nil
}

// HoldOver implements Accounts.
func (m *memory) HoldOver(context.Context, string, account.Held) (string, error) { return "", nil }

// Passkeys implements Accounts.
func (m *memory) Passkeys() bool { return false }

// Suffices implements Accounts.
func (m *memory) Suffices(access.Proof) bool { return true }

// ProvedUntil implements Accounts.
func (m *memory) ProvedUntil(session access.Session) time.Time {
	if m.stepUp {
		return time.Time{}
	}
	return session.Expires
}

// Hold implements Accounts.
func (m *memory) Hold(context.Context, string, string, account.Held) error { return nil }

// ProveSession implements SessionRows.
func (m *memory) ProveSession(_ context.Context, old string, proved access.Session) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	_, ours := m.sessions[old]
	delete(m.sessions, old)
	m.sessions[proved.IDHash] = proved
	return ours, nil
}

// TurnSession implements SessionRows.
func (m *memory) TurnSession(ctx context.Context, old string, turned access.Session) (bool, error) {
	return m.ProveSession(ctx, old, turned)
}

// portal is a server with fakes around it.
type portal struct {
	*Server
	rows   *memory
	log    *bytes.Buffer
	at     time.Time
	hub    *hub.Hub
	hooked [][]byte
}

func (p *portal) now() time.Time { return p.at }

func (p *portal) Receive(_ context.Context, body []byte) error {
	p.hooked = append(p.hooked, body)
	return nil
}

const (
	hookToken = "0123456789abcdef0123456789abcdef"
	ownLead   = "0f0e0d0c-0000-4000-8000-000000000001"
)

// timeless leaves the clock out of a log line: its nanoseconds can spell any four digits,
// and the tests look for the last four of an SSN.
var timeless = &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
	if a.Key == slog.TimeKey {
		return slog.Attr{}
	}
	return a
}}

// newPortal serves at base, with the routes of the table and more. Its desks know no
// lead; withLeads gives them a store.
func newPortal(t *testing.T, base string, more ...page.Route) *portal {
	t.Helper()
	u, err := url.Parse(base)
	if err != nil {
		t.Fatal(err)
	}
	p := &portal{
		rows: &memory{sessions: map[string]access.Session{}, users: map[string]access.User{}},
		log:  &bytes.Buffer{}, at: time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC), hub: &hub.Hub{},
	}
	for _, role := range access.Roles() {
		p.rows.users[string(role)] = access.User{Actor: access.Actor{
			UserID: string(role), Name: "Olivia Bennett", Email: string(role) + "@summit.test", Role: role, OriginatorUUID: "o-1", BrokerID: "summit",
		}}
	}
	p.Server = newServer(page.Deps{
		BaseURL: u, Log: slog.New(slog.NewJSONHandler(p.log, timeless)), Now: p.now,
		Sessions: p.rows, Accounts: p.rows,
		Desks:      &desk.Rooms{Hub: p.hub, Now: p.now},
		Inbox:      p,
		HookTokens: func() []string { return []string{hookToken} },
		Ready:      func(context.Context) error { return nil },
	}, more)
	return p
}

// withLeads gives the desks a store that holds ownLead and strangersLead.
func (p *portal) withLeads(t *testing.T) *portal {
	t.Helper()
	keys, err := vault.InMemory()
	if err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "portal.db"), store.Options{Now: p.now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	err = s.Write(t.Context(), func(tx *store.Tx) error {
		for app, owner := range map[heloc.AppID][2]string{ownLead: {"o-1", "summit"}, strangersLead: {"o-2", "lakeside"}} {
			l := store.Lead{App: app, Originator: heloc.OriginatorID(owner[0]), BrokerID: owner[1], Company: owner[1]}
			if err := tx.AddLead(t.Context(), &l, p.at); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	p.Desks = &desk.Rooms{Store: s, Vault: keys, Hub: p.hub, Now: p.now}
	return p
}

// browserOf is a person's browser: it keeps cookies, and nothing else.
type browserOf struct {
	t       *testing.T
	p       *portal
	cookies map[string]string
}

func (p *portal) browser(t *testing.T) *browserOf {
	return &browserOf{t: t, p: p, cookies: map[string]string{}}
}

// signedIn is the browser of a person with this role.
func (p *portal) signedIn(t *testing.T, role access.Role) *browserOf {
	t.Helper()
	b := p.browser(t)
	if res := b.logIn(role); res.Code != http.StatusSeeOther {
		t.Fatalf("log in: got %d, want 303", res.Code)
	}
	return b
}

func (b *browserOf) logIn(role access.Role) *httptest.ResponseRecorder {
	return b.post("/login", url.Values{"email": {string(role) + "@summit.test"}, "password": {"right"}})
}

func (b *browserOf) get(path string, headers ...string) *httptest.ResponseRecorder {
	return b.do(httptest.NewRequest(http.MethodGet, path, nil), headers...)
}

func (b *browserOf) post(path string, form url.Values, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return b.do(r, headers...)
}

func (b *browserOf) do(r *http.Request, headers ...string) *httptest.ResponseRecorder {
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	for name, value := range b.cookies {
		r.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	w := httptest.NewRecorder()
	b.p.ServeHTTP(w, r)
	for _, c := range w.Result().Cookies() {
		if c.MaxAge < 0 {
			delete(b.cookies, c.Name)
		} else {
			b.cookies[c.Name] = c.Value
		}
	}
	return w
}

// text is a handler that answers with a text.
func text(answer string) page.Handler {
	return func(w http.ResponseWriter, _ *http.Request) error { return page.Say(w, answer) }
}
