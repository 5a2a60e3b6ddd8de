package web

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/alexedwards/argon2id"

	"hearthline/internal/access"
	"hearthline/internal/account"
	"hearthline/internal/desk"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/pubsub"
	"hearthline/internal/store"
	"hearthline/internal/store/storetest"
	"hearthline/internal/vault"
	"hearthline/web/page"
)

// memoryStore holds sessions and users for tests.
type memoryStore struct {
	mu       sync.Mutex
	sessions map[string]access.Session
	users    map[string]access.User
	touches  int
	lookups  int
	stepUp   bool // users own a second factor that they have not used, so that they must step up
}

func (m *memoryStore) Session(_ context.Context, hash string) (access.Session, access.User, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.lookups++
	s, ok := m.sessions[hash]
	if !ok {
		return access.Session{}, access.User{}, fault.New(fault.NotFound, "no session")
	}
	s.OwnsSecondFactor = m.stepUp
	return s, m.users[s.UserID], nil
}

func (m *memoryStore) AddSession(_ context.Context, s access.Session) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.sessions[s.IDHash] = s
	return nil
}

func (m *memoryStore) TouchSession(_ context.Context, hash string, at time.Time) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.sessions[hash]
	s.LastSeen = at
	m.sessions[hash] = s
	m.touches++
	return nil
}

func (m *memoryStore) SaveSessionData(_ context.Context, hash string, data []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.sessions[hash]
	s.Data = data
	m.sessions[hash] = s
	return nil
}

func (m *memoryStore) EndSession(_ context.Context, hash string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.sessions, hash)
	return nil
}

func (m *memoryStore) changeUser(id string, f func(*access.User)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	u := m.users[id]
	f(&u)
	m.users[id] = u
}

// ElevateSession implements SessionRows.
func (m *memoryStore) ElevateSession(_ context.Context, old string, elevated access.Session) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	_, ok := m.sessions[old]
	delete(m.sessions, old)
	m.sessions[elevated.IDHash] = elevated
	return ok, nil
}

// RotateSession implements SessionRows.
func (m *memoryStore) RotateSession(ctx context.Context, old string, rotated access.Session) (bool, error) {
	return m.ElevateSession(ctx, old, rotated)
}

// fakedServer is a server without a lender, whose sessions are in memory.
type fakedServer struct {
	*Server
	rows          *memoryStore
	log           *bytes.Buffer
	currentTime   time.Time
	hub           *pubsub.Hub
	webhookBodies [][]byte

	base     *url.URL
	more     []page.Route
	store    *store.Store
	vault    *vault.Vault
	accounts *account.Service
}

func (p *fakedServer) now() time.Time { return p.currentTime }

func (p *fakedServer) ReceiveWebhook(_ context.Context, body []byte) error {
	p.webhookBodies = append(p.webhookBodies, body)
	return nil
}

const (
	webhookToken = "0123456789abcdef0123456789abcdef"
	ownLead      = "0f0e0d0c-0000-4000-8000-000000000001"
)

// logWithoutTime omits the time from log lines: its nanoseconds can contain any four digits, and the tests look for
// the last four digits of an SSN.
var logWithoutTime = &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
	if a.Key == slog.TimeKey {
		return slog.Attr{}
	}
	return a
}}

// newFakedServer serves at base, with the routes of the portal and more. It has no leads; withLeads adds some.
func newFakedServer(t *testing.T, base string, more ...page.Route) *fakedServer {
	t.Helper()
	u, err := url.Parse(base)
	if err != nil {
		t.Fatal(err)
	}
	p := &fakedServer{
		rows: &memoryStore{sessions: map[string]access.Session{}, users: map[string]access.User{}},
		base: u, more: more, log: &bytes.Buffer{}, currentTime: time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC), hub: &pubsub.Hub{},
	}
	for _, role := range access.Roles() {
		p.rows.users[string(role)] = access.User{Actor: access.Actor{
			UserID: string(role), Name: "Olivia Bennett", Email: string(role) + "@summit.test", Role: role, OriginatorUUID: "o-1", BrokerID: "summit",
		}}
	}
	p.store, p.accounts = openFakedStore(t, p)
	p.rebuild(func(*Deps) {})
	return p
}

// openFakedStore returns a store with the users, whose password is "right", and the accounts in it.
func openFakedStore(t *testing.T, p *fakedServer) (*store.Store, *account.Service) {
	t.Helper()
	keys, err := vault.InMemory()
	if err != nil {
		t.Fatal(err)
	}
	p.vault = keys
	s, err := store.Open(t.Context(), storetest.NewFile(t), store.Options{Now: p.now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	hash, err := argon2id.CreateHash("right", &argon2id.Params{Memory: 8, Iterations: 1, Parallelism: 1, SaltLength: 16, KeyLength: 32})
	if err != nil {
		t.Fatal(err)
	}
	for _, u := range p.rows.users {
		u.OriginatorUUID = "" // only one account may have an originator; the sessions have it
		if err := s.AddUser(t.Context(), u, hash); err != nil {
			t.Fatal(err)
		}
	}
	return s, account.New(s, keys, account.Options{
		Cost: account.Cost{MemoryKiB: 8, Iterations: 1, Lanes: 1}, Now: p.now, Base: &url.URL{Scheme: "http", Host: "localhost"},
	})
}

// rebuild builds the server again with other dependencies.
func (p *fakedServer) rebuild(change func(*Deps)) {
	deps := Deps{
		BaseURL: p.base, Log: slog.New(slog.NewJSONHandler(p.log, logWithoutTime)), Now: p.now,
		Sessions: p.rows, Accounts: p.accounts,
		Desks:         desk.New(desk.Deps{Store: p.store, Vault: p.vault, Hub: p.hub, Now: p.now}),
		Webhooks:      p,
		WebhookTokens: func() []string { return []string{webhookToken} },
		Ready:         func(context.Context) error { return nil },
	}
	change(&deps)
	p.Server = newServer(deps, p.more)
}

// withLeads adds ownLead and foreignLead.
func (p *fakedServer) withLeads(t *testing.T) *fakedServer {
	t.Helper()
	err := p.store.Write(t.Context(), func(tx *store.Tx) error {
		for app, owner := range map[heloc.AppID][2]string{ownLead: {"o-1", "summit"}, foreignLead: {"o-2", "lakeside"}} {
			l := lead.Row{App: app, Originator: heloc.OriginatorID(owner[0]), BrokerID: owner[1], Company: owner[1]}
			if err := tx.AddLead(t.Context(), &l, p.currentTime); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// fakeBrowser is a user's browser. It stores cookies and nothing else.
type fakeBrowser struct {
	t       *testing.T
	p       *fakedServer
	cookies map[string]string
}

func (p *fakedServer) newBrowser(t *testing.T) *fakeBrowser {
	return &fakeBrowser{t: t, p: p, cookies: map[string]string{}}
}

// signedIn returns the browser of a user with this role.
func (p *fakedServer) signedIn(t *testing.T, role access.Role) *fakeBrowser {
	t.Helper()
	b := p.newBrowser(t)
	if res := b.signIn(role); res.Code != http.StatusSeeOther {
		t.Fatalf("sign in: got %d, want 303", res.Code)
	}
	return b
}

func (b *fakeBrowser) signIn(role access.Role) *httptest.ResponseRecorder {
	return b.post("/login", url.Values{"email": {string(role) + "@summit.test"}, "password": {"right"}})
}

func (b *fakeBrowser) get(path string, headers ...string) *httptest.ResponseRecorder {
	return b.do(httptest.NewRequest(http.MethodGet, path, nil), headers...)
}

func (b *fakeBrowser) post(path string, form url.Values, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return b.do(r, headers...)
}

func (b *fakeBrowser) do(r *http.Request, headers ...string) *httptest.ResponseRecorder {
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

// textHandler returns a handler that responds with a text.
func textHandler(answer string) page.Handler {
	return func(w http.ResponseWriter, _ *http.Request) error { return page.WriteText(w, answer) }
}
