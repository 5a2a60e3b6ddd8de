package journal_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// clock is a present that the test moves.
type clock struct {
	mu  sync.Mutex
	at  time.Time
	tap func() // called before every look, without the lock
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	tap := c.tap
	c.mu.Unlock()
	if tap != nil {
		tap()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

func (c *clock) tapped(f func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.tap = f
}

// rig is a journal on a real database.
type rig struct {
	t       *testing.T
	path    string
	store   *store.Store
	vault   *vault.Vault
	clock   *clock
	journal *journal.Journal
	renewed *vault.Vault // the same after a rotation of keys
	olivia  access.Actor
	app     heloc.AppID
}

func newRig(t *testing.T) *rig {
	t.Helper()
	v, renewed, err := vault.InMemoryRotated()
	if err != nil {
		t.Fatal(err)
	}
	g := &rig{
		t: t, path: filepath.Join(t.TempDir(), "portal.db"), vault: v, renewed: renewed,
		clock: &clock{at: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)},
		olivia: access.Actor{
			UserID: "olivia", Name: "Olivia Hart", Role: access.Originator, OriginatorUUID: "o1", BrokerID: "B1", Organization: "org",
		},
		app: "00000000-0000-4000-8000-000000000001",
	}
	g.store, err = store.Open(t.Context(), g.path, store.Options{MAC: v.MAC, Check: v.VerifyMAC, Now: g.clock.now})
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
		return tx.AddLead(t.Context(), &store.Lead{
			App: g.app, Originator: "o1", BrokerID: "B1", Organization: "org", Step: heloc.StepCreditMatch, HistoryLength: 2,
			StepSince: store.Millis(g.clock.now()), RefreshAt: store.Millis(g.clock.now().Add(time.Hour)),
		}, g.clock.now())
	})
	return g
}

func (g *rig) write(f func(tx *store.Tx) error) {
	g.t.Helper()
	if err := g.store.Write(g.t.Context(), f); err != nil {
		g.t.Fatal(err)
	}
}

func (g *rig) lead() store.Lead {
	g.t.Helper()
	l, err := g.store.AnyLead(g.t.Context(), g.app)
	if err != nil {
		g.t.Fatal(err)
	}
	return l
}

func (g *rig) operation(id string) store.Operation {
	g.t.Helper()
	op, err := g.store.Operation(g.t.Context(), id)
	if err != nil {
		g.t.Fatal(err)
	}
	return op
}

// intent is a write to the lead as it stands now.
func (g *rig) intent(kind heloc.Operation, content ...string) journal.Intent {
	return journal.Intent{
		Ticket: g.journal.Ticket(g.olivia, kind, g.app, journal.Mark(g.lead())), Kind: kind, Actor: g.olivia, App: g.app, Content: content,
	}
}

// birth is a start with a draft that knows the borrower.
func (g *rig) birth(name heloc.Name) journal.Intent {
	in := journal.Intent{
		Ticket: g.journal.Ticket(g.olivia, heloc.OpStart, "", "new"), Kind: heloc.OpStart, Actor: g.olivia,
		DraftID: uuid.NewString(), Content: []string{name.Last}, DuplicateKey: g.vault.Digest(name.Last),
	}
	in.Prepare = func(ctx context.Context, tx *store.Tx, id string) error {
		sealed, err := vault.SealJSON(g.vault, journal.PlaceOfNewborn(in.DraftID), journal.Newborns{id: {Name: name}})
		if err != nil {
			return err
		}
		return tx.SaveDraft(ctx, store.Draft{ID: in.DraftID, OwnerID: g.olivia.UserID, Company: "B1", Sealed: []byte("x"), Newborn: sealed, OpID: id})
	}
	return in
}

// answers is a lender that gives one outcome and counts how often it is asked.
type answers struct {
	journal.Outcome
	mu    sync.Mutex
	calls int
}

func (a *answers) send(context.Context, string) journal.Outcome {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.calls++
	return a.Outcome
}

func succeeds() *answers {
	return &answers{Outcome: journal.Outcome{State: store.OpSucceeded, HTTPStatus: 200}}
}

func (g *rig) run(in journal.Intent, a *answers) (store.Operation, error) {
	effect := g.journal.AcceptOnLead
	if in.Kind == heloc.OpStart {
		effect = g.journal.Bear
	}
	return g.journal.Run(g.t.Context(), in, a.send, effect)
}

func wantKind(t *testing.T, err error, want fault.Kind) {
	t.Helper()
	if err == nil || fault.KindOf(err) != want {
		t.Errorf("got error %v, want one that is %v", err, want)
	}
}

// bytes are all that the database wrote to the disk, the log beside it included.
func (g *rig) bytes() []byte {
	g.t.Helper()
	var all []byte
	for _, end := range []string{"", "-wal", "-shm"} {
		b, err := os.ReadFile(g.path + end)
		if err != nil {
			g.t.Fatal(err)
		}
		all = append(all, b...)
	}
	return all
}

// audited are the rows of the audit that tell of an operation.
func (g *rig) audited(id string) []store.Audited {
	g.t.Helper()
	all, err := g.store.Audits(g.t.Context(), store.AuditQuery{Limit: 100})
	if err != nil {
		g.t.Fatal(err)
	}
	return slices.DeleteFunc(all, func(a store.Audited) bool { return a.Object != "operation:"+id && a.Detail != "operation:"+id })
}
