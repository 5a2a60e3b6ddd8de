package web

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/account"
	"hearthline/internal/desk"
	"hearthline/internal/embed"
	"hearthline/internal/heloc"
	"hearthline/internal/jobs"
	"hearthline/internal/journal"
	"hearthline/internal/jwe"
	"hearthline/internal/lendersync"
	"hearthline/internal/partner"
	"hearthline/internal/pubsub"
	"hearthline/internal/sandbox"
	"hearthline/internal/store"
	"hearthline/internal/store/storetest"
	"hearthline/internal/vault"
	"hearthline/web/page"
)

// harness is a complete portal in this process: the real desk, journal, lender sync and SQLite, with the sandbox as
// the lender and a separate HTTP server.
type harness struct {
	*Server
	t                *testing.T
	dir              string
	store            *store.Store
	vault            *vault.Vault
	lenderSync       *lendersync.Service
	jobs             *jobs.Runner
	deskService      *desk.Service
	deskDeps         desk.Deps        // what the service was built from
	sandbox          *sandbox.Sandbox // nil with another lender
	lender           *httptest.Server
	httpServer       *httptest.Server
	log              *lockedBuffer
	people           map[string]access.User // by the local part of the email
	accountService   *account.Service
	embedService     *embed.Service
	signedInBrowsers map[string]*testBrowser // users who have signed in, by the same name
	passwordHash     string                  // hash of every user's password, which is "right"
}

// harnessOptions changes the defaults of a harness.
type harnessOptions struct {
	dialect          string
	processing       time.Duration
	lender           http.Handler // instead of the sandbox
	webhooks         bool
	demoControl      page.DemoControl
	timeout          time.Duration
	estimate         desk.EstimateAccess
	borrowerLink     desk.BorrowerLink
	lenderMiddleware func(http.Handler) http.Handler // wraps the sandbox
	noJobs           bool                            // no background jobs run
	noSync           bool                            // no lender sync runs, so leads remain as they are written
	neverFetched     bool                            // the lender never returns some parts, so pages do not wait for them
	mfaRequired      bool                            // every user needs a second factor
	now              func() time.Time                // the clock of users and sessions
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

// newHarness builds and runs a harness until the test ends.
func newHarness(t *testing.T, f harnessOptions) *harness {
	t.Helper()
	h := &harness{t: t, dir: storetest.TempDir(t), log: &lockedBuffer{}, people: map[string]access.User{}, signedInBrowsers: map[string]*testBrowser{}}
	log := slog.New(slog.NewJSONHandler(h.log, logWithoutTime))
	h.startLender(f)
	template := startTemplate(t, f.lender == nil)
	path := filepath.Join(h.dir, "portal.db")
	template.database.CopyTo(t, path)
	h.vault, h.passwordHash = template.vault, template.passwordHash
	maps.Copy(h.people, template.people)
	var err error
	if h.store, err = store.Open(t.Context(), path, store.Options{MAC: h.vault.MAC, VerifyMAC: h.vault.VerifyMAC}); err != nil {
		t.Fatal(err)
	}
	health, live := &lendersync.LenderHealth{}, &pubsub.Hub{}
	client := h.newPartnerClient(f, health)
	j := journal.New(h.store, h.vault, time.Now, rand.Text())
	h.lenderSync = lendersync.New(lendersync.Deps{Store: h.store, Vault: h.vault, Lender: client, Journal: j, Hub: live, LenderHealth: health, Now: time.Now, Log: log})
	h.deskDeps = desk.Deps{
		Store: h.store, Vault: h.vault, Lender: client, Journal: j, Hub: live, Refresher: h.lenderSync, LenderHealth: health, Now: time.Now,
		Consent: desk.ConsentText{Version: consentVersion, Text: "You authorize a soft inquiry. Do you agree?"}, Fee: heloc.FeeAdded, Term: heloc.TermMonths,
		EstimateAccess: f.estimate, BorrowerLink: f.borrowerLink,
	}
	if f.noSync || f.neverFetched {
		h.deskDeps.FirstFetchTimeout = time.Nanosecond
	}
	h.deskService = desk.New(h.deskDeps)
	if f.now == nil {
		f.now = time.Now
	}
	cost := account.Cost{MemoryKiB: 8, Iterations: 1, Lanes: 1}
	h.accountService = account.New(h.store, h.vault, account.Options{Cost: cost, Now: f.now, SecondFactorRequired: f.mfaRequired, Base: &url.URL{Scheme: "http", Host: "localhost"}})
	h.embedService = embed.New(h.store, h.vault, embed.Options{Now: f.now, Base: &url.URL{Scheme: "http", Host: "localhost"}, ReservedReference: "externalAppId", Notify: h.accountService.NotifyChange})
	h.deskDeps.Embeds = h.embedService
	h.deskDeps.Accounts = h.accountService
	h.rebuildDesks()
	h.accountService.Directory = h.deskService.FetchOriginator
	h.Server = New(Deps{
		BaseURL: &url.URL{Scheme: "http", Host: "localhost"}, Log: log, Now: f.now, Sessions: h.store, Accounts: h.accountService, Desks: h.deskService, Embeds: h.embedService,
		DemoControl: f.demoControl, Webhooks: h.lenderSync, WebhookTokens: func() []string { return []string{webhookToken} },
		Ready: func(context.Context) error { return nil }, TestVariants: []string{"variant-a"},
		Estimates: f.estimate.Enabled(), BorrowerLinks: f.borrowerLink.Enabled(), Outbox: h.accountService,
	})
	h.httpServer.Config.Handler = h.Server
	h.jobs = jobs.New(jobs.Deps{Store: h.store, Desks: h.deskService, Now: func() time.Time { return h.deskDeps.Now() }, Log: log, Owner: rand.Text()})
	h.runBackground(f)
	return h
}

// startLender starts the sandbox or its replacement. The portal's server also starts here, because the sandbox needs
// its URL for webhooks.
func (h *harness) startLender(f harnessOptions) {
	h.t.Helper()
	h.httpServer = httptest.NewServer(http.NotFoundHandler())
	h.t.Cleanup(h.httpServer.Close)
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
		cfg.WebhookURL = h.httpServer.URL + "/hooks/partner/" + webhookToken
	}
	var err error
	if h.sandbox, err = sandbox.Open(cfg); err != nil {
		h.t.Fatal(err)
	}
	lender := h.sandbox.Handler()
	if f.lenderMiddleware != nil {
		lender = f.lenderMiddleware(lender)
	}
	h.lender = httptest.NewServer(lender)
	h.t.Cleanup(func() {
		h.lender.Close()
		if err := h.sandbox.Close(); err != nil {
			h.t.Error(err)
		}
	})
}

func (h *harness) newPartnerClient(f harnessOptions, health *lendersync.LenderHealth) *partner.Client {
	h.t.Helper()
	cfg := partner.Config{
		BaseURL: h.lender.URL, APIKeys: func() []string { return []string{sandbox.DefaultAPIKey} }, Dialect: partner.Dialect(f.dialect),
		Timeout: f.timeout, Observe: health.Observe,
	}
	if h.sandbox != nil {
		sealer, err := jwe.NewLocalSealer(h.sandbox.PublicKeyPEM())
		if err != nil {
			h.t.Fatal(err)
		}
		cfg.Sealer = sealer
	} else {
		raw, err := os.ReadFile("../internal/sandbox/testdata/service.pem")
		if err != nil {
			h.t.Fatal(err)
		}
		opener, err := jwe.NewOpener(raw)
		if err != nil {
			h.t.Fatal(err)
		}
		if cfg.Sealer, err = jwe.NewLocalSealer(opener.PublicPEM()); err != nil {
			h.t.Fatal(err)
		}
	}
	client, err := partner.New(cfg)
	if err != nil {
		h.t.Fatal(err)
	}
	return client
}

func (h *harness) addUser(key string, a access.Actor) {
	h.t.Helper()
	h.people[key] = userOf(key, a)
	if err := h.store.AddUser(h.t.Context(), h.people[key], h.passwordHash); err != nil {
		h.t.Fatal(err)
	}
}

// runBackground runs the lender sync and the jobs, unless the options turn them off, until the test ends, and waits
// for them to finish.
func (h *harness) runBackground(f harnessOptions) {
	ctx, stop := context.WithCancel(context.Background())
	var background sync.WaitGroup
	if !f.noSync {
		background.Go(func() { h.lenderSync.Run(ctx) })
	}
	if !f.noJobs {
		background.Go(func() { h.jobs.Run(ctx) })
	}
	h.t.Cleanup(func() {
		h.Close()
		stop()
		background.Wait()
		h.httpServer.Close()
		if err := h.store.Close(); err != nil {
			h.t.Error(err)
		}
	})
}

// waitUntil waits for a condition, and fails the test when it is not met.
func (h *harness) waitUntil(what string, condition func() bool) {
	h.t.Helper()
	deadline := time.NewTimer(time.Minute)
	defer deadline.Stop()
	ticker := time.NewTicker(20 * time.Millisecond)
	defer ticker.Stop()
	for !condition() {
		select {
		case <-deadline.C:
			h.t.Fatalf("not within a minute: %s", what)
		case <-ticker.C:
		}
	}
}

// inquiries returns the inquiries at the lender whose borrower has this last name.
func (h *harness) inquiries(lastName string) []sandbox.Inquiry {
	var found []sandbox.Inquiry
	for _, q := range h.sandbox.Inquiries() {
		if q.LastName == lastName {
			found = append(found, q)
		}
	}
	return found
}

// writeTestJSON is for lenders other than the sandbox.
func writeTestJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}

// rebuildDesks applies what a test has changed in deskDeps to every holder of the service.
func (h *harness) rebuildDesks() { *h.deskService = *desk.New(h.deskDeps) }
