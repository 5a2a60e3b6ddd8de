package faulttest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/account"
	"hearthline/internal/desk"
	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/jwe"
	"hearthline/internal/lendersync"
	"hearthline/internal/partner"
	"hearthline/internal/pubsub"
	"hearthline/internal/sandbox"
	"hearthline/internal/store"
	"hearthline/internal/store/storetest"
	"hearthline/internal/vault"
)

const (
	privateKey   = "../jwe/testdata/private.pem"
	stateFile    = "sandbox-state.jsonl"
	consent      = "2026-11"
	databaseName = "portal.db"
)

// mode is how a portal and its sandbox run.
type mode struct {
	dialect  sandbox.Dialect
	postgres bool
	webhooks bool
}

func (m mode) String() string {
	database := "SQLite"
	if m.postgres {
		database = "PostgreSQL"
	}
	return fmt.Sprintf("%s, %s, webhooks %t", m.dialect, database, m.webhooks)
}

// image is what a portal and its sandbox have stored, and the time at which they stopped.
type image struct {
	mode
	postgresURL string // of the database, if it is not a file
	vault       *vault.Vault
	files       map[string][]byte
	at          time.Time
	app         heloc.AppID // the lead; empty for none
	actors      map[string]access.Actor
}

// portal is a portal and its sandbox, in a synctest bubble.
type portal struct {
	t       *testing.T
	dir     string
	proxy   *Proxy
	sandbox *sandbox.Sandbox
	store   *store.Store
	vault   *vault.Vault
	journal *journal.Journal
	sync    *lendersync.Service
	desk    *desk.Service
	direct  *partner.Client // reads from the sandbox without the proxy
	actors  map[string]access.Actor
	log     bytes.Buffer
	stop    func()
}

// webhooks delivers the sandbox's webhooks to the portal.
type webhooks struct{ p *portal }

func (w webhooks) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	if err := w.p.sync.ReceiveWebhook(context.Background(), body); err != nil {
		return response(http.StatusBadRequest, ""), nil
	}
	return response(http.StatusOK, ""), nil
}

// seed returns the image of a portal with the directory, its users and, unless lastName is empty, a lead of Olivia's
// that has come to its first step.
func seed(t *testing.T, m mode, lastName string) (made image) {
	t.Helper()
	keys, err := vault.InMemory()
	check(t, err)
	begin := image{mode: m, vault: keys}
	begin.webhooks = true
	names := []string{stateFile}
	if m.postgres {
		begin.postgresURL = storetest.NewPostgres(t)
	} else {
		names = append(names, databaseName)
	}
	synctest.Test(t, func(t *testing.T) {
		p := open(t, begin)
		defer p.close()
		check(t, p.sync.SyncDirectory(t.Context()))
		for name, role := range map[string]access.Role{"olivia": access.Originator, "marcus": access.Originator,
			"maya": access.Manager} {
			o, err := p.store.OriginatorByEmail(t.Context(), name+"@summit.test")
			check(t, err)
			a := access.Actor{
				UserID: name, Email: name + "@summit.test", Name: o.Name(), Role: role, OriginatorUUID: string(o.UUID),
				OriginatorName: o.Name(), BrokerID: o.BrokerID, BrokerName: o.BrokerName, Organization: o.Organization,
				ElevatedUntil: time.Now().AddDate(10, 0, 0),
			}
			check(t, p.store.AddUser(t.Context(), access.User{Actor: a}, ""))
			p.actors[name] = a
		}
		if lastName != "" {
			op, err := p.start(p.newStart(lastName))
			check(t, err)
			made.app = op.App
			for range 30 {
				time.Sleep(time.Second)
				check(t, p.sync.Refresh(t.Context(), made.app))
				if row, err := p.store.AnyLead(t.Context(), made.app); err == nil && !row.Step.InProgress() {
					break
				}
			}
			time.Sleep(time.Minute)
			check(t, p.sync.Refresh(t.Context(), made.app))
		}
		made.mode, made.postgresURL, made.vault, made.actors, made.at = m, begin.postgresURL, keys, p.actors, time.Now()
		p.close()
		made.files = map[string][]byte{}
		for _, name := range names {
			made.files[name], err = os.ReadFile(filepath.Join(p.dir, name))
			check(t, err)
		}
	})
	return made
}

// open opens a portal on a copy of an image, at the time of the image.
func open(t *testing.T, from image) *portal {
	t.Helper()
	p := &portal{t: t, vault: from.vault, actors: from.actors, stop: func() {}}
	if p.actors == nil {
		p.actors = map[string]access.Actor{}
	}
	time.Sleep(time.Until(from.at))
	p.dir = storetest.TempDir(t)
	address := from.postgresURL
	switch {
	case address == "" && from.files == nil:
		address = storetest.NewFile(t)
		p.dir = filepath.Dir(address)
	case address == "":
		address = filepath.Join(p.dir, databaseName)
	case from.files != nil:
		address = storetest.CopyOfPostgres(t, address)
	}
	for name, content := range from.files {
		check(t, os.WriteFile(filepath.Join(p.dir, name), content, 0o600))
	}
	config := sandbox.Config{Dir: p.dir, Dialect: from.dialect, PrivateKeyFile: privateKey,
		Processing: sandbox.DefaultProcessing}
	if from.webhooks {
		config.WebhookURL, config.Transport = "http://portal.test/hooks/partner/token", webhooks{p}
	}
	var err error
	p.sandbox, err = sandbox.Open(config)
	check(t, err)
	p.proxy = &Proxy{Handler: p.sandbox.Handler()}
	health := &lendersync.LenderHealth{}
	client := p.client(from.dialect, p.proxy, health.Observe)
	p.direct = p.client(from.dialect, &Proxy{Handler: p.sandbox.Handler()}, nil)
	p.store, err = store.Open(t.Context(), address, store.Options{MAC: p.vault.MAC, VerifyMAC: p.vault.VerifyMAC,
		Hub: &pubsub.Hub{}, LeaseClock: time.Now})
	check(t, err)
	log := slog.New(slog.NewTextHandler(&p.log, nil))
	p.journal = journal.New(p.store, p.vault, time.Now, "us")
	p.journal.Log = log
	p.sync = lendersync.New(lendersync.Deps{Store: p.store, Vault: p.vault, Lender: client, Journal: p.journal,
		Hub: p.store.Hub, LenderHealth: health, Now: time.Now, Log: log})
	p.desk = desk.New(desk.Deps{
		Store: p.store, Vault: p.vault, Lender: client, Journal: p.journal, Hub: p.store.Hub, Refresher: p.sync,
		LenderHealth: health, Now: time.Now, Consent: desk.ConsentText{Version: consent, Text: "…"},
		Accounts:       account.New(p.store, p.vault, account.Options{Now: time.Now}),
		EstimateAccess: desk.EstimateAccess{Affiliate: "6f2d0c57-8f4e-4a39-9c0b-2f5f3f6f7a11"},
	})
	return p
}

func (p *portal) client(dialect sandbox.Dialect, transport http.RoundTripper,
	observe func(partner.Call)) *partner.Client {
	p.t.Helper()
	sealer, err := jwe.NewLocalSealer(p.sandbox.PublicKeyPEM())
	check(p.t, err)
	c, err := partner.New(partner.Config{BaseURL: "http://lender.test", Dialect: partner.Dialect(dialect),
		Transport: transport, Observe: observe,
		Sealer: sealer, APIKeys: func() []string { return []string{sandbox.DefaultAPIKey} }})
	check(p.t, err)
	return c
}

// run runs the lender sync in the background until close.
func (p *portal) run() {
	ctx, cancel := context.WithCancel(p.t.Context())
	ended := make(chan struct{})
	go func() { defer close(ended); p.sync.Run(ctx) }()
	p.stop = func() { cancel(); <-ended }
}

// close stops everything. A bubble ends only after that, even if its test fails.
func (p *portal) close() {
	if p.store == nil {
		return
	}
	p.stop()
	p.proxy.Wait()
	if err := errors.Join(p.store.Close(), p.sandbox.Close()); err != nil {
		p.t.Error(err)
	}
	p.store = nil
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// lead opens the lead's current state.
func (p *portal) lead(who string, app heloc.AppID) (*desk.Lead, error) {
	l, err := p.desk.For(p.actors[who]).Lead(p.t.Context(), string(app))
	if err != nil {
		return nil, fmt.Errorf("%s cannot open the lead: %w", who, err)
	}
	return l, nil
}
