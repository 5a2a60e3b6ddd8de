package desk_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"

	"hearthline/internal/access"
	"hearthline/internal/account"
	"hearthline/internal/desk"
	deskintake "hearthline/internal/desk/intake"
	deskpipeline "hearthline/internal/desk/pipeline"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/jwe"
	"hearthline/internal/lead"
	"hearthline/internal/lendersync"
	"hearthline/internal/partner"
	"hearthline/internal/pii"
	"hearthline/internal/pubsub"
	"hearthline/internal/sandbox"
	"hearthline/internal/store"
	"hearthline/internal/store/storetest"
	"hearthline/internal/vault"
)

// sandboxTransport sends requests to the simulated lender without a network, so that a test can control the time.
type sandboxTransport struct {
	handler http.Handler

	mu      sync.Mutex
	calls   []string
	hanging bool // requests hang until the caller gives up
}

func (s *sandboxTransport) RoundTrip(r *http.Request) (resp *http.Response, err error) {
	s.mu.Lock()
	s.calls = append(s.calls, r.Method+" "+r.URL.Path)
	hangs := s.hanging
	s.mu.Unlock()
	if trace := httptrace.ContextClientTrace(r.Context()); trace != nil && trace.WroteHeaders != nil {
		trace.WroteHeaders()
	}
	if hangs {
		<-r.Context().Done()
		return nil, r.Context().Err()
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
	r.RemoteAddr = "127.0.0.1:1"
	s.handler.ServeHTTP(answer, r)
	return answer.Result(), nil
}

func (s *sandboxTransport) count(piece string) (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.calls {
		if strings.Contains(c, piece) {
			n++
		}
	}
	return n
}

func (s *sandboxTransport) setHanging(hangs bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls, s.hanging = nil, hangs
}

// harness is the services of a portal, and its users.
type harness struct {
	t         *testing.T
	address   string
	transport *sandboxTransport
	lender    *sandbox.Sandbox
	store     *store.Store
	sync      *lendersync.Service
	service   *desk.Service
	deskDeps  desk.Deps // what the service was built from
	stop      func()
	log       strings.Builder

	// maya is a manager, ann an assistant; piotr belongs to another company
	olivia, marcus, maya, ann, piotr, admin access.Actor
}

// runInSynctest runs a test in a synctest bubble, with lendersync running in the background unless quiet is set.
func runInSynctest(t *testing.T, quiet bool, test func(t *testing.T, g *harness)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		g := newHarness(t)
		defer g.close()
		if !quiet {
			g.runSync()
		}
		test(t, g)
	})
}

// runInSynctestWith runs a test in a synctest bubble, without lendersync in the background, at a lender with a dialect.
func runInSynctestWith(t *testing.T, dialect sandbox.Dialect, test func(t *testing.T, g *harness)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		g := newHarnessWith(t, dialect)
		defer g.close()
		test(t, g)
	})
}

// close ends the services. A test in a bubble calls it even when it fails early, because otherwise the bubble never
// ends.
func (h *harness) close() {
	h.stop()
	if err := errors.Join(h.store.Close(), h.lender.Close()); err != nil {
		h.t.Error(err)
	}
}

func newHarness(t testing.TB) *harness {
	t.Helper()
	return newHarnessWith(t, sandbox.Documented)
}

func newHarnessWith(t testing.TB, dialect sandbox.Dialect) *harness {
	t.Helper()
	g := &harness{address: storetest.NewDatabase(t), stop: func() {}}
	g.t, _ = t.(*testing.T)
	v, err := vault.InMemory()
	check(t, err)
	g.lender, err = sandbox.Open(sandbox.Config{Dir: storetest.TempDir(t), PrivateKeyFile: "../jwe/testdata/private.pem",
		Dialect: dialect})
	check(t, err)
	g.transport = &sandboxTransport{handler: g.lender.Handler()}
	sealer, err := jwe.NewLocalSealer(g.lender.PublicKeyPEM())
	check(t, err)
	lenderHealth := &lendersync.LenderHealth{}
	client, err := partner.New(partner.Config{
		BaseURL: "http://lender.test", Transport: g.transport, Observe: lenderHealth.Observe, Sealer: sealer,
		APIKeys: func() []string { return []string{sandbox.DefaultAPIKey} }, Dialect: partner.Dialect(dialect),
	})
	check(t, err)
	g.store, err = store.Open(t.Context(), g.address,
		store.Options{MAC: v.MAC, VerifyMAC: v.VerifyMAC, Hub: &pubsub.Hub{}})
	check(t, err)
	shared := g.store.Hub
	j := journal.New(g.store, v, time.Now, "us")
	log := slog.New(slog.NewTextHandler(&g.log, nil))
	j.Log = log
	g.sync = lendersync.New(lendersync.Deps{Store: g.store, Vault: v, Lender: client, Journal: j, Hub: shared,
		LenderHealth: lenderHealth, Now: time.Now, Log: log})
	g.deskDeps = desk.Deps{
		Store: g.store, Vault: v, Lender: client, Journal: j, Hub: shared, Refresher: g.sync, LenderHealth: lenderHealth,
		Now: time.Now, Consent: desk.ConsentText{Version: "2026-11", Text: "…"},
		Accounts: account.New(g.store, v, account.Options{Now: time.Now}),
	}
	g.service = desk.New(g.deskDeps)
	check(t, g.sync.SyncDirectory(t.Context()))
	g.olivia, g.marcus = g.actor(t, "olivia@summit.test", access.Originator),
		g.actor(t, "marcus@summit.test", access.Originator)
	g.piotr, g.maya = g.actor(t, "piotr@lakeside.test", access.Originator), g.actor(t, "maya@summit.test", access.Manager)
	g.ann, g.admin = g.olivia, access.Actor{UserID: "admin", Email: "admin@test", Name: "Admin", Role: access.Admin,
		ElevatedUntil: elevatedUntil()}
	g.ann.UserID, g.ann.Email, g.ann.Role, g.ann.OriginatorUUID = "ann", "ann@test", access.Assistant, ""
	g.ann.WorksFor, g.ann.Reassigns = access.AllOriginators, true
	for _, one := range []access.Actor{g.olivia, g.marcus, g.piotr, g.maya, g.ann, g.admin} {
		check(t, g.store.AddUser(t.Context(), access.User{Actor: one}, ""))
	}
	return g
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// readTwice reads a lead twice, far enough apart for the second reading to confirm what the first one would remove.
func (h *harness) readTwice(app heloc.AppID) {
	h.t.Helper()
	h.must(h.sync.Refresh(h.t.Context(), app))
	time.Sleep(10 * time.Second)
	h.must(h.sync.Refresh(h.t.Context(), app))
}

func (h *harness) must(err error) {
	h.t.Helper()
	check(h.t, err)
}

func (h *harness) actor(t testing.TB, email string, role access.Role) access.Actor {
	t.Helper()
	o, err := h.store.OriginatorByEmail(t.Context(), email)
	check(t, err)
	return access.Actor{
		ElevatedUntil: elevatedUntil(),
		UserID:        email, Email: email, Name: o.Name(), Role: role, OriginatorUUID: string(o.UUID),
		OriginatorName: o.Name(), BrokerID: o.BrokerID, BrokerName: o.BrokerName, Organization: o.Organization,
	}
}

// elevatedUntil is far in the future, so the users of these tests have always stepped up.
func elevatedUntil() time.Time { return time.Now().AddDate(10, 0, 0) }

func (h *harness) runSync() {
	ctx, cancel := context.WithCancel(h.t.Context())
	ended := make(chan struct{})
	go func() { defer close(ended); h.sync.Run(ctx) }()
	h.stop = func() { cancel(); <-ended }
}

// form returns a complete intake form with a new operation id and a new draft id.
func (h *harness) form(in *deskintake.Intake, lastName string) deskintake.StartForm {
	home := heloc.Address{Street1: "418 Alder Way", City: "Golden", State: "CO", ZIP: "80401"}
	dollars := func(n int64) *heloc.Money { return new(heloc.Dollars(n)) }
	inquiry := heloc.Inquiry{
		Applicant: heloc.Applicant{
			Name: heloc.Name{First: "Xochitl", Last: lastName}, DateOfBirth: "1984-03-09", Phone: "9195550142",
			Email: "xochitl@borrower.test", HomeAddress: home,
			Income: heloc.Income{EmploymentType: heloc.EmploymentFullTime, GrossAnnual: dollars(128_000)},
			SSN:    pii.Wrap("078-05-1120"),
		},
		Property: heloc.Property{
			Address: home, PropertyType: heloc.PropertyPrimary, IsListedForSale: new(false), OwnershipType: heloc.OwnershipSole,
			EstimatedValue: dollars(640_000),
			Liens: []heloc.LienInput{{OriginationDate: "2019-05-01", LenderName: "Meridian Home Loans",
				OriginalBalance: dollars(310_000), CurrentBalance: dollars(262_000), MonthlyPayment: dollars(1_640)}},
		},
	}
	return deskintake.StartForm{
		OperationID: in.NewOperationID(), DraftID: uuid.NewString(), Inquiry: inquiry,
		Typed: lead.FormValues{"applicant.name.lastName": {lastName}, "applicant.ssn": {"078-05-1120"},
			"consent.attested": {"true"}},
		Snapshot: lead.StartSnapshot{
			Name: inquiry.Applicant.Name, Phone: inquiry.Applicant.Phone, Email: inquiry.Applicant.Email, Address: home,
		},
		Consent: lead.ConsentForm{Attested: true, Method: "in-person", Version: "2026-11"},
	}
}

func (h *harness) intake(who access.Actor) *deskintake.Intake {
	h.t.Helper()
	in, err := h.service.For(who).Intake()
	h.must(err)
	return in
}

// start starts an inquiry and waits for its first step.
func (h *harness) start(who access.Actor, lastName string) heloc.AppID {
	h.t.Helper()
	in := h.intake(who)
	f := h.form(in, lastName)
	// without an SSN, the lender asks for one when the last name contains Match
	f.ConfirmDuplicate, f.NoUnit, f.Inquiry.Applicant.SSN = true, true, pii.Secret[string]{}
	op, err := in.Start(h.t.Context(), f)
	h.must(err)
	if op.App == "" {
		h.t.Fatalf("got a start in state %s", op.State)
	}
	h.must(h.sync.Refresh(h.t.Context(), op.App))
	return op.App
}

func (h *harness) openLead(who access.Actor, app heloc.AppID) *desk.Lead {
	h.t.Helper()
	l, err := h.service.For(who).Lead(h.t.Context(), string(app))
	h.must(err)
	return l
}

func (h *harness) pipeline(who access.Actor) *deskpipeline.Pipeline {
	h.t.Helper()
	p, err := h.service.For(who).Pipeline()
	h.must(err)
	return p
}

func (h *harness) listPage(who access.Actor, q lead.Query, typed string) deskpipeline.Page {
	h.t.Helper()
	page, err := h.pipeline(who).Page(h.t.Context(), q, typed)
	h.must(err)
	return page
}

func wantKind(t *testing.T, err error, want fault.Kind) {
	t.Helper()
	if err == nil || fault.KindOf(err) != want {
		t.Errorf("got error %v, want kind %v", err, want)
	}
}

// wantField checks that the error names exactly one control.
func wantField(t *testing.T, err error, name string) {
	t.Helper()
	fields := fault.FieldsOf(err)
	if len(fields) != 1 || fields[0].Name != name {
		t.Errorf("got field errors %v (%v), want one for %s", fields, err, name)
	}
}

// diskAndLog returns everything that the database has stored, and the log.
func (h *harness) diskAndLog() string {
	h.t.Helper()
	return h.log.String() + strings.Join(slices.Collect(maps.Values(storetest.Stored(h.t, h.address))), "\n")
}

// rebuildDesks applies what a test has changed in deskDeps to every holder of the service.
func (h *harness) rebuildDesks() { *h.service = *desk.New(h.deskDeps) }

// setRole changes a role in the layer below desk, as package approval does once two administrators agree.
func (h *harness) setRole(id string, role access.Role) error {
	ctx := h.t.Context()
	return h.store.Write(ctx, func(tx *store.Tx) error { return tx.ChangeRole(ctx, h.admin, id, role) })
}
