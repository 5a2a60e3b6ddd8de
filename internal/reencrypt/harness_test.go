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
	g := &harness{t: t, dir: storetest.TempDir(t), address: storetest.NewDatabase(t),
		now: time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)}
	g.start()
	t.Cleanup(g.stop)
	for who, company := range map[string]string{"olivia": "summit", "piotr": "lakeside"} {
		actor := access.Actor{UserID: who, Email: who + "@test", Name: who, Role: access.Originator, OriginatorUUID: who,
			BrokerID: company, Organization: "org"}
		g.must(g.store.AddUser(t.Context(), access.User{Actor: actor}, ""))
	}
	return g
}

func (h *harness) files() vault.Files {
	return vault.Files{Keyset: filepath.Join(h.dir, "keyset.json"), KEK: vault.FileKEK(filepath.Join(h.dir, "kek")),
		Create: true}
}

// start opens the installation as the portal does.
func (h *harness) start() {
	h.t.Helper()
	var err error
	h.vault, err = vault.Open(h.files())
	h.must(err)
	clock := func() time.Time { return h.now }
	h.store, err = store.Open(h.t.Context(), h.address,
		store.Options{MAC: h.vault.MAC, VerifyMAC: h.vault.VerifyMAC, Now: clock, Hub: &pubsub.Hub{}})
	h.must(err)
	h.keys = reencrypt.New(h.store, h.vault, clock)
	h.must(h.keys.Begin(h.t.Context()))
	client, err := partner.New(partner.Config{BaseURL: "http://lender.test", APIKeys: func() []string {
		return []string{"key"}
	}})
	h.must(err)
	j, lenderHealth, live := journal.New(h.store, h.vault, clock, "test"), &lendersync.LenderHealth{}, h.store.Hub
	h.deskDeps = desk.Deps{Store: h.store, Vault: h.vault, Lender: client, Journal: j, Hub: live,
		LenderHealth: lenderHealth, Now: clock}
	h.service = desk.New(h.deskDeps)
	h.deskDeps.Refresher = lendersync.New(lendersync.Deps{Store: h.store, Vault: h.vault, Lender: client, Journal: j,
		Hub: live, LenderHealth: lenderHealth, Now: clock, Log: slog.New(slog.DiscardHandler)})
	h.rebuildDesks()
}

func (h *harness) stop() {
	if err := h.store.Close(); err != nil {
		h.t.Error(err)
	}
}

// rotate creates new keys and starts the portal with them.
func (h *harness) rotate() {
	h.t.Helper()
	h.must(vault.Rotate(h.files()))
	h.stop()
	h.start()
}

func (h *harness) must(err error) {
	h.t.Helper()
	if err != nil {
		h.t.Fatal(err)
	}
}

// execRaw executes a statement that the portal itself never executes.
func (h *harness) execRaw(statement string) {
	h.t.Helper()
	storetest.Exec(h.t, h.address, statement)
}

func (h *harness) write(f func(ctx context.Context, tx *store.Tx) error) {
	h.t.Helper()
	h.must(h.store.Write(h.t.Context(), func(tx *store.Tx) error { return f(h.t.Context(), tx) }))
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
		Applicant: heloc.Applicant{Name: heloc.Name{First: b.first, Last: b.last}, DateOfBirth: "1984-03-09",
			Phone: b.phone(), Email: b.email()},
		Property: heloc.Property{Address: heloc.Address{Street1: b.street(), City: "Golden", State: "CO", ZIP: "80401"}},
	}
}

func (h *harness) actor(who string) access.Actor {
	h.t.Helper()
	user, err := h.store.User(h.t.Context(), who)
	h.must(err)
	return user.Actor
}

// startLead starts an inquiry that the lender accepts, as the intake and the journal do.
func (h *harness) startLead(b borrower) {
	h.t.Helper()
	who := h.actor(b.who)
	if b.adopted {
		h.adopt(b, who)
		return
	}
	op := h.startWithResult(b, heloc.CallResult{Reach: heloc.ReachAnswer, Status: 200, Effect: heloc.EffectStated,
		App: appID(b.n)})
	if op.App != appID(b.n) {
		h.t.Fatalf("got the application %q, want %s", op.App, appID(b.n))
	}
}

// startWithResult executes a start that reports a result.
func (h *harness) startWithResult(b borrower, got heloc.CallResult) lead.Operation {
	h.t.Helper()
	return h.startInquiry(b, b.inquiry(), got)
}

// startInquiry starts an inquiry other than the borrower's own.
func (h *harness) startInquiry(b borrower, in heloc.Inquiry, got heloc.CallResult) lead.Operation {
	h.t.Helper()
	who := h.actor(b.who)
	draft := fmt.Sprintf("10000000-0000-4000-8000-%012d", b.n)
	duplicateKey := lead.DuplicateKeyOf(access.CompanyOf(who.BrokerID, ""), in)
	intent := journal.Intent{
		OperationID: h.deskDeps.Journal.NewOperationID(who, heloc.OpStart, "", "new"), Kind: heloc.OpStart, Actor: who,
		DraftID: draft, DigestContent: []string{b.last}, DuplicateKey: h.vault.DuplicateIndex(duplicateKey),
	}
	intent.Prepare = func(ctx context.Context, tx *store.Tx, _ lead.Row, id string) error {
		snapshot := lead.StartSnapshot{Name: in.Applicant.Name, Phone: in.Applicant.Phone, Email: in.Applicant.Email,
			Address: in.Property.Address, References: []string{b.record}, DuplicateKey: duplicateKey}
		sealed, err := vault.SealJSON(h.vault, vault.StartSnapshotsAAD(draft), journal.StartSnapshots{id: snapshot})
		if err != nil {
			return err
		}
		typed, err := vault.SealJSON(h.vault, vault.DraftAAD(draft), lead.FormValues{"applicant.name.lastName": {b.last}})
		if err != nil {
			return err
		}
		return tx.SaveDraft(ctx, store.Draft{ID: draft, OwnerID: who.UserID, Company: who.BrokerID, Sealed: typed,
			StartSnapshot: sealed, OpID: id})
	}
	outcome, err := h.deskDeps.Journal.Execute(h.t.Context(), intent,
		func(context.Context, string) heloc.CallResult { return got })
	h.must(err)
	return outcome.Operation
}

func (h *harness) adopt(b borrower, who access.Actor) {
	h.t.Helper()
	name := heloc.Name{First: b.first, Last: b.last}
	sealed, err := h.vault.SealName(appID(b.n), name)
	h.must(err)
	h.write(func(ctx context.Context, tx *store.Tx) error {
		l := lead.Row{App: appID(b.n), Originator: heloc.OriginatorID(who.OriginatorUUID), Company: who.BrokerID,
			Organization: who.Organization, Borrower: sealed}
		if err := tx.AddLead(ctx, &l, h.now); err != nil {
			return err
		}
		return tx.AddTokens(ctx, l.App, journal.StoredTokens(h.vault, l.Company, heloc.SearchTerms(name, "", "", "")))
	})
}

// saveDetails stores the lender's details of a lead.
func (h *harness) saveDetails(b borrower) {
	h.t.Helper()
	var d heloc.Details
	d.App.PropertyAddress = b.inquiry().Property.Address
	d.App.Integrations.CustomerID = b.record
	sealed, err := vault.SealJSON(h.vault, vault.PartAAD(appID(b.n), lead.PartDetails), d)
	h.must(err)
	h.write(func(ctx context.Context, tx *store.Tx) error {
		return tx.SavePart(ctx, store.SealedPart{App: appID(b.n), Part: lead.PartDetails, Version: journal.PartVersion,
			Sealed: sealed, FetchedAt: 1})
	})
}

// dropDraft deletes the draft that a lead was started from.
func (h *harness) dropDraft(b borrower) {
	h.t.Helper()
	h.write(func(ctx context.Context, tx *store.Tx) error {
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
func (h *harness) search(who, typed string) string {
	h.t.Helper()
	p, err := h.service.For(h.actor(who)).Pipeline()
	h.must(err)
	page, err := p.Page(h.t.Context(), lead.Query{}, typed)
	h.must(err)
	var found []string
	for _, row := range page.Rows {
		found = append(found, strings.TrimLeft(string(row.App)[24:], "0"))
	}
	return strings.Join(found, " ")
}

// foundBy returns what two users of two companies find with all data of the borrowers.
func (h *harness) foundBy(all []borrower) string {
	h.t.Helper()
	var out strings.Builder
	queries := map[string]bool{}
	for _, b := range all {
		for _, typed := range []string{b.last, b.last[:4], b.first + " " + b.last, b.phone(), b.phone()[6:], b.email(),
			b.last + " " + strings.Fields(b.street())[0]} {
			queries[typed] = true
		}
	}
	for _, typed := range slices.Sorted(mapKeys(queries)) {
		for _, who := range []string{"olivia", "piotr"} {
			fmt.Fprintf(&out, "%s finds by %q: %s\n", who, typed, h.search(who, typed))
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
func (h *harness) rebuildDesks() { *h.service = *desk.New(h.deskDeps) }
