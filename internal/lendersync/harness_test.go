package lendersync

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/jwe"
	"hearthline/internal/lead"
	"hearthline/internal/partner"
	"hearthline/internal/pubsub"
	"hearthline/internal/sandbox"
	"hearthline/internal/store"
	"hearthline/internal/store/storetest"
	"hearthline/internal/vault"
)

// fakeTransport sends requests to a handler without a network, so that a test can control the time.
type fakeTransport struct {
	handler http.Handler

	mu        sync.Mutex
	calls     []string                    // "GET /path", in order
	intercept func(r *http.Request) error // called before each request; an error simulates a lost connection
	replace   func(r *http.Request) string
	hold      func(r *http.Request) // called after the lender has acted, before its response is returned
}

func (w *fakeTransport) RoundTrip(r *http.Request) (resp *http.Response, err error) {
	w.mu.Lock()
	w.calls = append(w.calls, r.Method+" "+r.URL.Path)
	meddle, replace, hold := w.intercept, w.replace, w.hold
	w.mu.Unlock()
	if trace := httptrace.ContextClientTrace(r.Context()); trace != nil && trace.WroteHeaders != nil {
		trace.WroteHeaders()
	}
	if meddle != nil {
		if err := meddle(r); err != nil {
			return nil, err
		}
	}
	if r.Body == nil {
		r.Body = http.NoBody
	}
	answer := httptest.NewRecorder()
	defer func() {
		if recover() != nil { // the sandbox drops the connection
			resp, err = nil, io.ErrUnexpectedEOF
		}
	}()
	if replace != nil {
		if body := replace(r); body != "" {
			answer.Header().Set("Content-Type", "application/json")
			_, _ = answer.WriteString(body)
			return answer.Result(), nil
		}
	}
	r.RemoteAddr = "127.0.0.1:1"
	w.handler.ServeHTTP(answer, r)
	if hold != nil {
		hold(r)
	}
	return answer.Result(), nil
}

// count returns the number of calls whose path contains piece.
func (w *fakeTransport) count(piece string) (n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range w.calls {
		if strings.Contains(c, piece) {
			n++
		}
	}
	return n
}

func (w *fakeTransport) set(meddle func(r *http.Request) error, replace func(r *http.Request) string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.calls, w.intercept, w.replace = nil, meddle, replace
}

// webhookTransport delivers the sandbox's webhooks to the service.
type webhookTransport struct{ receive func(body []byte) error }

func (d webhookTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	status := http.StatusOK
	if d.receive(body) != nil {
		status = http.StatusBadRequest
	}
	return &http.Response{StatusCode: status, Body: io.NopCloser(bytes.NewReader(nil)), Header: http.Header{}, Request: r}, nil
}

// harness is a Service with the simulated lender, in a synctest bubble.
type harness struct {
	t            *testing.T
	address      string
	vault        *vault.Vault
	rotatedVault *vault.Vault // the same vault after a key rotation
	transport    *fakeTransport
	lender       *sandbox.Sandbox
	client       *partner.Client
	lenderHealth *LenderHealth
	log          bytes.Buffer
	olivia       access.Actor
	originators  []heloc.Originator // olivia, marcus, piotr

	store   *store.Store
	hub     *pubsub.Hub
	journal *journal.Journal
	service *Service
	stop    func()
}

// options configure a harness.
type options struct {
	processing time.Duration
	webhooks   bool
	loops      bool // Run runs in the background
	reference  partner.ReferenceField
}

func runInSynctest(t *testing.T, o options, f func(t *testing.T, g *harness)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		g := newHarness(t, o)
		defer func() { // even when the test fails early, because otherwise the bubble never ends
			g.stop()
			if err := errors.Join(g.store.Close(), g.lender.Close()); err != nil {
				t.Error(err)
			}
		}()
		f(t, g)
	})
}

func newHarness(t *testing.T, o options) *harness {
	t.Helper()
	g := &harness{t: t, address: storetest.NewDatabase(t), lenderHealth: &LenderHealth{}}
	var err error
	if g.vault, g.rotatedVault, err = vault.InMemoryRotated(); err != nil {
		t.Fatal(err)
	}
	cfg := sandbox.Config{Dir: storetest.TempDir(t), Processing: o.processing, PrivateKeyFile: "../jwe/testdata/private.pem"}
	if o.webhooks {
		cfg.WebhookURL = "http://portal.test/hooks/partner/token"
		cfg.Transport = webhookTransport{func(body []byte) error { return g.service.ReceiveWebhook(context.Background(), body) }}
	}
	if g.lender, err = sandbox.Open(cfg); err != nil {
		t.Fatal(err)
	}
	g.transport = &fakeTransport{handler: g.lender.Handler()}
	config := partner.Config{
		BaseURL: "http://lender.test", Transport: g.transport, Observe: g.lenderHealth.Observe, ReferenceField: o.reference,
		APIKeys: func() []string { return []string{sandbox.DefaultAPIKey} },
	}
	if config.Sealer, err = jwe.NewLocalSealer(g.lender.PublicKeyPEM()); err != nil {
		t.Fatal(err)
	}
	if g.client, err = partner.New(config); err != nil {
		t.Fatal(err)
	}
	g.open()
	for _, email := range []string{"olivia@summit.test", "marcus@summit.test", "piotr@lakeside.test"} {
		for _, one := range g.lender.Originators() {
			if one.Email == email {
				g.originators = append(g.originators, one)
			}
		}
	}
	g.olivia = actorOf("olivia", g.originators[0])
	g.must(g.store.AddUser(t.Context(), access.User{Actor: g.olivia}, ""))
	g.must(g.service.SyncDirectory(t.Context()))
	g.transport.set(nil, nil)
	if o.loops {
		g.run()
	}
	return g
}

func actorOf(id string, o heloc.Originator) access.Actor {
	return access.Actor{
		UserID: id, Email: id + "@test", Name: o.FirstName + " " + o.LastName, Role: access.Originator, OriginatorUUID: string(o.ID),
		BrokerID: o.Broker.ID, Organization: o.Organization,
	}
}

// open opens the database and creates the services, as the portal does at startup.
func (g *harness) open() {
	g.t.Helper()
	var err error
	g.store, err = store.Open(g.t.Context(), g.address, store.Options{MAC: g.vault.MAC, VerifyMAC: g.vault.VerifyMAC})
	g.must(err)
	g.hub = &pubsub.Hub{}
	g.journal = journal.New(g.store, g.vault, time.Now, "us")
	g.service = New(Deps{
		Store: g.store, Vault: g.vault, Lender: g.client, Journal: g.journal, Hub: g.hub, LenderHealth: g.lenderHealth, Now: time.Now,
		Log: slog.New(slog.NewTextHandler(&g.log, nil)),
	})
	g.stop = func() {}
}

func (g *harness) run() {
	ctx, cancel := context.WithCancel(g.t.Context())
	ended := make(chan struct{})
	watch := g.service
	go func() { defer close(ended); watch.Run(ctx) }()
	g.stop = func() { cancel(); <-ended }
}

func (g *harness) close() {
	g.t.Helper()
	g.stop()
	g.must(g.store.Close())
}

func (g *harness) must(err error) {
	g.t.Helper()
	if err != nil {
		g.t.Fatal(err)
	}
}

func (g *harness) write(f func(tx *store.Tx) error) {
	g.t.Helper()
	g.must(g.store.Write(g.t.Context(), f))
}

// inquiry returns one that gets offers, unless the last name contains a trigger.
func inquiry(lastName string) heloc.Inquiry {
	home := heloc.Address{Street1: "418 Alder Way", City: "Golden", State: "CO", ZIP: "80401"}
	dollars := func(n int64) *heloc.Money { return new(heloc.Dollars(n)) }
	return heloc.Inquiry{
		Applicant: heloc.Applicant{
			Name: heloc.Name{First: "Elena", Last: lastName}, DateOfBirth: "1984-03-09", Phone: "3035550142", Email: "elena@borrower.test",
			HomeAddress: home, Income: heloc.Income{EmploymentType: heloc.EmploymentFullTime, GrossAnnual: dollars(128_000)},
		},
		Property: heloc.Property{
			Address: home, PropertyType: heloc.PropertyPrimary, IsListedForSale: new(false), OwnershipType: heloc.OwnershipSole,
			EstimatedValue: dollars(640_000),
			Liens: []heloc.LienInput{{OriginationDate: "2019-05-01", LenderName: "Meridian Home Loans",
				OriginalBalance: dollars(310_000), CurrentBalance: dollars(262_000), MonthlyPayment: dollars(1_640)}},
		},
	}
}

// start sends an inquiry through the journal, as the desk does.
func (g *harness) start(lastName string) lead.Operation {
	g.t.Helper()
	in := inquiry(lastName)
	intent := journal.Intent{
		OperationID: g.journal.NewOperationID(g.olivia, heloc.OpStart, "", "new"), Kind: heloc.OpStart, Actor: g.olivia, DraftID: uuid.NewString(),
		DigestContent: []string{lastName},
	}
	intent.Prepare = func(ctx context.Context, tx *store.Tx, id string) error {
		snapshot := lead.StartSnapshot{Name: in.Applicant.Name, Phone: in.Applicant.Phone, Email: in.Applicant.Email, Address: in.Property.Address}
		sealed, err := vault.SealJSON(g.vault, vault.StartSnapshotsAAD(intent.DraftID), journal.StartSnapshots{id: snapshot})
		if err != nil {
			return err
		}
		return tx.SaveDraft(ctx, store.Draft{ID: intent.DraftID, OwnerID: g.olivia.UserID, Company: "c", Sealed: []byte("x"), StartSnapshot: sealed, OpID: id})
	}
	op, err := g.journal.Execute(g.t.Context(), intent, func(ctx context.Context, id string) heloc.CallResult {
		a, err := g.client.Start(ctx, partner.Start{Originator: heloc.OriginatorID(g.olivia.OriginatorUUID), Reference: id, Inquiry: in})
		return partner.ResultOf(a, err)
	}, g.journal.CreateLead)
	g.must(err)
	return op
}

// startAndRead starts an inquiry that gets a response, and reads it once.
func (g *harness) startAndRead(lastName string) heloc.AppID {
	g.t.Helper()
	op := g.start(lastName)
	if op.App == "" {
		g.t.Fatalf("got a start in state %s", op.State)
	}
	time.Sleep(time.Second)
	g.must(g.service.Refresh(g.t.Context(), op.App))
	return op.App
}

// runOperation executes one operation of a lead.
func (g *harness) runOperation(app heloc.AppID, kind heloc.Operation, send func(ctx context.Context, by heloc.OriginatorID) (partner.WriteResult, error)) (lead.Operation, error) {
	g.t.Helper()
	intent := journal.Intent{OperationID: g.journal.NewOperationID(g.olivia, kind, app, journal.StepFingerprint(g.lead(app))), Kind: kind, Actor: g.olivia, App: app}
	return g.journal.Execute(g.t.Context(), intent, func(ctx context.Context, _ string) heloc.CallResult {
		return partner.ResultOf(send(ctx, heloc.OriginatorID(g.olivia.OriginatorUUID)))
	}, g.journal.AcceptOnLead)
}

func (g *harness) lead(app heloc.AppID) lead.Row {
	g.t.Helper()
	l, err := g.store.AnyLead(g.t.Context(), app)
	g.must(err)
	return l
}

// events returns the events of a lead, oldest first.
func (g *harness) events(app heloc.AppID) []lead.Event {
	g.t.Helper()
	es, err := g.store.Events(g.t.Context(), app, 99)
	g.must(err)
	for i, j := 0, len(es)-1; i < j; i, j = i+1, j-1 {
		es[i], es[j] = es[j], es[i]
	}
	return es
}

func (g *harness) eventKinds(app heloc.AppID) string {
	var kinds []string
	for _, e := range g.events(app) {
		kinds = append(kinds, string(e.Kind))
	}
	return strings.Join(kinds, " ")
}

func (g *harness) part(app heloc.AppID, part lead.Part) (store.SealedPart, bool) {
	g.t.Helper()
	parts, err := g.store.Parts(g.t.Context(), app)
	g.must(err)
	p, ok := parts[part]
	return p, ok
}

// advance advances the time in steps and does at each step what the loops would do. Over days this is faster than
// waking up twice a second.
func (g *harness) advance(d, every time.Duration) {
	g.t.Helper()
	for end := time.Now().Add(d); time.Now().Before(end); {
		time.Sleep(min(every, time.Until(end)))
		synctest.Wait()
		g.must(g.journal.Recover(g.t.Context()))
		g.must(g.service.resolveUnknownApplications(g.t.Context()))
		g.must(g.service.sweep(g.t.Context()))
		g.drainQueue()
	}
}

// drainQueue reads the queued leads without the loops.
func (g *harness) drainQueue() {
	for g.service.refreshNext(g.t.Context()) {
	}
}
