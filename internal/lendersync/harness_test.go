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
	"sync/atomic"
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

func (f *fakeTransport) RoundTrip(r *http.Request) (resp *http.Response, err error) {
	f.mu.Lock()
	f.calls = append(f.calls, r.Method+" "+r.URL.Path)
	meddle, replace, hold := f.intercept, f.replace, f.hold
	f.mu.Unlock()
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
	f.handler.ServeHTTP(answer, r)
	if hold != nil {
		hold(r)
	}
	return answer.Result(), nil
}

// count returns the number of calls whose path contains piece.
func (f *fakeTransport) count(piece string) (n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, c := range f.calls {
		if strings.Contains(c, piece) {
			n++
		}
	}
	return n
}

func (f *fakeTransport) set(meddle func(r *http.Request) error, replace func(r *http.Request) string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calls, f.intercept, f.replace = nil, meddle, replace
}

// webhookTransport delivers the sandbox's webhooks to the service.
type webhookTransport struct{ receive func(body []byte) error }

func (w webhookTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	status := http.StatusOK
	if w.receive(body) != nil {
		status = http.StatusBadRequest
	}
	return &http.Response{StatusCode: status, Body: io.NopCloser(bytes.NewReader(nil)), Header: http.Header{}, Request: r},
		nil
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
	ahead        atomic.Int64       // how far the portal's clock is ahead of the bubble's, in nanoseconds

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
	cfg := sandbox.Config{Dir: storetest.TempDir(t), Processing: o.processing,
		PrivateKeyFile: "../jwe/testdata/private.pem"}
	if o.webhooks {
		cfg.WebhookURL = "http://portal.test/hooks/partner/token"
		cfg.Transport = webhookTransport{func(body []byte) error {
			return g.service.ReceiveWebhook(context.Background(), body)
		}}
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
		UserID: id, Email: id + "@test", Name: o.FirstName + " " + o.LastName, Role: access.Originator,
		OriginatorUUID: string(o.ID), BrokerID: o.Broker.ID, Organization: o.Organization,
	}
}

// now is the portal's clock.
func (h *harness) now() time.Time { return time.Now().Round(0).Add(time.Duration(h.ahead.Load())) }

// open opens the database and creates the services, as the portal does at startup.
func (h *harness) open() {
	h.t.Helper()
	var err error
	h.store, err = store.Open(h.t.Context(), h.address,
		store.Options{MAC: h.vault.MAC, VerifyMAC: h.vault.VerifyMAC, Hub: &pubsub.Hub{}, Now: h.now,
			LeaseClock: h.now})
	h.must(err)
	h.hub = h.store.Hub
	h.journal = journal.New(h.store, h.vault, h.now, "us")
	h.service = New(Deps{
		Store: h.store, Vault: h.vault, Lender: h.client, Journal: h.journal, Hub: h.hub, LenderHealth: h.lenderHealth,
		Now: h.now,
		Log: slog.New(slog.NewTextHandler(&h.log, nil)),
	})
	h.stop = func() {}
}

func (h *harness) run() {
	ctx, cancel := context.WithCancel(h.t.Context())
	ended := make(chan struct{})
	watch := h.service
	go func() { defer close(ended); watch.Run(ctx) }()
	h.stop = func() { cancel(); <-ended }
}

func (h *harness) close() {
	h.t.Helper()
	h.stop()
	h.must(h.store.Close())
}

func (h *harness) must(err error) {
	h.t.Helper()
	if err != nil {
		h.t.Fatal(err)
	}
}

func (h *harness) write(f func(tx *store.Tx) error) {
	h.t.Helper()
	h.must(h.store.Write(h.t.Context(), f))
}

// inquiry returns one that gets offers, unless the last name contains a trigger.
func inquiry(lastName string) heloc.Inquiry {
	home := heloc.Address{Street1: "418 Alder Way", City: "Golden", State: "CO", ZIP: "80401"}
	dollars := func(n int64) *heloc.Money { return new(heloc.Dollars(n)) }
	return heloc.Inquiry{
		Applicant: heloc.Applicant{
			Name: heloc.Name{First: "Elena", Last: lastName}, DateOfBirth: "1984-03-09", Phone: "3035550142",
			Email: "elena@borrower.test", HomeAddress: home,
			Income: heloc.Income{EmploymentType: heloc.EmploymentFullTime, GrossAnnual: dollars(128_000)},
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
func (h *harness) start(lastName string) lead.Operation {
	h.t.Helper()
	in := inquiry(lastName)
	intent := journal.Intent{
		OperationID: h.journal.NewOperationID(h.olivia, heloc.OpStart, "", "new"), Kind: heloc.OpStart, Actor: h.olivia,
		DraftID:       uuid.NewString(),
		DigestContent: []string{lastName},
	}
	intent.Prepare = func(ctx context.Context, tx *store.Tx, _ lead.Row, id string) error {
		snapshot := lead.StartSnapshot{Name: in.Applicant.Name, Phone: in.Applicant.Phone, Email: in.Applicant.Email,
			Address: in.Property.Address}
		sealed, err := vault.SealJSON(h.vault, vault.StartSnapshotsAAD(intent.DraftID), journal.StartSnapshots{id: snapshot})
		if err != nil {
			return err
		}
		return tx.SaveDraft(ctx, store.Draft{ID: intent.DraftID, OwnerID: h.olivia.UserID, Company: "c", Sealed: []byte("x"),
			StartSnapshot: sealed, OpID: id})
	}
	outcome, err := h.journal.Execute(h.t.Context(), intent, func(ctx context.Context, id string) heloc.CallResult {
		a, err := h.client.Start(ctx, partner.Start{Originator: heloc.OriginatorID(h.olivia.OriginatorUUID), Reference: id,
			Inquiry: in})
		return partner.ResultOf(a, err)
	})
	h.must(err)
	return outcome.Operation
}

// startAndRead starts an inquiry that gets a response, and reads it once.
func (h *harness) startAndRead(lastName string) heloc.AppID {
	h.t.Helper()
	op := h.start(lastName)
	if op.App == "" {
		h.t.Fatalf("got a start in state %s", op.State)
	}
	time.Sleep(time.Second)
	h.must(h.service.Refresh(h.t.Context(), op.App))
	return op.App
}

// readTwice reads a lead twice, far enough apart for the second reading to confirm what the first one would remove.
func (h *harness) readTwice(app heloc.AppID) {
	h.t.Helper()
	h.must(h.service.Refresh(h.t.Context(), app))
	time.Sleep(secondLook)
	h.must(h.service.Refresh(h.t.Context(), app))
}

// runOperation executes one operation of a lead.
func (h *harness) runOperation(app heloc.AppID, kind heloc.Operation,
	send func(ctx context.Context, by heloc.OriginatorID) (partner.WriteResult, error)) (lead.Operation, error) {
	h.t.Helper()
	intent := journal.Intent{OperationID: h.journal.NewOperationID(h.olivia, kind, app,
		journal.StepFingerprint(h.lead(app))), Kind: kind, Actor: h.olivia, App: app}
	outcome, err := h.journal.Execute(h.t.Context(), intent, func(ctx context.Context, _ string) heloc.CallResult {
		return partner.ResultOf(send(ctx, heloc.OriginatorID(h.olivia.OriginatorUUID)))
	})
	if err != nil {
		return outcome.Operation, err
	}
	return outcome.Result()
}

func (h *harness) lead(app heloc.AppID) lead.Row {
	h.t.Helper()
	l, err := h.store.AnyLead(h.t.Context(), app)
	h.must(err)
	return l
}

// events returns the events of a lead, oldest first.
func (h *harness) events(app heloc.AppID) []lead.Event {
	h.t.Helper()
	es, err := h.store.Events(h.t.Context(), app, 99)
	h.must(err)
	for i, j := 0, len(es)-1; i < j; i, j = i+1, j-1 {
		es[i], es[j] = es[j], es[i]
	}
	return es
}

func (h *harness) eventKinds(app heloc.AppID) string {
	var kinds []string
	for _, e := range h.events(app) {
		kinds = append(kinds, string(e.Kind))
	}
	return strings.Join(kinds, " ")
}

func (h *harness) part(app heloc.AppID, part lead.Part) (store.SealedPart, bool) {
	h.t.Helper()
	parts, err := h.store.Parts(h.t.Context(), app)
	h.must(err)
	p, ok := parts[part]
	return p, ok
}

// advance advances the time in steps and does at each step what the loops would do. Over days this is faster than
// waking up twice a second.
func (h *harness) advance(d, every time.Duration) {
	h.t.Helper()
	for end := time.Now().Add(d); time.Now().Before(end); {
		time.Sleep(min(every, time.Until(end)))
		synctest.Wait()
		h.must(h.journal.Recover(h.t.Context()))
		h.must(h.service.resolveUnknownApplications(h.t.Context()))
		h.must(h.service.sweep(h.t.Context()))
		h.drainQueue()
	}
}

// drainQueue reads the queued leads without the loops.
func (h *harness) drainQueue() {
	for h.service.refreshNext(h.t.Context()) {
	}
}
