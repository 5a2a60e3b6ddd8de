package web

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/alexedwards/argon2id"

	"hearthline/internal/access"
	"hearthline/internal/account"
	"hearthline/internal/desk"
	"hearthline/internal/embed"
	"hearthline/internal/heloc"
	"hearthline/internal/hub"
	"hearthline/internal/journal"
	"hearthline/internal/partner"
	"hearthline/internal/sandbox"
	"hearthline/internal/seal"
	"hearthline/internal/store"
	"hearthline/internal/vault"
	"hearthline/internal/watch"
	"hearthline/internal/work"
	"hearthline/web/page"
)

// house is a whole portal in this process: the real desk, journal, watch and SQLite,
// with the sandbox as the lender, behind a server of its own.
type house struct {
	*Server
	t      *testing.T
	dir    string
	store  *store.Store
	vault  *vault.Vault
	watch  *watch.Watch
	work   *work.Work
	rooms  *desk.Rooms
	box    *sandbox.Sandbox // nil behind another lender
	lender *httptest.Server
	site   *httptest.Server
	log    *lockedBuffer
	people map[string]access.User // by the first name of the e-mail
	known  *account.Service
	embeds *embed.Service
	seated map[string]*visitor // who has signed in by sitting
	right  string              // hash of everybody's password, which is "right"
}

// furnished says how a house differs from the usual one.
type furnished struct {
	dialect    string
	processing time.Duration
	lender     http.Handler // instead of the sandbox
	webhooks   bool
	rehearsal  page.Rehearsal
	timeout    time.Duration
	estimate   desk.EstimateAccess
	handOff    desk.HandOff
	around     func(http.Handler) http.Handler // stands before the sandbox
	idle       bool                            // nobody does background work
	still      bool                            // nothing watches: leads stay as they are put
	required   bool                            // everybody needs a second factor
	now        func() time.Time                // of people and their sessions
}

// lockedBuffer is a log that may be read while it is written.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

const consentVersion = "2026-10-01"

// newHouse builds and runs a house until the test ends.
func newHouse(t *testing.T, f furnished) *house {
	t.Helper()
	h := &house{t: t, dir: t.TempDir(), log: &lockedBuffer{}, people: map[string]access.User{}, seated: map[string]*visitor{}}
	log := slog.New(slog.NewJSONHandler(h.log, timeless))
	h.openLender(f)
	var err error
	if h.vault, err = vault.InMemory(); err != nil {
		t.Fatal(err)
	}
	if h.store, err = store.Open(t.Context(), filepath.Join(h.dir, "portal.db"), store.Options{MAC: h.vault.MAC, Check: h.vault.VerifyMAC}); err != nil {
		t.Fatal(err)
	}
	pulse, live := &watch.Pulse{}, &hub.Hub{}
	client := h.client(f, pulse)
	j := journal.New(h.store, h.vault, time.Now, rand.Text())
	h.watch = watch.New(watch.Rooms{Store: h.store, Vault: h.vault, Lender: client, Journal: j, Hub: live, Pulse: pulse, Now: time.Now, Log: log})
	h.rooms = &desk.Rooms{
		Store: h.store, Vault: h.vault, Lender: client, Journal: j, Hub: live, Watch: h.watch, Pulse: pulse, Now: time.Now,
		Consent: desk.ConsentText{Version: consentVersion, Text: "You authorize a soft inquiry. Do you agree?"}, Fee: heloc.FeeAdded, Term: heloc.TermMonths,
		Estimate: f.estimate, HandOff: f.handOff,
	}
	if f.now == nil {
		f.now = time.Now
	}
	cost := account.Cost{MemoryKiB: 8, Iterations: 1, Lanes: 1}
	h.known = account.New(h.store, h.vault, account.Options{Cost: cost, Now: f.now, Required: f.required, Base: &url.URL{Scheme: "http", Host: "localhost"}})
	h.embeds = embed.New(h.store, h.vault, embed.Options{Now: f.now, Base: &url.URL{Scheme: "http", Host: "localhost"}, Taken: "externalAppId", Tell: h.known.Tell})
	h.rooms.Embeds = h.embeds
	h.rooms.Accounts, h.known.Directory = h.known, h.rooms.AskDirectory
	if h.right, err = argon2id.CreateHash("right", &argon2id.Params{Memory: 8, Iterations: 1, Parallelism: 1, SaltLength: 16, KeyLength: 32}); err != nil {
		t.Fatal(err)
	}
	h.peopled()
	h.Server = New(page.Deps{
		BaseURL: &url.URL{Scheme: "http", Host: "localhost"}, Log: log, Now: f.now, Sessions: h.store, Accounts: h.known, Trail: h.rooms, Desks: h.rooms, Embeds: h.embeds,
		Rehearsal: f.rehearsal, Inbox: h.watch, HookTokens: func() []string { return []string{hookToken} },
		Ready: func(context.Context) error { return nil }, Variants: []string{"variant-a"},
		Estimates: f.estimate.On(), HandOffs: f.handOff.On(), Outbox: h.known,
	})
	h.site.Config.Handler = h.Server
	h.work = work.New(work.Rooms{Store: h.store, Desks: h.rooms, Now: func() time.Time { return h.rooms.Now() }, Log: log, Owner: rand.Text()})
	h.run(f)
	return h
}

// openLender starts the sandbox, or what stands in its place. The portal's own
// address is needed for its webhooks, so its server starts here too.
func (h *house) openLender(f furnished) {
	h.t.Helper()
	h.site = httptest.NewServer(http.NotFoundHandler())
	h.t.Cleanup(h.site.Close)
	if f.lender != nil {
		h.lender = httptest.NewServer(f.lender)
		h.t.Cleanup(h.lender.Close)
		return
	}
	cfg := sandbox.Config{
		Dir: filepath.Join(h.dir, "lender"), Dialect: sandbox.Dialect(f.dialect), Processing: f.processing,
		PrivateKeyFile: "../internal/sandbox/testdata/service.pem", BigDocument: 8 << 20, WebhookBackoff: 10 * time.Millisecond,
	}
	if f.webhooks {
		cfg.WebhookURL = h.site.URL + "/hooks/partner/" + hookToken
	}
	var err error
	if h.box, err = sandbox.Open(cfg); err != nil {
		h.t.Fatal(err)
	}
	lender := h.box.Handler()
	if f.around != nil {
		lender = f.around(lender)
	}
	h.lender = httptest.NewServer(lender)
	h.t.Cleanup(func() {
		h.lender.Close()
		if err := h.box.Close(); err != nil {
			h.t.Error(err)
		}
	})
}

func (h *house) client(f furnished, pulse *watch.Pulse) *partner.Client {
	h.t.Helper()
	cfg := partner.Config{
		BaseURL: h.lender.URL, APIKeys: func() []string { return []string{sandbox.DefaultAPIKey} }, Dialect: partner.Dialect(f.dialect),
		Timeout: f.timeout, Observe: pulse.Observe,
	}
	if h.box != nil {
		sealer, err := seal.NewLocal(h.box.PublicKeyPEM())
		if err != nil {
			h.t.Fatal(err)
		}
		cfg.Sealer = sealer
	} else {
		raw, err := os.ReadFile("../internal/sandbox/testdata/service.pem")
		if err != nil {
			h.t.Fatal(err)
		}
		opener, err := seal.NewOpener(raw)
		if err != nil {
			h.t.Fatal(err)
		}
		if cfg.Sealer, err = seal.NewLocal(opener.PublicPEM()); err != nil {
			h.t.Fatal(err)
		}
	}
	client, err := partner.New(cfg)
	if err != nil {
		h.t.Fatal(err)
	}
	return client
}

// peopled keeps the directory and four people of it, besides an assistant and an
// administrator who are in none.
func (h *house) peopled() {
	h.t.Helper()
	directory := summitDirectory()
	if h.box != nil {
		directory = h.box.Originators()
	}
	err := h.store.Write(h.t.Context(), func(tx *store.Tx) error {
		for _, o := range directory {
			if err := tx.SaveOriginator(h.t.Context(), o, time.Now()); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		h.t.Fatal(err)
	}
	summit := ""
	for _, o := range directory {
		first, company, _ := strings.Cut(o.Email, "@")
		role, known := map[string]access.Role{
			"olivia": access.Originator, "marcus": access.Originator, "maya": access.Manager, "piotr": access.Originator,
		}[first]
		if !known || o.Broker == nil {
			continue
		}
		if company == "summit.test" {
			summit = o.Broker.ID
		}
		h.person(first, access.Actor{Name: o.FirstName + " " + o.LastName, Email: o.Email, Role: role, OriginatorUUID: string(o.ID), BrokerID: o.Broker.ID, Organization: o.Organization})
	}
	h.person("ada", access.Actor{Name: "Ada Assist", Email: "ada@summit.test", Role: access.Assistant, BrokerID: summit})
	h.person("admin", access.Actor{Name: "Ann Admin", Email: "admin@hearthline.test", Role: access.Admin})
}

func (h *house) person(key string, a access.Actor) {
	h.t.Helper()
	a.UserID, a.TimeZone = "user-"+key, "America/Denver"
	h.people[key] = access.User{Actor: a}
	if err := h.store.AddUser(h.t.Context(), access.User{Actor: a}, h.right); err != nil {
		h.t.Fatal(err)
	}
}

// run watches until the test ends, unless the house is to stand still, and waits for the end.
func (h *house) run(f furnished) {
	ctx, stop := context.WithCancel(context.Background())
	var watching sync.WaitGroup
	if !f.still {
		watching.Go(func() { h.watch.Run(ctx) })
	}
	if !f.idle {
		watching.Go(func() { h.work.Run(ctx) })
	}
	h.t.Cleanup(func() {
		h.Close()
		stop()
		watching.Wait()
		h.site.Close()
		if err := h.store.Close(); err != nil {
			h.t.Error(err)
		}
	})
}

// until waits for a condition, and fails the test when it does not come.
func (h *house) until(what string, condition func() bool) {
	h.t.Helper()
	deadline := time.NewTimer(time.Minute)
	defer deadline.Stop()
	look := time.NewTicker(20 * time.Millisecond)
	defer look.Stop()
	for !condition() {
		select {
		case <-deadline.C:
			h.t.Fatalf("not within a minute: %s", what)
		case <-look.C:
		}
	}
}

// inquiries are those at the lender whose borrower has this last name.
func (h *house) inquiries(lastName string) []sandbox.Inquiry {
	var found []sandbox.Inquiry
	for _, q := range h.box.Inquiries() {
		if q.LastName == lastName {
			found = append(found, q)
		}
	}
	return found
}

// summitDirectory is a directory of two companies for a lender that is no sandbox.
func summitDirectory() []heloc.Originator {
	return []heloc.Originator{
		{
			ID: "0f0e0d0c-0000-4000-8000-0000000000a1", Email: "olivia@summit.test", FirstName: "Olivia", LastName: "Bennett", NMLS: "1847220",
			Organization: "Evergreen", Broker: &heloc.BrokerCompany{ID: "summit", Name: "Summit Home Lending", NMLS: "312440"},
		},
		{
			ID: "0f0e0d0c-0000-4000-8000-0000000000a2", Email: "piotr@lakeside.test", FirstName: "Piotr", LastName: "Zielinski", NMLS: "2011738",
			Organization: "Evergreen", Broker: &heloc.BrokerCompany{ID: "lakeside", Name: "Lakeside Home Finance", NMLS: "298117"},
		},
	}
}

// asJSON is for lenders that are no sandbox.
func asJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}
