package reencrypt_test

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/desk"
	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/lead"
	"hearthline/internal/lendersync"
	"hearthline/internal/partner"
	"hearthline/internal/pubsub"
	"hearthline/internal/reencrypt"
	"hearthline/internal/store"
	"hearthline/internal/store/storetest"
	"hearthline/internal/vault"
)

// harness is an installation whose keys are in files: it can be stopped, and started with other keys.
type harness struct {
	t        *testing.T
	dir      string
	address  string
	now      time.Time
	store    *store.Store
	vault    *vault.Vault
	keys     *reencrypt.Runner
	service  *desk.Service
	deskDeps desk.Deps // what the service was built from
}

func newHarness(t *testing.T) *harness {
	t.Helper()
	g := &harness{t: t, dir: storetest.TempDir(t), address: storetest.NewDatabase(t), now: time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)}
	g.start()
	t.Cleanup(g.stop)
	for who, company := range map[string]string{"olivia": "summit", "piotr": "lakeside"} {
		actor := access.Actor{UserID: who, Email: who + "@test", Name: who, Role: access.Originator, OriginatorUUID: who, BrokerID: company, Organization: "org"}
		g.must(g.store.AddUser(t.Context(), access.User{Actor: actor}, ""))
	}
	return g
}

func (g *harness) files() vault.Files {
	return vault.Files{Keyset: filepath.Join(g.dir, "keyset.json"), KEK: filepath.Join(g.dir, "kek"), Create: true}
}

// start opens the installation as the portal does.
func (g *harness) start() {
	g.t.Helper()
	var err error
	g.vault, err = vault.Open(g.files())
	g.must(err)
	clock := func() time.Time { return g.now }
	g.store, err = store.Open(g.t.Context(), g.address, store.Options{MAC: g.vault.MAC, VerifyMAC: g.vault.VerifyMAC, Now: clock})
	g.must(err)
	g.keys = reencrypt.New(g.store, g.vault, clock)
	g.must(g.keys.Begin(g.t.Context()))
	client, err := partner.New(partner.Config{BaseURL: "http://lender.test", APIKeys: func() []string { return []string{"key"} }})
	g.must(err)
	j, lenderHealth, live := journal.New(g.store, g.vault, clock, "test"), &lendersync.LenderHealth{}, &pubsub.Hub{}
	g.deskDeps = desk.Deps{Store: g.store, Vault: g.vault, Lender: client, Journal: j, Hub: live, LenderHealth: lenderHealth, Now: clock}
	g.service = desk.New(g.deskDeps)
	g.deskDeps.Refresher = lendersync.New(lendersync.Deps{Store: g.store, Vault: g.vault, Lender: client, Journal: j, Hub: live, LenderHealth: lenderHealth, Now: clock, Log: slog.New(slog.DiscardHandler)})
	g.rebuildDesks()
}

func (g *harness) stop() {
	if err := g.store.Close(); err != nil {
		g.t.Error(err)
	}
}

// rotate creates new keys and starts the portal with them.
func (g *harness) rotate() {
	g.t.Helper()
	g.must(vault.Rotate(g.files()))
	g.stop()
	g.start()
}

func (g *harness) must(err error) {
	g.t.Helper()
	if err != nil {
		g.t.Fatal(err)
	}
}

// execRaw executes a statement that the portal itself never executes.
func (g *harness) execRaw(statement string) {
	g.t.Helper()
	storetest.Exec(g.t, g.address, statement)
}

func (g *harness) write(f func(ctx context.Context, tx *store.Tx) error) {
	g.t.Helper()
	g.must(g.store.Write(g.t.Context(), func(tx *store.Tx) error { return f(g.t.Context(), tx) }))
}

func appID(n int) heloc.AppID { return heloc.AppID(fmt.Sprintf("00000000-0000-4000-8000-%012d", n)) }

// borrower is a borrower whose data occurs nowhere else.
type borrower struct {
	n       int
	who     string // the lead's originator
	first   string
	last    string
	record  string // in a CRM
	adopted bool   // without a draft: only the name was ever known
}

func (b borrower) phone() string  { return fmt.Sprintf("303555%04d", 1000+b.n) }
func (b borrower) email() string  { return fmt.Sprintf("b%d@borrower.test", b.n) }
func (b borrower) street() string { return fmt.Sprintf("%d Alder St", 40000+b.n) }
func (b borrower) inquiry() heloc.Inquiry {
	return heloc.Inquiry{
		Applicant: heloc.Applicant{Name: heloc.Name{First: b.first, Last: b.last}, DateOfBirth: "1984-03-09", Phone: b.phone(), Email: b.email()},
		Property:  heloc.Property{Address: heloc.Address{Street1: b.street(), City: "Golden", State: "CO", ZIP: "80401"}},
	}
}

func (g *harness) actor(who string) access.Actor {
	g.t.Helper()
	user, err := g.store.User(g.t.Context(), who)
	g.must(err)
	return user.Actor
}

// startLead starts an inquiry that the lender accepts, as the intake and the journal do.
func (g *harness) startLead(b borrower) {
	g.t.Helper()
	who := g.actor(b.who)
	if b.adopted {
		g.adopt(b, who)
		return
	}
	op := g.startWithResult(b, heloc.CallResult{Reach: heloc.ReachAnswer, Status: 200, Effect: heloc.EffectStated, App: appID(b.n)})
	if op.App != appID(b.n) {
		g.t.Fatalf("got the application %q, want %s", op.App, appID(b.n))
	}
}

// startWithResult executes a start that reports a result.
func (g *harness) startWithResult(b borrower, got heloc.CallResult) lead.Operation {
	g.t.Helper()
	return g.startInquiry(b, b.inquiry(), got)
}

// startInquiry starts an inquiry other than the borrower's own.
func (g *harness) startInquiry(b borrower, in heloc.Inquiry, got heloc.CallResult) lead.Operation {
	g.t.Helper()
	who := g.actor(b.who)
	draft := fmt.Sprintf("10000000-0000-4000-8000-%012d", b.n)
	duplicateKey := lead.DuplicateKeyOf(access.CompanyOf(who.BrokerID, ""), in)
	intent := journal.Intent{
		OperationID: g.deskDeps.Journal.NewOperationID(who, heloc.OpStart, "", "new"), Kind: heloc.OpStart, Actor: who, DraftID: draft, DigestContent: []string{b.last}, DuplicateKey: g.vault.DuplicateIndex(duplicateKey),
	}
	intent.Prepare = func(ctx context.Context, tx *store.Tx, id string) error {
		snapshot := lead.StartSnapshot{Name: in.Applicant.Name, Phone: in.Applicant.Phone, Email: in.Applicant.Email, Address: in.Property.Address, References: []string{b.record}, DuplicateKey: duplicateKey}
		sealed, err := vault.SealJSON(g.vault, vault.StartSnapshotsAAD(draft), journal.StartSnapshots{id: snapshot})
		if err != nil {
			return err
		}
		typed, err := vault.SealJSON(g.vault, vault.DraftAAD(draft), lead.FormValues{"applicant.name.lastName": {b.last}})
		if err != nil {
			return err
		}
		return tx.SaveDraft(ctx, store.Draft{ID: draft, OwnerID: who.UserID, Company: who.BrokerID, Sealed: typed, StartSnapshot: sealed, OpID: id})
	}
	op, err := g.deskDeps.Journal.Execute(g.t.Context(), intent, func(context.Context, string) heloc.CallResult { return got }, g.deskDeps.Journal.CreateLead)
	if got.App != "" {
		g.must(err)
	}
	return op
}

func (g *harness) adopt(b borrower, who access.Actor) {
	g.t.Helper()
	name := heloc.Name{First: b.first, Last: b.last}
	sealed, err := g.vault.SealName(appID(b.n), name)
	g.must(err)
	g.write(func(ctx context.Context, tx *store.Tx) error {
		l := lead.Row{App: appID(b.n), Originator: heloc.OriginatorID(who.OriginatorUUID), BrokerID: who.BrokerID, Organization: who.Organization, Borrower: sealed}
		if err := tx.AddLead(ctx, &l, g.now); err != nil {
			return err
		}
		return tx.SetTokens(ctx, l.App, journal.StoredTokens(g.vault, l.Company, heloc.SearchTerms(name, "", "", "")))
	})
}

// saveDetails stores the lender's details of a lead.
func (g *harness) saveDetails(b borrower) {
	g.t.Helper()
	var d heloc.Details
	d.App.PropertyAddress = b.inquiry().Property.Address
	d.App.Integrations.CustomerID = b.record
	sealed, err := vault.SealJSON(g.vault, vault.PartAAD(appID(b.n), lead.PartDetails), d)
	g.must(err)
	g.write(func(ctx context.Context, tx *store.Tx) error {
		return tx.SavePart(ctx, store.SealedPart{App: appID(b.n), Part: lead.PartDetails, Version: journal.PartVersion, Sealed: sealed, FetchedAt: 1})
	})
}

// dropDraft deletes the draft that a lead was started from.
func (g *harness) dropDraft(b borrower) {
	g.t.Helper()
	g.write(func(ctx context.Context, tx *store.Tx) error {
		d, err := tx.DraftOfLead(ctx, appID(b.n))
		if err != nil {
			return err
		}
		if err := tx.LinkDraft(ctx, d.ID, ""); err != nil {
			return err
		}
		return tx.DeleteDraft(ctx, store.UserScope{UserID: d.OwnerID, Company: d.Company}, d.ID)
	})
}

// search returns the short ids that a user finds, in order.
func (g *harness) search(who, typed string) string {
	g.t.Helper()
	p, err := g.service.For(g.actor(who)).Pipeline()
	g.must(err)
	page, err := p.Page(g.t.Context(), lead.Query{}, typed)
	g.must(err)
	var found []string
	for _, row := range page.Rows {
		found = append(found, strings.TrimLeft(string(row.App)[24:], "0"))
	}
	return strings.Join(found, " ")
}

// foundBy returns what two users of two companies find with all data of the borrowers.
func (g *harness) foundBy(all []borrower) string {
	g.t.Helper()
	var out strings.Builder
	queries := map[string]bool{}
	for _, b := range all {
		for _, typed := range []string{b.last, b.last[:4], b.first + " " + b.last, b.phone(), b.phone()[6:], b.email(), b.last + " " + strings.Fields(b.street())[0]} {
			queries[typed] = true
		}
	}
	for _, typed := range slices.Sorted(mapKeys(queries)) {
		for _, who := range []string{"olivia", "piotr"} {
			fmt.Fprintf(&out, "%s finds by %q: %s\n", who, typed, g.search(who, typed))
		}
	}
	return out.String()
}

func mapKeys(m map[string]bool) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// firstDifference returns the first line that differs.
func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range w {
		if i >= len(g) || g[i] != w[i] {
			return fmt.Sprintf("got %s, want %s", g[min(i, len(g)-1)], w[i])
		}
	}
	return ""
}

// rebuildDesks applies what a test has changed in deskDeps to every holder of the service.
func (g *harness) rebuildDesks() { *g.service = *desk.New(g.deskDeps) }
