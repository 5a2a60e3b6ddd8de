package journal_test

import (
	"context"
	"testing"
	"time"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

func TestExecute_EveryVerdict_Recorded(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		state    lead.OpState
		status   int
		kind     fault.Kind // of the error; zero for Internal
		event    lead.EventKind
		underWay bool
	}{
		{lead.OpSucceeded, 200, fault.Internal, lead.EventSent, true},
		{lead.OpRejected, 422, fault.Upstream, lead.EventRejected, false},
		{lead.OpNotSent, 0, fault.Unavailable, "", false},
		{lead.OpUnknown, 503, fault.Internal, lead.EventUnknown, false},
	} {
		t.Run(string(tt.state), func(t *testing.T) {
			g := newHarness(t)
			before := g.lead()
			result := resultFor(tt.state)
			result.Status, result.RequestID, result.Messages = tt.status, "r", []heloc.Message{{Message: "Some words."}}
			a := &fakeLender{CallResult: result}
			op, err := g.execute(g.intent(heloc.OpAddSSN, "ssn"), a)
			if tt.kind == fault.Internal && err != nil {
				t.Errorf("got %v, want no error", err)
			} else if tt.kind != fault.Internal {
				wantKind(t, err, tt.kind)
			}
			stored := g.journal.WithMessages(g.operation(op.ID))
			if stored != op {
				t.Errorf("stored %+v\nreturned %+v", stored, op)
			}
			if op.State != tt.state || op.HTTPStatus != tt.status || op.RequestID != "r" || op.Messages != "Some words." ||
				op.SentAt == 0 || op.AnsweredAt == 0 {
				t.Errorf("got %+v", op)
			}
			if op.LeaseOwner != "" || op.LeaseUntil != 0 {
				t.Errorf("the lease was not released: %q until %d", op.LeaseOwner, op.LeaseUntil)
			}
			if op.StepBefore != heloc.StepCreditMatch || op.HistoryBefore != 2 {
				t.Errorf("got step %s and history length %d before, want the lead's", op.StepBefore, op.HistoryBefore)
			}
			g.wantEvent(op, tt.event)
			l := g.lead()
			if got := l.PendingOp == op.ID && l.Lane == heloc.LaneLender; got != tt.underWay {
				t.Errorf("pending: got %v, want %v", got, tt.underWay)
			}
			if rose, want := l.Revision > before.Revision, tt.event != ""; rose != want {
				t.Errorf("revision raised: got %v, want %v, because the history has a new event", rose, want)
			}
			audit := g.auditOf(op.ID)
			if len(audit) != 1 || audit[0].Outcome != string(tt.state) || audit[0].ActorID != "olivia" {
				t.Errorf("audit: got %+v", audit)
			}
		})
	}
}

// wantEvent checks that the lead has one event of the kind for the operation; without a kind, that it has none.
func (h *harness) wantEvent(op lead.Operation, kind lead.EventKind) {
	h.t.Helper()
	events, err := h.store.Events(h.t.Context(), h.app, 99)
	if err != nil {
		h.t.Fatal(err)
	}
	n := 0
	for _, e := range events {
		if e.OpID == op.ID {
			n++
			if e.Kind != kind {
				h.t.Errorf("got event %s, want %s", e.Kind, kind)
			}
			if e.Detail != "" {
				h.t.Errorf("the event quotes the lender: %q", e.Detail)
			}
		}
	}
	if want := map[bool]int{true: 1}[kind != ""]; n != want {
		h.t.Errorf("got %d events of the operation, want %d", n, want)
	}
}

func TestExecute_SentCommittedBeforeCall(t *testing.T) {
	t.Parallel()
	g := newHarness(t)
	seen := false
	send := func(ctx context.Context, id string) heloc.CallResult {
		seen = true
		other, err := store.Open(ctx, g.address, store.Options{}) // sees what another process would read
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = other.Close() }()
		op, err := other.Operation(ctx, id)
		if err != nil || op.State != lead.OpSent || op.SentAt == 0 || op.LeaseUntil == 0 {
			t.Errorf("in the database: got %+v, %v, want sent", op, err)
		}
		consents, err := other.Consents(ctx, g.app)
		if err != nil || len(consents) != 1 || consents[0].OpID != id || consents[0].UserID != "olivia" {
			t.Errorf("in the database: got consents %+v, %v", consents, err)
		}
		return resultFor(lead.OpSucceeded)
	}
	in := g.intent(heloc.OpRepullCredit)
	in.Consent = &lead.Consent{Method: "link", TextVersion: "v1"}
	if _, err := g.journal.Execute(t.Context(), in, send); err != nil || !seen {
		t.Fatalf("got %v, called %v", err, seen)
	}
}

func TestLoadUsualWait_FollowsRecords(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name          string
		took          []int64 // seconds
		usual, mostly time.Duration
		patience      time.Duration
		known         bool
	}{
		{"no records", nil, 50 * time.Second, 100 * time.Second, 100 * time.Second, false},
		{"two records", []int64{1, 1}, 50 * time.Second, 100 * time.Second, 100 * time.Second, false},
		{"a fast lender", []int64{1, 2, 3}, 2 * time.Second, 3 * time.Second, 20 * time.Second, false},
		{"twice the usual", []int64{30, 30, 31}, 30 * time.Second, 31 * time.Second, 60 * time.Second, false},
		{"until nearly all are done", []int64{10, 10, 100}, 10 * time.Second, 100 * time.Second, 100 * time.Second, false},
		{"enough to show", []int64{10, 10, 10, 10, 10, 10, 10, 40}, 10 * time.Second, 40 * time.Second,
			40 * time.Second, true},
		{"some very long waits", []int64{10, 20, 200_000, 300_000}, 20 * time.Second, 300_000 * time.Second,
			15 * time.Minute, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := newHarness(t)
			g.write(func(tx *store.Tx) error {
				for i, s := range tt.took {
					e := lead.Event{App: g.app, At: int64(i + 1), Kind: lead.EventStep, Operation: heloc.OpAddSSN,
						TookMillis: s * 1000}
					if err := tx.AddEvent(t.Context(), e); err != nil {
						return err
					}
				}
				return nil
			})
			got, err := journal.LoadUsualWait(t.Context(), g.store.Queries, heloc.OpAddSSN)
			if want := (lead.UsualWait{Median: tt.usual, P95: tt.mostly, Known: tt.known}); err != nil || got != want {
				t.Errorf("got %+v, %v, want %+v", got, err, want)
			}
			if _, err := g.execute(g.intent(heloc.OpAddSSN), succeedingLender()); err != nil {
				t.Fatal(err)
			}
			if got := store.Instant(g.lead().PendingUntil).Sub(g.clock.now()); got != tt.patience {
				t.Errorf("pending for %v, want %v", got, tt.patience)
			}
		})
	}
}

func TestExecute_NoStepChange_LeadUnchanged(t *testing.T) {
	t.Parallel()
	g := newHarness(t)
	if _, err := g.execute(g.intent(heloc.OpSetAttributions), succeedingLender()); err != nil {
		t.Fatal(err)
	}
	if l := g.lead(); l.PendingOp != "" || l.StatusKey != heloc.StatusSSNNeeded {
		t.Errorf("got pending %q at %s", l.PendingOp, l.StatusKey)
	}
}
