package journal_test

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/internal/store/storetest"
	"hearthline/internal/vault"
)

// clock is a clock that the test controls.
type clock struct {
	mu    sync.Mutex
	at    time.Time
	onNow func() // called before every reading, without the mutex
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	tap := c.onNow
	c.mu.Unlock()
	if tap != nil {
		tap()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

func (c *clock) setOnNow(f func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.onNow = f
}

// harness is a journal with a real database.
type harness struct {
	t            *testing.T
	address      string
	store        *store.Store
	vault        *vault.Vault
	clock        *clock
	journal      *journal.Journal
	rotatedVault *vault.Vault // the same vault after a key rotation
	olivia       access.Actor
	app          heloc.AppID
}

func newHarness(t *testing.T) *harness {
	t.Helper()
	v, renewed, err := vault.InMemoryRotated()
	if err != nil {
		t.Fatal(err)
	}
	g := &harness{
		t: t, address: storetest.NewDatabase(t), vault: v, rotatedVault: renewed,
		clock: &clock{at: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)},
		olivia: access.Actor{
			UserID: "olivia", Name: "Olivia Hart", Role: access.Originator, OriginatorUUID: "o1", BrokerID: "B1",
			Organization: "org",
		},
		app: "00000000-0000-4000-8000-000000000001",
	}
	g.store, err = store.Open(t.Context(), g.address, store.Options{MAC: v.MAC, VerifyMAC: v.VerifyMAC, Now: g.clock.now,
		LeaseClock: g.clock.now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = g.store.Close() })
	g.journal = journal.New(g.store, v, g.clock.now, "us")
	g.write(func(tx *store.Tx) error {
		return tx.SaveOriginator(t.Context(), heloc.Originator{
			ID: "o1", Organization: "org", Broker: &heloc.BrokerCompany{ID: "B1"},
		}, g.clock.now())
	})
	if err := g.store.AddUser(t.Context(), access.User{Actor: g.olivia}, ""); err != nil {
		t.Fatal(err)
	}
	g.write(func(tx *store.Tx) error {
		return tx.AddLead(t.Context(), &lead.Row{
			App: g.app, Originator: "o1", Company: "B1", Organization: "org", Step: heloc.StepCreditMatch, HistoryLength: 2,
			StepSince: store.Millis(g.clock.now()), RefreshAt: store.Millis(g.clock.now().Add(time.Hour)),
		}, g.clock.now())
	})
	return g
}

func (h *harness) write(f func(tx *store.Tx) error) {
	h.t.Helper()
	if err := h.store.Write(h.t.Context(), f); err != nil {
		h.t.Fatal(err)
	}
}

func (h *harness) lead() lead.Row {
	h.t.Helper()
	l, err := h.store.AnyLead(h.t.Context(), h.app)
	if err != nil {
		h.t.Fatal(err)
	}
	return l
}

func (h *harness) operation(id string) lead.Operation {
	h.t.Helper()
	op, err := h.store.Operation(h.t.Context(), id)
	if err != nil {
		h.t.Fatal(err)
	}
	return op
}

// intent returns a write to the lead at its current step.
func (h *harness) intent(kind heloc.Operation, content ...string) journal.Intent {
	return journal.Intent{
		OperationID: h.journal.NewOperationID(h.olivia, kind, h.app, journal.StepFingerprint(h.lead())), Kind: kind,
		Actor: h.olivia, App: h.app, DigestContent: content,
	}
}

// startIntent returns a start whose draft has the borrower's data.
func (h *harness) startIntent(name heloc.Name) journal.Intent {
	in := journal.Intent{
		OperationID: h.journal.NewOperationID(h.olivia, heloc.OpStart, "", "new"), Kind: heloc.OpStart, Actor: h.olivia,
		DraftID: uuid.NewString(), DigestContent: []string{name.Last},
		DuplicateKey: h.vault.Digest(vault.IndexDuplicate, name.Last),
	}
	in.Prepare = func(ctx context.Context, tx *store.Tx, _ lead.Row, id string) error {
		sealed, err := vault.SealJSON(h.vault, vault.StartSnapshotsAAD(in.DraftID), journal.StartSnapshots{id: {Name: name}})
		if err != nil {
			return err
		}
		return tx.SaveDraft(ctx, store.Draft{ID: in.DraftID, OwnerID: h.olivia.UserID, Company: "B1", Sealed: []byte("x"),
			StartSnapshot: sealed, OpID: id})
	}
	return in
}

// resultFor returns what a call reports whose verdict is a state.
func resultFor(state lead.OpState) heloc.CallResult {
	switch state {
	case lead.OpSucceeded:
		return heloc.CallResult{Reach: heloc.ReachAnswer, Status: 200}
	case lead.OpRejected:
		return heloc.CallResult{Reach: heloc.ReachAnswer, Status: 422}
	case lead.OpNotSent:
		return heloc.CallResult{Reach: heloc.ReachNothing}
	default:
		return heloc.CallResult{Reach: heloc.ReachSent}
	}
}

// startedAs returns what a start reports that created an application.
func startedAs(app heloc.AppID) heloc.CallResult {
	return heloc.CallResult{Reach: heloc.ReachAnswer, Status: 200, Effect: heloc.EffectStated, App: app}
}

// fakeLender returns one fixed result and counts its calls.
type fakeLender struct {
	heloc.CallResult
	mu    sync.Mutex
	calls int
	crash bool // the process ends before the call
}

func (f *fakeLender) send(context.Context, string) heloc.CallResult {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.crash {
		f.crash = false
		panic(crashPanic{})
	}
	f.calls++
	return f.CallResult
}

func succeedingLender() *fakeLender {
	return &fakeLender{CallResult: resultFor(lead.OpSucceeded)}
}

func (h *harness) execute(in journal.Intent, a *fakeLender) (lead.Operation, error) {
	return result(h.journal.Execute(h.t.Context(), in, a.send))
}

// result returns the outcome of a write: its operation, and either why nothing was sent or why it had no effect.
func result(o journal.Outcome, err error) (lead.Operation, error) {
	if err != nil {
		return o.Operation, err
	}
	return o.Result()
}

func wantKind(t *testing.T, err error, want fault.Kind) {
	t.Helper()
	if err == nil || fault.KindOf(err) != want {
		t.Errorf("got error %v, want kind %v", err, want)
	}
}

// stored returns everything that the database has stored.
func (h *harness) stored() string {
	h.t.Helper()
	return strings.Join(slices.Collect(maps.Values(storetest.Stored(h.t, h.address))), "\n")
}

// auditOf returns the audit rows of an operation.
func (h *harness) auditOf(id string) []store.AuditEntry {
	h.t.Helper()
	all, err := h.store.Audits(h.t.Context(), store.AuditQuery{Limit: 100})
	if err != nil {
		h.t.Fatal(err)
	}
	return slices.DeleteFunc(all, func(a store.AuditEntry) bool {
		return a.Object != "operation:"+id && a.Detail != "operation:"+id
	})
}
