package lendersync

import (
	"testing"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// TestRun_ClockJumps_WorkContinues lets the portal's clock jump while it runs and while it is stopped. In each case a
// change at the lender to an inquiry at an early step, read just before the jump, is found within minutes without a
// webhook, and a webhook still triggers a read immediately.
func TestRun_ClockJumps_WorkContinues(t *testing.T) {
	t.Parallel()
	for _, stopped := range []bool{false, true} {
		for _, jump := range []time.Duration{-24 * time.Hour, -time.Hour, time.Hour, 24 * time.Hour} {
			runInSynctest(t, options{}, func(t *testing.T, g *harness) {
				g.service.Owner = "here"
				g.run()
				app := g.startAndRead("Rivera")
				time.Sleep(3 * time.Minute) // it is read every two minutes
				if stopped {
					g.stop()
				}
				g.ahead.Add(int64(jump))
				if stopped {
					g.run()
				}
				g.must(g.lender.Play(app, "expire"))
				time.Sleep(clockEvery + 2*time.Minute)
				if l := g.lead(app); l.Lane != heloc.LaneEnded {
					t.Errorf("%v, stopped %v: the lead is in lane %s, to be read again %v later", jump, stopped, l.Lane,
						store.Instant(l.RefreshAt).Sub(g.now()))
				}
				read := g.lead(app).RefreshedAt
				g.must(g.service.ReceiveWebhook(t.Context(), []byte(`{"applicationUuid":"`+string(app)+`"}`)))
				time.Sleep(15 * time.Second)
				if l := g.lead(app); l.RefreshedAt == read {
					t.Errorf("%v, stopped %v: the webhook is not followed", jump, stopped)
				}
			})
		}
	}
}

// TestRun_ClockJumps_WriteUnderWayContinues lets the clock jump while a request is in flight: the write does not
// count as lost, and its response is used.
func TestRun_ClockJumps_WriteUnderWayContinues(t *testing.T) {
	t.Parallel()
	for _, jump := range []time.Duration{-24 * time.Hour, -time.Hour, time.Hour, 24 * time.Hour} {
		runInSynctest(t, options{loops: true}, func(t *testing.T, g *harness) {
			done := make(chan lead.Operation)
			go func() { done <- g.slowStart(false, 14*time.Second) }()
			time.Sleep(time.Second)
			g.ahead.Add(int64(jump))
			time.Sleep(2 * recoverEvery)
			for _, state := range []lead.OpState{lead.OpUnknown, lead.OpAbsent} {
				if lost, err := g.store.OperationsIn(t.Context(), state, 9); err != nil || len(lost) != 0 {
					t.Errorf("%v: the request is %s while it is on its way, %v", jump, state, err)
				}
			}
			if op := <-done; op.State != lead.OpSucceeded {
				t.Errorf("%v: got %s, want succeeded", jump, op.State)
			}
		})
	}
}

// TestClean_ClockAheadByAYear_DeletesNothing sets the clock a year ahead for a few hours.
func TestClean_ClockAheadByAYear_DeletesNothing(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		app := g.startAndRead("Rivera")
		g.must(g.lender.Play(app, "expire"))
		g.must(g.service.Refresh(t.Context(), app))
		g.write(func(tx *store.Tx) error {
			l, err := tx.AnyLead(t.Context(), app)
			l.ChangedAt = store.Millis(g.now().Add(-20 * 31 * 24 * time.Hour))
			if err == nil {
				err = tx.SaveLead(t.Context(), &l, g.now(), false)
			}
			return err
		})
		g.must(g.service.clean(t.Context()))
		g.ahead.Add(int64(365 * 24 * time.Hour))
		for range 20 {
			g.must(g.service.clean(t.Context()))
			time.Sleep(time.Hour)
		}
		g.lead(app)
		g.ahead.Add(-int64(365 * 24 * time.Hour))
		trusted, err := g.service.clockTrusted(t.Context(), g.now())
		g.must(err)
		if !trusted {
			t.Error("the clock, which is right again, is not trusted")
		}
	})
}
