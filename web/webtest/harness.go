// Package webtest runs the whole portal for the tests of web and its areas.
//
//	harness.go       New: the portal with the sandbox as its lender, and its users
//	template.go      the database that every harness copies
//	browser.go       a user with plain HTTP: pages and forms
//	checks.go        what every page must fulfill, and reading parts of pages
//	crm.go           CRMs that embed the desk, and their frames
//	faked_server.go  the server with fakes in memory, for tests of requests
//	lender.go        what the portal sends to the lender
//	samples.go       rows and offers for the tests of presenters
//	bench.go         requests of benchmarks
//	audit.go, directory.go, estimate.go, factor.go, lead.go, mail.go   what the tests of several areas prepare and read
//
// Each harness serves on a different loopback port, so tests run in parallel.
package webtest

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"log/slog"
	"maps"
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
	"hearthline/internal/approval"
	"hearthline/internal/desk"
	"hearthline/internal/embed"
	"hearthline/internal/heloc"
	"hearthline/internal/jobs"
	"hearthline/internal/journal"
	"hearthline/internal/jwe"
	"hearthline/internal/lead"
	"hearthline/internal/lendersync"
	"hearthline/internal/notify"
	"hearthline/internal/partner"
	"hearthline/internal/pubsub"
	"hearthline/internal/sandbox"
	"hearthline/internal/store"
	"hearthline/internal/store/storetest"
	"hearthline/internal/trace"
	"hearthline/internal/vault"
	"hearthline/views/text"
	"hearthline/web"
	"hearthline/web/page"
)

// Harness is a complete portal in this process: the real desk, journal, lender sync and database, with the sandbox as
// the lender and a separate HTTP server.
type Harness struct {
	*web.Server
	T                testing.TB
	Dir              string
	database         string // its address
	Store            *store.Store
	vault            *vault.Vault
	LenderSync       *lendersync.Service
	Jobs             *jobs.Runner
	DeskService      *desk.Service
	DeskDeps         desk.Deps        // what the service was built from
	Sandbox          *sandbox.Sandbox // nil with another lender
	Lender           *httptest.Server
	HTTPServer       *httptest.Server
	Log              *LockedBuffer
	People           map[string]access.User // by the local part of the email
	AccountService   *account.Service
	Notify           *notify.Service
	Pusher           *FakePusher
	EmbedService     *embed.Service
	signedInBrowsers map[string]*Browser // users who have signed in, by the same name
	passwordHash     string              // hash of every user's password, which is "right"
}

// Options changes the defaults of a harness.
type Options struct {
	Dialect          string
	Processing       time.Duration
	Lender           http.Handler // instead of the sandbox
	Webhooks         bool
	DemoControl      page.DemoControl
	Timeout          time.Duration
	Estimate         desk.EstimateAccess
	BorrowerLink     desk.BorrowerLink
	ReferenceField   partner.ReferenceField          // contains the portal's own number; default externalAppId
	LenderMiddleware func(http.Handler) http.Handler // wraps the sandbox
	NoJobs           bool                            // no background jobs run
	NoSync           bool                            // no lender sync runs, so leads remain as they are written
	NeverFetched     bool                            // the lender never returns some parts, so pages do not wait for them
	MFARequired      bool                            // every user needs a second factor
	Now              func() time.Time                // the clock of users and sessions
	Payments         heloc.PaymentModel              // what estimates assume; by default, what the sandbox does
	LenderFee        heloc.FeeMethod                 // how the sandbox charges its fee; by default, as Payments says
	Tracer           *trace.Tracer                   // traces the requests, and with its context the background
	// an SQLite file is on the disk, because the data may not fit into memory
	Large    bool
	Postgres bool // the data is in PostgreSQL, whatever PORTAL_TEST_DATABASE is
	// PostgresLink is the proxy between the portal and PostgreSQL; nil means none
	PostgresLink *storetest.PostgresLink
}

// LockedBuffer is a log that may be read while it is written.
type LockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *LockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *LockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// ConsentVersion is the version of the consent text.
const ConsentVersion = "2026-10-01"

// New builds and runs a harness until the test ends.
func New(t testing.TB, f Options) *Harness {
	t.Helper()
	h := &Harness{T: t, Dir: storetest.TempDir(t), Log: &LockedBuffer{}, People: map[string]access.User{},
		signedInBrowsers: map[string]*Browser{}}
	if f.Large {
		h.Dir = t.TempDir()
	}
	log := slog.New(trace.LogHandler(slog.NewJSONHandler(h.Log, logWithoutTime)))
	h.startLender(f)
	template := startTemplate(t, f.Lender == nil)
	switch {
	case f.Postgres || f.PostgresLink != nil:
		h.database = template.database.CopyPostgres(t)
	case f.Large && !storetest.OnPostgres():
		h.database = filepath.Join(h.Dir, "portal.db")
		template.database.CopyTo(t, h.database)
	default:
		h.database = template.database.Copy(t)
	}
	h.vault, h.passwordHash = template.vault, template.passwordHash
	maps.Copy(h.People, template.people)
	address := h.database
	if f.PostgresLink != nil {
		address = f.PostgresLink.Through(t, h.database)
	}
	var err error
	if h.Store, err = store.Open(t.Context(), address,
		store.Options{MAC: h.vault.MAC, VerifyMAC: h.vault.VerifyMAC, Hub: &pubsub.Hub{}}); err != nil {
		t.Fatal(err)
	}
	health, live := &lendersync.LenderHealth{}, h.Store.Hub
	client := h.newPartnerClient(f, health)
	j := journal.New(h.Store, h.vault, time.Now, rand.Text())
	if f.Payments.Fee == "" {
		f.Payments = heloc.PaymentModel{Fee: heloc.FeeAdded, Term: heloc.TermMonths, DrawYears: sandbox.DefaultDrawYears()}
	}
	if f.Now == nil {
		f.Now = time.Now
	}
	cost := account.Cost{MemoryKiB: 8, Iterations: 1, Lanes: 1}
	h.AccountService = account.New(h.Store, h.vault, account.Options{Cost: cost, Now: f.Now,
		SecondFactorRequired: f.MFARequired, Base: &url.URL{Scheme: "http", Host: "localhost"}})
	h.LenderSync = lendersync.New(lendersync.Deps{Store: h.Store, Vault: h.vault, Lender: client, Journal: j, Hub: live,
		LenderHealth: health, CoverMail: h.AccountService, Now: time.Now, Log: log, SecondLook: time.Millisecond})
	h.DeskDeps = desk.Deps{
		Store: h.Store, Vault: h.vault, Lender: client, Journal: j, Hub: live, Refresher: h.LenderSync, LenderHealth: health,
		Now: time.Now, Consent: desk.ConsentText{Version: ConsentVersion, Text: "You authorize a soft inquiry. " +
			"Do you agree?"}, Payments: f.Payments,
		EstimateAccess: f.Estimate, BorrowerLink: f.BorrowerLink, Webhooks: f.Webhooks,
	}
	if f.NoSync || f.NeverFetched {
		h.DeskDeps.FirstFetchTimeout = time.Nanosecond
	}
	h.DeskService = desk.New(h.DeskDeps)
	h.EmbedService = embed.New(h.Store, h.vault,
		embed.Options{Now: f.Now, Base: &url.URL{Scheme: "http", Host: "localhost"},
			ReservedReference: string(client.ReferenceField()), Notify: h.AccountService.NotifyChange,
			NotifyAdmin: h.AccountService.NotifyAdmin})
	h.DeskDeps.Embeds = h.EmbedService
	h.DeskDeps.Accounts = h.AccountService
	h.Pusher = &FakePusher{}
	h.Notify = notify.New(notify.Deps{Store: h.Store, Vault: h.vault, Mail: h.AccountService, Push: h.Pusher,
		Base: &url.URL{Scheme: "http", Host: "localhost"}, Now: f.Now, Demo: true,
		Words: func(n lead.Notice) string { return text.Notice(string(n.Kind), n.About, n.N).Title }})
	h.DeskDeps.Notify = h.Notify
	h.RebuildDesks()
	h.AccountService.Directory = h.DeskService.FetchOriginator
	h.Server = web.New(web.Deps{
		BaseURL: &url.URL{Scheme: "http", Host: "localhost"}, Log: log, Now: f.Now, Sessions: h.Store,
		Accounts: h.AccountService, Desks: h.DeskService, Embeds: h.EmbedService,
		Tracer: f.Tracer, DemoControl: f.DemoControl, Webhooks: h.LenderSync, WebhookTokens: func() []string {
			return []string{WebhookToken}
		},
		Ready: h.Store.Ready, TestVariants: []string{"variant-a"},
		Estimates: f.Estimate.Enabled(), BorrowerLinks: f.BorrowerLink.Enabled(), Outbox: h.Notify,
	})
	h.HTTPServer.Config.Handler = awaitable(h.Server)
	h.Jobs = jobs.New(jobs.Deps{Store: h.Store, Desks: h.DeskService, Now: func() time.Time { return h.DeskDeps.Now() },
		Log: log, Owner: rand.Text()})
	h.runBackground(f)
	return h
}

// startLender starts the sandbox or its replacement. The portal's server also starts here, because the sandbox needs
// its URL for webhooks.
func (h *Harness) startLender(f Options) {
	h.T.Helper()
	h.HTTPServer = httptest.NewServer(http.NotFoundHandler())
	h.T.Cleanup(h.HTTPServer.Close)
	if f.Lender != nil {
		h.Lender = httptest.NewServer(f.Lender)
		h.T.Cleanup(h.Lender.Close)
		return
	}
	cfg := sandbox.Config{
		Dir: filepath.Join(h.Dir, "lender"), Dialect: sandbox.Dialect(f.Dialect), Processing: f.Processing,
		PrivateKeyFile: writeServiceKey(h.T, h.Dir), FeeMethod: string(cmp.Or(f.LenderFee, f.Payments.Fee)),
		BigDocument: 8 << 20, WebhookBackoff: 10 * time.Millisecond,
	}
	if f.Webhooks {
		cfg.WebhookURL = h.HTTPServer.URL + "/hooks/partner/" + WebhookToken
	}
	var err error
	if h.Sandbox, err = sandbox.Open(cfg); err != nil {
		h.T.Fatal(err)
	}
	lender := h.Sandbox.Handler()
	if f.LenderMiddleware != nil {
		lender = f.LenderMiddleware(lender)
	}
	h.Lender = httptest.NewServer(lender)
	h.T.Cleanup(func() {
		h.Lender.Close()
		if err := h.Sandbox.Close(); err != nil {
			h.T.Error(err)
		}
	})
}

func (h *Harness) newPartnerClient(f Options, health *lendersync.LenderHealth) *partner.Client {
	h.T.Helper()
	cfg := partner.Config{
		BaseURL: h.Lender.URL, APIKeys: func() []string { return []string{sandbox.DefaultAPIKey} },
		Dialect: partner.Dialect(f.Dialect),
		Timeout: f.Timeout, Observe: health.Observe, ReferenceField: f.ReferenceField,
	}
	if h.Sandbox != nil {
		sealer, err := jwe.NewLocalSealer(h.Sandbox.PublicKeyPEM())
		if err != nil {
			h.T.Fatal(err)
		}
		cfg.Sealer = sealer
	} else {
		opener, err := jwe.NewOpener(serviceKey)
		if err != nil {
			h.T.Fatal(err)
		}
		if cfg.Sealer, err = jwe.NewLocalSealer(opener.PublicPEM()); err != nil {
			h.T.Fatal(err)
		}
	}
	client, err := partner.New(cfg)
	if err != nil {
		h.T.Fatal(err)
	}
	return client
}

// AddUser adds a user with the password of all.
func (h *Harness) AddUser(key string, a access.Actor) {
	h.T.Helper()
	h.People[key] = userOf(key, a)
	if err := h.Store.AddUser(h.T.Context(), h.People[key], h.passwordHash); err != nil {
		h.T.Fatal(err)
	}
}

// AddAssistant adds an assistant of Olivia's company who works for some originators and may reassign leads. Key is not
// the name of anybody else.
func (h *Harness) AddAssistant(key string, originators ...string) {
	h.T.Helper()
	of := h.People["olivia"]
	h.AddUser(key, access.Actor{Name: "Helper " + key, Email: key + "@summit.test", Role: access.Assistant,
		BrokerID: of.BrokerID, Organization: of.Organization, WorksFor: access.CoversOf(originators...), Reassigns: true})
}

// OriginatorWithoutAccount returns an originator whose email is at a domain, and who has no account.
func (h *Harness) OriginatorWithoutAccount(domain string) string {
	h.T.Helper()
	all, err := h.Store.AllOriginators(h.T.Context())
	for _, o := range all {
		if known, _ := h.Store.HasOriginator(h.T.Context(), string(o.UUID)); strings.HasSuffix(o.Email,
			"@"+domain) && !known {
			return string(o.UUID)
		}
	}
	h.T.Fatalf("everybody at %s has an account: %v", domain, err)
	return ""
}

// runBackground runs the lender sync and the jobs, unless the options turn them off, until the test ends, and waits
// for them to finish.
func (h *Harness) runBackground(f Options) {
	ctx, stop := context.WithCancel(f.Tracer.Context(context.Background()))
	var background sync.WaitGroup
	background.Go(func() { h.DeskDeps.Journal.Run(ctx) })
	if !f.NoSync {
		background.Go(func() { h.LenderSync.Run(ctx) })
	}
	if !f.NoJobs {
		background.Go(func() { h.Jobs.Run(ctx) })
	}
	h.T.Cleanup(func() {
		h.Close()
		stop()
		background.Wait()
		h.HTTPServer.Close()
		if err := h.Store.Close(); err != nil {
			h.T.Error(err)
		}
	})
}

// WaitUntil waits for a condition, and fails the test when it is not met.
func (h *Harness) WaitUntil(what string, condition func() bool) {
	h.T.Helper()
	deadline := time.NewTimer(time.Minute)
	defer deadline.Stop()
	ticker := time.NewTicker(20 * time.Millisecond)
	defer ticker.Stop()
	for !condition() {
		select {
		case <-deadline.C:
			h.T.Fatalf("not within a minute: %s", what)
		case <-ticker.C:
		}
	}
}

// Inquiries returns the inquiries at the lender whose borrower has this last name.
func (h *Harness) Inquiries(lastName string) []sandbox.Inquiry {
	var found []sandbox.Inquiry
	for _, q := range h.Sandbox.Inquiries() {
		if q.LastName == lastName {
			found = append(found, q)
		}
	}
	return found
}

// WriteJSON responds with JSON, for lenders other than the sandbox.
func WriteJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}

// RebuildDesks applies what a test has changed in DeskDeps to every holder of the service.
func (h *Harness) RebuildDesks() { *h.DeskService = *desk.New(h.DeskDeps) }

// ExecSQL changes the database in ways that the portal never does.
func (h *Harness) ExecSQL(statement string, args ...any) {
	h.T.Helper()
	storetest.Exec(h.T, h.database, statement, args...)
}

// RefuseUpdates lets the database refuse updates of a table's rows for which a condition holds.
func (h *Harness) RefuseUpdates(table, when, message string) {
	h.T.Helper()
	storetest.RefuseUpdates(h.T, h.database, table, when, message)
}

// Stored returns everything that the database has stored, by place.
func (h *Harness) Stored() map[string]string {
	h.T.Helper()
	return storetest.Stored(h.T, h.database)
}

// ApproveRequest approves the only pending request as the server's operator, who is the second person of a portal with
// one administrator.
func (h *Harness) ApproveRequest() {
	h.T.Helper()
	requests := approval.Service{Store: h.Store, Vault: h.DeskDeps.Vault, Accounts: h.AccountService,
		Embeds: h.EmbedService, Now: h.DeskDeps.Now}
	all, err := requests.List(h.T.Context())
	h.Must(err)
	if len(all) == 0 || !all[0].Waits(h.DeskDeps.Now()) {
		h.T.Fatal("no request waits")
	}
	h.Must(requests.Approve(h.T.Context(), access.Operator(), all[0].ID))
}
