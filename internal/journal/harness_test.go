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
			UserID: "olivia", Name: "Olivia Hart", Role: access.Originator, OriginatorUUID: "o1", BrokerID: "B1", Organization: "org",
		},
		app: "00000000-0000-4000-8000-000000000001",
	}
	g.store, err = store.Open(t.Context(), g.address, store.Options{MAC: v.MAC, VerifyMAC: v.VerifyMAC, Now: g.clock.now})
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
			App: g.app, Originator: "o1", BrokerID: "B1", Organization: "org", Step: heloc.StepCreditMatch, HistoryLength: 2,
			StepSince: store.Millis(g.clock.now()), RefreshAt: store.Millis(g.clock.now().Add(time.Hour)),
		}, g.clock.now())
	})
	return g
}

func (g *harness) write(f func(tx *store.Tx) error) {
	g.t.Helper()
	if err := g.store.Write(g.t.Context(), f); err != nil {
		g.t.Fatal(err)
	}
}

func (g *harness) lead() lead.Row {
	g.t.Helper()
	l, err := g.store.AnyLead(g.t.Context(), g.app)
	if err != nil {
		g.t.Fatal(err)
	}
	return l
}

func (g *harness) operation(id string) lead.Operation {
	g.t.Helper()
	op, err := g.store.Operation(g.t.Context(), id)
	if err != nil {
		g.t.Fatal(err)
	}
	return op
}

// intent returns a write to the lead at its current step.
func (g *harness) intent(kind heloc.Operation, content ...string) journal.Intent {
	return journal.Intent{
		OperationID: g.journal.NewOperationID(g.olivia, kind, g.app, journal.StepFingerprint(g.lead())), Kind: kind, Actor: g.olivia, App: g.app, DigestContent: content,
	}
}

// startIntent returns a start whose draft has the borrower's data.
func (g *harness) startIntent(name heloc.Name) journal.Intent {
	in := journal.Intent{
		OperationID: g.journal.NewOperationID(g.olivia, heloc.OpStart, "", "new"), Kind: heloc.OpStart, Actor: g.olivia,
		DraftID: uuid.NewString(), DigestContent: []string{name.Last}, DuplicateKey: g.vault.Digest(vault.IndexDuplicate, name.Last),
	}
	in.Prepare = func(ctx context.Context, tx *store.Tx, id string) error {
		sealed, err := vault.SealJSON(g.vault, vault.StartSnapshotsAAD(in.DraftID), journal.StartSnapshots{id: {Name: name}})
		if err != nil {
			return err
		}
		return tx.SaveDraft(ctx, store.Draft{ID: in.DraftID, OwnerID: g.olivia.UserID, Company: "B1", Sealed: []byte("x"), StartSnapshot: sealed, OpID: id})
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
}

func (a *fakeLender) send(context.Context, string) heloc.CallResult {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.calls++
	return a.CallResult
}

func succeedingLender() *fakeLender {
	return &fakeLender{CallResult: resultFor(lead.OpSucceeded)}
}

func (g *harness) execute(in journal.Intent, a *fakeLender) (lead.Operation, error) {
	effect := g.journal.AcceptOnLead
	if in.Kind == heloc.OpStart {
		effect = g.journal.CreateLead
	}
	return g.journal.Execute(g.t.Context(), in, a.send, effect)
}

func wantKind(t *testing.T, err error, want fault.Kind) {
	t.Helper()
	if err == nil || fault.KindOf(err) != want {
		t.Errorf("got error %v, want kind %v", err, want)
	}
}

// stored returns everything that the database has stored.
func (g *harness) stored() string {
	g.t.Helper()
	return strings.Join(slices.Collect(maps.Values(storetest.Stored(g.t, g.address))), "\n")
}

// auditOf returns the audit rows of an operation.
func (g *harness) auditOf(id string) []store.AuditEntry {
	g.t.Helper()
	all, err := g.store.Audits(g.t.Context(), store.AuditQuery{Limit: 100})
	if err != nil {
		g.t.Fatal(err)
	}
	return slices.DeleteFunc(all, func(a store.AuditEntry) bool { return a.Object != "operation:"+id && a.Detail != "operation:"+id })
}
