package lendersync

import (
	"testing"
	"time"

	"hearthline/internal/store"
)

// TestRun_AnotherProcessOnDuty_SweepsAfterIt: while another process does the scheduled work, a lead that is due is not
// read here; once that process has ended, it is.
func TestRun_AnotherProcessOnDuty_SweepsAfterIt(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		app := g.startAndRead("Rivera")
		g.stop()
		g.service.Owner = "here"
		other := g.store.Duty(scheduledDuty, "there")
		if held, err := other.Held(t.Context()); err != nil || !held {
			t.Fatalf("the duty is not free: %v, %v", held, err)
		}
		g.write(func(tx *store.Tx) error { // the lead is due at once
			_, err := tx.MarkWebhook(t.Context(), app, time.Now(), true)
			return err
		})
		before := g.lead(app).RefreshedAt
		g.run()
		for range 4 {
			time.Sleep(5 * time.Second)
			if held, err := other.Held(t.Context()); err != nil || !held {
				t.Fatalf("the other process lost its duty: %v", err)
			}
		}
		if got := g.lead(app).RefreshedAt; got != before {
			t.Errorf("the lead was read %d ms after its last reading, while another process was on duty", got-before)
		}
		time.Sleep(time.Minute) // the other process has died
		if got := g.lead(app).RefreshedAt; got == before {
			t.Error("the lead is not read after the other process has ended")
		}
	})
}
