package webtest

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
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/lendersync"
	"hearthline/internal/pubsub"
	"hearthline/internal/store"
	"hearthline/internal/store/storetest"
	"hearthline/internal/vault"
	"hearthline/web"
	"hearthline/web/page"
)

// sessionRows are the sessions of a store whose users are in memory.
type sessionRows struct {
	*store.Store
	mu            sync.Mutex
	users         map[string]access.User
	Touches       int
	Lookups       int
	revision      int64
	RequireStepUp bool // users own a second factor that they have not used, so that they must step up
}

// Sessions returns the valid sessions by their hashes; none when the store fails.
func (s *sessionRows) Sessions(ctx context.Context, now time.Time) map[string]access.Session {
	all := map[string]access.Session{}
	for id := range s.users {
		sessions, _ := s.SessionsOf(ctx, id, now)
		for _, session := range sessions {
			all[session.IDHash] = session
		}
	}
	return all
}

func (s *sessionRows) Session(ctx context.Context, hash string) (access.Session, access.User, error) {
	session, _, err := s.Store.Session(ctx, hash)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Lookups++
	session.OwnsSecondFactor = s.RequireStepUp
	return session, s.users[session.UserID], err
}

func (s *sessionRows) TouchSession(ctx context.Context, hash string, at time.Time) error {
	s.mu.Lock()
	s.Touches++
	s.mu.Unlock()
	return s.Store.TouchSession(ctx, hash, at)
}

func (s *sessionRows) ChangeUser(id string, f func(*access.User)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	u := s.users[id]
	f(&u)
	s.users[id] = u
}

// AccessRevision implements SessionRows: every reading is after a change.
func (s *sessionRows) AccessRevision(context.Context) (int64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.revision++
	return s.revision, nil
}

// FakedServer is a server without a lender, whose users are in memory.
type FakedServer struct {
	*web.Server
	Rows          *sessionRows
	Log           *bytes.Buffer
	CurrentTime   time.Time
	Hub           *pubsub.Hub
	WebhookBodies [][]byte

	base     *url.URL
	more     []page.Route
	store    *store.Store
	vault    *vault.Vault
	accounts *account.Service
}

func (f *FakedServer) now() time.Time { return f.CurrentTime }

// ReceiveWebhook stores the body.
func (f *FakedServer) ReceiveWebhook(_ context.Context, body []byte) error {
	f.WebhookBodies = append(f.WebhookBodies, body)
	return nil
}

// The secret of the webhook address, and a lead of the faked users.
const (
	WebhookToken = "0123456789abcdef0123456789abcdef"
	OwnLead      = "0f0e0d0c-0000-4000-8000-000000000001"
)

// logWithoutTime omits the time from log lines: its nanoseconds can contain any four digits, and the tests look for
// the last four digits of an SSN.
var logWithoutTime = &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
	if a.Key == slog.TimeKey {
		return slog.Attr{}
	}
	return a
}}

// NewFakedServer serves at base, with the routes of the portal and more. It has no leads; WithLeads adds some.
func NewFakedServer(t testing.TB, base string, more ...page.Route) *FakedServer {
	t.Helper()
	u, err := url.Parse(base)
	if err != nil {
		t.Fatal(err)
	}
	p := &FakedServer{
		Rows: &sessionRows{users: map[string]access.User{}},
		base: u, more: more, Log: &bytes.Buffer{}, CurrentTime: time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC),
		Hub: &pubsub.Hub{},
	}
	for _, role := range access.Roles() {
		p.Rows.users[string(role)] = access.User{Actor: access.Actor{
			WorksFor: access.AllOriginators, Reassigns: true, // an assistant
			UserID: string(role), Name: "Olivia Bennett", Email: string(role) + "@summit.test", Role: role,
			OriginatorUUID: "o-1", BrokerID: "summit",
		}}
	}
	p.store, p.accounts = openFakedStore(t, p)
	p.Rows.Store = p.store
	p.Rebuild(func(*web.Deps) {})
	return p
}

// openFakedStore returns a store with the users, whose password is "right", and the accounts in it.
func openFakedStore(t testing.TB, p *FakedServer) (*store.Store, *account.Service) {
	t.Helper()
	keys, err := vault.InMemory()
	if err != nil {
		t.Fatal(err)
	}
	p.vault = keys
	s, err := store.Open(t.Context(), storetest.NewDatabase(t), store.Options{Now: p.now, Hub: p.Hub})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	hash, err := argon2id.CreateHash("right", &argon2id.Params{Memory: 8, Iterations: 1, Parallelism: 1, SaltLength: 16,
		KeyLength: 32})
	if err != nil {
		t.Fatal(err)
	}
	for _, u := range p.Rows.users {
		u.OriginatorUUID = "" // only one account may have an originator; the sessions have it
		if err := s.AddUser(t.Context(), u, hash); err != nil {
			t.Fatal(err)
		}
	}
	return s, account.New(s, keys, account.Options{
		Cost: account.Cost{MemoryKiB: 8, Iterations: 1, Lanes: 1}, Now: p.now,
		Base: &url.URL{Scheme: "http", Host: "localhost"},
	})
}

// Rebuild builds the server again with other dependencies.
func (f *FakedServer) Rebuild(change func(*web.Deps)) {
	deps := web.Deps{
		BaseURL: f.base, Log: slog.New(slog.NewJSONHandler(f.Log, logWithoutTime)), Now: f.now,
		Sessions: f.Rows, Accounts: f.accounts,
		Desks: desk.New(desk.Deps{Store: f.store, Vault: f.vault, Hub: f.Hub,
			LenderHealth: &lendersync.LenderHealth{}, Now: f.now}),
		Webhooks:      f,
		WebhookTokens: func() []string { return []string{WebhookToken} },
		Ready:         func(context.Context) error { return nil },
	}
	change(&deps)
	f.Server = web.NewWithRoutes(deps, f.more)
}

// WithLeads adds OwnLead and ForeignLead.
func (f *FakedServer) WithLeads(t testing.TB) *FakedServer {
	t.Helper()
	err := f.store.Write(t.Context(), func(tx *store.Tx) error {
		for app, owner := range map[heloc.AppID][2]string{OwnLead: {"o-1", "summit"}, ForeignLead: {"o-2", "lakeside"}} {
			l := lead.Row{App: app, Originator: heloc.OriginatorID(owner[0]), Company: owner[1]}
			if err := tx.AddLead(t.Context(), &l, f.CurrentTime); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// FakeBrowser is a user's browser. It stores cookies and nothing else.
type FakeBrowser struct {
	t       testing.TB
	p       *FakedServer
	Cookies map[string]string
}

// NewBrowser returns a browser in which nobody is signed in.
func (f *FakedServer) NewBrowser(t testing.TB) *FakeBrowser {
	return &FakeBrowser{t: t, p: f, Cookies: map[string]string{}}
}

// SignedIn returns the browser of a user with this role.
func (f *FakedServer) SignedIn(t testing.TB, role access.Role) *FakeBrowser {
	t.Helper()
	b := f.NewBrowser(t)
	if res := b.SignIn(role); res.Code != http.StatusSeeOther {
		t.Fatalf("sign in: got %d, want 303", res.Code)
	}
	return b
}

// SignIn submits the sign-in form of a user with this role.
func (b *FakeBrowser) SignIn(role access.Role) *httptest.ResponseRecorder {
	return b.Post("/login", url.Values{"email": {string(role) + "@summit.test"}, "password": {"right"}})
}

// Get fetches a page. Headers are names and values in turn.
func (b *FakeBrowser) Get(path string, headers ...string) *httptest.ResponseRecorder {
	return b.Do(httptest.NewRequest(http.MethodGet, path, nil), headers...)
}

// Post sends a form with these values.
func (b *FakeBrowser) Post(path string, form url.Values, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return b.Do(r, headers...)
}

// Do sends a request and stores the cookies of its response. The Host is the base URL's, unless it is among the
// headers.
func (b *FakeBrowser) Do(r *http.Request, headers ...string) *httptest.ResponseRecorder {
	r.Host = b.p.base.Host
	for i := 0; i+1 < len(headers); i += 2 {
		if headers[i] == "Host" {
			r.Host = headers[i+1]
		}
		r.Header.Set(headers[i], headers[i+1])
	}
	for name, value := range b.Cookies {
		r.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	w := httptest.NewRecorder()
	b.p.ServeHTTP(w, r)
	for _, c := range w.Result().Cookies() {
		if c.MaxAge < 0 {
			delete(b.Cookies, c.Name)
		} else {
			b.Cookies[c.Name] = c.Value
		}
	}
	return w
}

// TextHandler returns a handler that responds with a text.
func TextHandler(answer string) page.Handler {
	return func(w http.ResponseWriter, _ *http.Request) error { return page.WriteText(w, answer) }
}

// ForeignLead is a lead of another company.
const ForeignLead = "0f0e0d0c-0000-4000-8000-00000000000f"
