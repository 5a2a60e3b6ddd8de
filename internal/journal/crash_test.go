package journal_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// crashPanic simulates a process that dies right before its call, or when the journal reads the clock, which it does
// between the other steps.
type crashPanic struct{}

// crashed runs f and reports whether it crashed.
func crashed(f func()) (died bool) {
	defer func() {
		switch p := recover(); p.(type) {
		case nil:
		case crashPanic:
			died = true
		default:
			panic(p)
		}
	}()
	f()
	return false
}

func TestRecover_CrashAtAnyPoint_TrueState(t *testing.T) {
	t.Parallel()
	for _, kind := range []heloc.Operation{heloc.OpAddSSN, heloc.OpStart} {
		died := 0
		for at := 0; ; at++ { // 0 is right before the call
			t.Run(fmt.Sprintf("%s at clock reading %d", kind, at), func(t *testing.T) {
				if runWithCrash(t, kind, at) {
					died = at
				}
			})
			if died < at {
				break
			}
		}
		// The clock is read before the call, once after it, and in the last transaction.
		if died < 4 {
			t.Errorf("%s: %d crash points, want at least four", kind, died)
		}
	}
}

func runWithCrash(t *testing.T, kind heloc.Operation, at int) (died bool) {
	g := newHarness(t)
	var in journal.Intent
	if kind == heloc.OpStart {
		in = g.startIntent(heloc.Name{Last: "Rivera"})
	} else {
		in = g.intent(kind, "ssn")
	}
	a := succeedingLender()
	a.App = "00000000-0000-4000-8000-000000000007"
	a.crash = at == 0
	left := at
	g.clock.setOnNow(func() {
		if left--; left == 0 {
			panic(crashPanic{})
		}
	})
	died = crashed(func() { _, _ = g.execute(in, a) })
	g.clock.setOnNow(nil)
	g.clock.advance(time.Minute)

	g.journal = journal.New(g.store, g.vault, g.clock.now, "the next process")
	if err := g.journal.Recover(t.Context()); err != nil {
		t.Fatal(err)
	}
	op, err := g.journal.ExistingOperation(t.Context(), in)
	if err != nil && a.calls == 0 && at > 0 {
		return died // nothing was stored, and nothing was sent
	}
	want := lead.OpSucceeded
	if died {
		want = lead.OpUnknown
	}
	if err != nil || op.State != want {
		t.Errorf("after %d calls: got %s, %v, want %s", a.calls, op.State, err, want)
	}
	if op.LeaseUntil != 0 || op.LeaseOwner != "" {
		t.Errorf("the lease was not released: %q until %d", op.LeaseOwner, op.LeaseUntil)
	}
	// The same form is never sent again, and another operation may be sent for the lead.
	if _, _ = g.execute(in, a); a.calls > 1 {
		t.Error("the same form was sent twice")
	}
	if kind != heloc.OpStart && want != lead.OpSucceeded {
		open, err := g.store.OperationAndOpen(t.Context(), "another", g.app)
		if err != nil || slices.ContainsFunc(open, func(o lead.Operation) bool { return o.State != lead.OpUnknown }) {
			t.Errorf("the lead is not free: %v, %v", open, err)
		}
	}
	return died
}

func TestExecute_LateVerdict_KeepsSettledState(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ settled, verdict, want lead.OpState }{
		{lead.OpConfirmed, lead.OpUnknown, lead.OpConfirmed},
		{lead.OpAbsent, lead.OpUnknown, lead.OpAbsent},
		{lead.OpAbandoned, lead.OpUnknown, lead.OpAbandoned},
		{lead.OpAbsent, lead.OpSucceeded, lead.OpSucceeded},
		{lead.OpConfirmed, lead.OpSucceeded, lead.OpSucceeded},
	} {
		g := newHarness(t)
		op, _ := result(g.journal.Execute(t.Context(), g.intent(heloc.OpAddSSN, "ssn"), func(ctx context.Context,
			id string) heloc.CallResult {
			g.clock.advance(time.Minute) // the heartbeats were lost
			if err := g.journal.Recover(ctx); err != nil {
				t.Error(err)
			}
			g.write(func(tx *store.Tx) error {
				op, err := tx.Operation(ctx, id)
				if err != nil {
					return err
				}
				return g.journal.Settle(ctx, tx, &op, tt.settled)
			})
			return resultFor(tt.verdict)
		}))
		if stored := g.operation(op.ID); stored.State != tt.want || op.State != tt.want {
			t.Errorf("%s, then %s: got %s, want %s", tt.settled, tt.verdict, stored.State, tt.want)
		}
	}
}
