package journal_test

import (
	"strings"
	"testing"
	"time"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

func TestCompare_DetailsSeen_OnlySpecificEvidenceConfirms(t *testing.T) {
	t.Parallel()
	sent := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	same := journal.Observed{Step: heloc.StepCreditMatch, HistoryLength: 2}
	with := func(change func(*journal.Observed)) journal.Observed {
		seen := same
		change(&seen)
		return seen
	}
	stepped := with(func(s *journal.Observed) { s.Step = heloc.StepOffersAvailable })
	longer := with(func(s *journal.Observed) { s.HistoryLength = 3 })
	working := with(func(s *journal.Observed) { s.Step, s.HistoryLength = heloc.StepUnknown, 3 })
	dated := with(func(s *journal.Observed) { s.Canceled = true })
	closed := with(func(s *journal.Observed) { s.Step = heloc.StepClosed })
	canceled := with(func(s *journal.Observed) { s.Step, s.Canceled = heloc.StepClosed, true })
	reassigned := with(func(s *journal.Observed) { s.Originator = "grace" })
	elsewhere := with(func(s *journal.Observed) { s.Originator = "hugo" })
	chosen := with(func(s *journal.Observed) { s.Step, s.Selected = heloc.StepBorrowerAuth, true })
	type row struct {
		name  string
		kind  heloc.Operation
		seen  journal.Observed
		after time.Duration
		want  lead.OpState
		moved bool
	}
	rows := []row{
		{"read before it was sent", heloc.OpAddSSN, stepped, -time.Second, lead.OpUnknown, false},
		{"read as it was sent", heloc.OpAddSSN, stepped, 0, lead.OpUnknown, false},
		{"a cancel is not another step", heloc.OpCancel, stepped, time.Second, lead.OpUnknown, false},
		{"only a date", heloc.OpCancel, dated, time.Hour, lead.OpUnknown, true},
		{"a closed inquiry without a date", heloc.OpCancel, closed, time.Hour, lead.OpUnknown, true},
		{"a closed inquiry with a date", heloc.OpCancel, canceled, time.Second, lead.OpConfirmed, true},
		{"a cancel without any change", heloc.OpCancel, longer, time.Hour, lead.OpAbsent, false},
		{"another originator", heloc.OpReassign, reassigned, time.Second, lead.OpConfirmed, false},
		{"an originator that was not named", heloc.OpReassign, elsewhere, time.Second, lead.OpUnknown, false},
		{"a reassignment is not another step", heloc.OpReassign, stepped, time.Second, lead.OpUnknown, false},
		{"a reassignment that did not arrive", heloc.OpReassign, elsewhere, time.Hour, lead.OpAbsent, false},
		{"a reassignment while the details name no originator", heloc.OpReassign, same, time.Hour, lead.OpUnknown, false},
		{"the offer is selected", heloc.OpSelectOffer, chosen, time.Second, lead.OpConfirmed, true},
		{"attributions, which the details do not show", heloc.OpSetAttributions, stepped, time.Hour, lead.OpUnknown, false},
	}
	for _, kind := range []heloc.Operation{
		heloc.OpAddSSN, heloc.OpRepullCredit, heloc.OpVerifyLiens, heloc.OpAddIncome, heloc.OpAssetDepletion,
		heloc.OpPropertyValue, heloc.OpSelectProperty, heloc.OpSelectOffer,
	} {
		rows = append(rows,
			row{"nothing yet", kind, same, time.Second, lead.OpUnknown, false},
			row{"nothing for almost long enough", kind, same, 2*time.Minute - time.Millisecond, lead.OpUnknown, false},
			row{"nothing for long enough", kind, same, 2 * time.Minute, lead.OpAbsent, false},
			row{"another step", kind, stepped, time.Second, lead.OpUnknown, true},
			row{"another step for an hour", kind, stepped, time.Hour, lead.OpUnknown, true},
			row{"a longer history", kind, longer, time.Hour, lead.OpUnknown, true},
			row{"a closed inquiry", kind, canceled, time.Hour, lead.OpUnknown, true},
			row{"the lender is working", kind, working, time.Second, lead.OpUnknown, false},
			row{"the lender has been working for long", kind, working, time.Hour, lead.OpUnknown, false},
		)
	}
	for _, tt := range rows {
		op := lead.Operation{Kind: tt.kind, StepBefore: heloc.StepCreditMatch, HistoryBefore: 2, SentAt: store.Millis(sent),
			Target: "grace"}
		tt.seen.At = sent.Add(tt.after)
		if got, moved := journal.Compare(op, tt.seen), journal.MovedOn(op, tt.seen); got != tt.want || moved != tt.moved {
			t.Errorf("%s, %s: got %s, moved on %v; want %s, %v", tt.kind, tt.name, got, moved, tt.want, tt.moved)
		}
		op.StepChangedAt = store.Millis(sent)
		if got := journal.Compare(op, tt.seen); got == lead.OpAbsent {
			t.Errorf("%s, %s: got absent although the lead has moved since", tt.kind, tt.name)
		}
	}
}

func TestSettle_OnlyUnknown(t *testing.T) {
	t.Parallel()
	g := newHarness(t)
	for _, tt := range []struct {
		from    lead.OpState
		settles bool
	}{
		{lead.OpSent, true}, {lead.OpSucceeded, false}, {lead.OpRejected, false}, {lead.OpNotSent, false},
		{lead.OpUnknown, true}, {lead.OpConfirmed, false}, {lead.OpAbsent, false}, {lead.OpAbandoned, false},
	} {
		op := lead.Operation{ID: "hl-" + string(tt.from), Kind: heloc.OpAddSSN, App: g.app, ActorID: "olivia",
			ActorName: "Olivia Hart", State: tt.from}
		g.write(func(tx *store.Tx) error {
			if err := tx.AddOperation(t.Context(), op); err != nil {
				return err
			}
			return g.journal.Settle(t.Context(), tx, &op, lead.OpConfirmed)
		})
		want := tt.from
		if tt.settles {
			want = lead.OpConfirmed
		}
		if got := g.operation(op.ID).State; got != want {
			t.Errorf("%s: got %s, want %s", tt.from, got, want)
		}
	}
	events, err := g.store.Events(t.Context(), g.app, 9)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range events {
		if e.ActorID != "" || e.ActorName != "" {
			t.Errorf("got actor %q, want none for an outcome that was found out", e.ActorName)
		}
	}
	if audit := g.auditOf("hl-unknown"); len(audit) != 1 || audit[0].ActorID != "system" {
		t.Errorf("audit: got %+v, want the system as the actor", audit)
	}
}

func TestAbandon_OnlyUnknown(t *testing.T) {
	t.Parallel()
	g := newHarness(t)
	known, err := g.execute(g.intent(heloc.OpSetAttributions), succeedingLender())
	if err != nil {
		t.Fatal(err)
	}
	wantKind(t, g.journal.Abandon(t.Context(), known.ID, "olivia", "why"), fault.Conflict)
	wantKind(t, g.journal.Abandon(t.Context(), "hl-none", "olivia", "why"), fault.NotFound)
	in := g.intent(heloc.OpAddSSN, "ssn")
	op, err := g.execute(in, &fakeLender{CallResult: resultFor(lead.OpUnknown)})
	if err != nil {
		t.Fatal(err)
	}
	before := g.lead().Revision
	if err := g.journal.Abandon(t.Context(), op.ID, "olivia", "why"); err != nil {
		t.Fatal(err)
	}
	stored := g.operation(op.ID)
	if strings.Contains(stored.Reason, "why") {
		t.Errorf("the user's reason is stored as plaintext: %q", stored.Reason)
	}
	stored = g.journal.WithMessages(stored)
	if stored.State != lead.OpAbandoned || stored.ResolvedBy != "olivia" || stored.Reason != "why" ||
		stored.SettledAt == 0 {
		t.Errorf("got %+v", stored)
	}
	if got := g.lead().Revision; got <= before {
		t.Errorf("the revision is still %d, although the history has a new event", got)
	}
	_, err = g.execute(in, succeedingLender())
	wantKind(t, err, fault.Conflict)
}

// TestCorrect_AbsentAndMovedOn_SettledEvent: that the lead moved on says nothing new about how it was sent.
func TestCorrect_AbsentAndMovedOn_SettledEvent(t *testing.T) {
	t.Parallel()
	g := newHarness(t)
	op := lead.Operation{ID: "hl-absent", Kind: heloc.OpAddSSN, App: g.app, ActorID: "olivia", ActorName: "Olivia Hart",
		State: lead.OpAbsent, StepBefore: heloc.StepCreditMatch, SentAt: store.Millis(g.clock.now())}
	g.write(func(tx *store.Tx) error {
		if err := tx.AddOperation(t.Context(), op); err != nil {
			return err
		}
		corrected, err := g.journal.Correct(t.Context(), tx, &op, journal.Observed{
			At: g.clock.now().Add(time.Hour), Step: heloc.StepLienMatching})
		if !corrected {
			t.Error("not corrected")
		}
		return err
	})
	events, err := g.store.Events(t.Context(), g.app, 9)
	if err != nil {
		t.Fatal(err)
	}
	if e := events[0]; e.OpID != op.ID || e.Kind != lead.EventSettled || e.ActorID != "" {
		t.Errorf("got %+v, want a settled event without an actor", e)
	}
	if got := g.operation(op.ID).State; got != lead.OpUnknown {
		t.Errorf("got %s, want unknown", got)
	}
}

func TestSettleStart_Once(t *testing.T) {
	t.Parallel()
	const app, other = heloc.AppID("00000000-0000-4000-8000-000000000007"),
		heloc.AppID("00000000-0000-4000-8000-000000000008")
	for _, tt := range []struct {
		state lead.OpState
		found bool
		want  lead.OpState
	}{
		{lead.OpSent, false, lead.OpSent},
		{lead.OpUnknown, true, lead.OpConfirmed},
		{lead.OpAbsent, true, lead.OpConfirmed},
		{lead.OpAbandoned, true, lead.OpConfirmed},
		{lead.OpRejected, true, lead.OpConfirmed},
		{lead.OpNotSent, true, lead.OpConfirmed},
	} {
		g := newHarness(t)
		in := g.startIntent(heloc.Name{Last: "Rivera"})
		op, err := g.execute(in, &fakeLender{CallResult: resultFor(lead.OpUnknown)})
		if err != nil {
			t.Fatal(err)
		}
		op.State = tt.state
		g.write(func(tx *store.Tx) error { return tx.SaveOperation(t.Context(), op) })
		find := func(as heloc.AppID) (found bool) {
			g.write(func(tx *store.Tx) (err error) {
				found, err = g.journal.SettleStart(t.Context(), tx, g.operation(op.ID), as)
				return err
			})
			return found
		}
		if got := find(app); got != tt.found {
			t.Errorf("%s: found %v, want %v", tt.state, got, tt.found)
		}
		if got := g.operation(op.ID); got.State != tt.want {
			t.Errorf("%s: got %s, want %s", tt.state, got.State, tt.want)
		}
		if !tt.found {
			continue
		}
		if find(other) {
			t.Errorf("%s: a second application with the same echo became its lead", tt.state)
		}
		if _, err := g.store.AnyLead(t.Context(), other); !fault.Is(err, fault.NotFound) {
			t.Errorf("%s: got %v, want no second lead", tt.state, err)
		}
	}
}

// While the first start is unknown, the same draft can be sent again for another borrower. Each lead has the name
// that it was started with.
func TestCreateLead_ResentDraft_HasNameAsStarted(t *testing.T) {
	t.Parallel()
	g := newHarness(t)
	first := g.startIntent(heloc.Name{Last: "Rivera"})
	op, err := g.execute(first, &fakeLender{CallResult: resultFor(lead.OpUnknown)})
	if err != nil {
		t.Fatal(err)
	}
	// Another form for the same draft.
	second := g.startIntent(heloc.Name{Last: "Okafor"})
	overwritten, err := g.store.DraftOfOperation(t.Context(), first.DraftID)
	if err != nil {
		t.Fatal(err)
	}
	all, err := journal.DecryptStartSnapshots(g.vault, overwritten)
	if err != nil || all[op.ID].Name.Last != "Rivera" || len(all) != 1 {
		t.Fatalf("got %+v, %v", all, err)
	}
	if _, ok := all[second.OperationID]; ok {
		t.Error("a form that was not sent left a snapshot")
	}
	// The draft of another user does not provide a name.
	g.write(func(tx *store.Tx) error {
		stolen := g.operation(op.ID)
		stolen.ID, stolen.ActorID = "hl-stolen", "marcus"
		if err := tx.AddOperation(t.Context(), stolen); err != nil {
			return err
		}
		found, err := g.journal.SettleStart(t.Context(), tx, stolen, "00000000-0000-4000-8000-000000000009")
		if !found {
			t.Error("not found")
		}
		return err
	})
	if l, err := g.store.AnyLead(t.Context(), "00000000-0000-4000-8000-000000000009"); err != nil || len(l.Borrower) != 0 {
		t.Errorf("got a name of %d bytes, %v, want none", len(l.Borrower), err)
	}
}
