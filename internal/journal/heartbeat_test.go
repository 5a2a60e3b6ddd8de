package journal_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// The heartbeat extends the lease of a long call. Meanwhile nobody may mark it unknown or write to the same lead.
func TestHeartbeat_LongCall_ExtendsLease(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := newHarness(t)
		started := time.Now()
		g.clock.setOnNow(nil)
		wall := func() time.Time { return g.clock.at.Add(time.Since(started)) }
		g.store.LeaseClock = wall
		j := journal.New(g.store, g.vault, wall, "us")
		in := g.intent(heloc.OpAddSSN, "ssn")
		op, err := result(j.Execute(t.Context(), in, func(ctx context.Context, id string) heloc.CallResult {
			for range 12 {
				time.Sleep(10 * time.Second)
				synctest.Wait()
				if err := j.Recover(ctx); err != nil {
					t.Error(err)
				}
				op := g.operation(id)
				if left := store.Instant(op.LeaseUntil).Sub(wall()); op.State != lead.OpSent || left < 15*time.Second {
					t.Errorf("after %v: got %s with %v of its lease left, want sent and a valid lease",
						time.Since(started), op.State, left)
				}
			}
			return resultFor(lead.OpSucceeded)
		}))
		if err != nil || op.State != lead.OpSucceeded {
			t.Errorf("got %s, %v", op.State, err)
		}
		if err := g.store.Close(); err != nil {
			t.Error(err)
		}
	})
}

// When a call panics, its heartbeat stops. Otherwise the operation would stay sent forever.
func TestHeartbeat_SendPanics_LeaseExpires(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := newHarness(t)
		started := time.Now()
		g.store.LeaseClock = func() time.Time { return g.clock.at.Add(time.Since(started)) }
		j := journal.New(g.store, g.vault, g.store.LeaseClock, "us")
		in := g.intent(heloc.OpAddSSN, "ssn")
		if !crashed(func() {
			_, _ = j.Execute(t.Context(), in, func(context.Context, string) heloc.CallResult { panic(crashPanic{}) })
		}) {
			t.Error("the panic was swallowed")
		}
		for _, want := range []lead.OpState{lead.OpSent, lead.OpUnknown} {
			time.Sleep(29 * time.Second)
			if err := j.Recover(t.Context()); err != nil {
				t.Error(err)
			}
			if op, err := j.ExistingOperation(t.Context(), in); op.State != want || err != nil {
				t.Errorf("after %v: got %s, %v, want %s", time.Since(started), op.State, err, want)
			}
		}
		if err := g.store.Close(); err != nil {
			t.Error(err)
		}
	})
}
