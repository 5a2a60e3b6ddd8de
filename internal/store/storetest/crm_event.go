package storetest

import (
	"context"
	"slices"
	"testing"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// crmEvents leases events in the order of their leads, one at a time for each CRM, and to one process at a time.
func crmEvents(t *testing.T, s *store.Store) {
	now := noon()
	s.Now = func() time.Time { return now }
	s.LeaseClock = s.Now
	add(t, s, leadOf(1, "olivia", "B1"), leadOf(2, "olivia", "B1"), leadOf(3, "piotr", "B2"))
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		for _, c := range []store.EmbedClient{{Key: "acme", BrokerID: "B1", EventsAt: 1},
			{Key: "slow", BrokerID: "B2", EventsAt: 1}, {Key: "off", BrokerID: "B1"}} {
			c.Name, c.Kind, c.Origins, c.Sealed = c.Key, "jwt", "https://x.test", []byte("x")
			if err := tx.AddEmbedClient(ctx, c); err != nil {
				return err
			}
		}
		for n, client := range map[int]string{1: "acme", 2: "acme", 3: "slow"} {
			links := []string{client, "off", "slow"} // slow belongs to another company than leads 1 and 2
			for _, one := range slices.Compact(slices.Sorted(slices.Values(links))) {
				if err := tx.LinkRecord(ctx, appID(n), store.RecordIndex{Client: one, BlindIndex: one}); err != nil {
					return err
				}
			}
			now = now.Add(time.Second)
		}
		return nil
	})
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		l := must(tx.AnyLead(ctx, appID(1)))(t)
		l.Step = heloc.StepOffersAvailable
		return tx.SaveLead(ctx, &l, now, true)
	})
	lease := func() lead.CRMEvent {
		t.Helper()
		e, _, err := s.LeaseCRMEvent(t.Context(), now)
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	finish := func(e lead.CRMEvent, state lead.CRMEventState, next time.Time) {
		t.Helper()
		e.State, e.NextAt, e.TriedAt, e.Answer = state, store.Millis(next), store.Millis(now), "200"
		write(t, s, func(ctx context.Context, tx *store.Tx) error { return tx.FinishCRMEvent(ctx, e) })
	}
	started := map[string]lead.CRMEvent{}
	for range 2 {
		e := lease()
		started[e.Client] = e
	}
	first, slow := started["acme"], started["slow"]
	if first.Kind != lead.CRMStarted || slow.App != appID(3) || slow.Tries != 1 {
		t.Fatalf("got %+v, want one event of each client", started)
	}
	if e := lease(); e.ID != "" {
		t.Fatalf("got %+v while both clients have one", e)
	}
	finish(first, lead.CRMEventWaiting, now.Add(time.Hour))
	other := lease()
	if other.Client != "acme" || other.App == first.App {
		t.Fatalf("got %+v, want the other lead: the first one of this lead failed", other)
	}
	// The process that has it is stuck: another one repeats it, and what the first one finds out no longer counts.
	now = now.Add(store.CRMEventLease)
	taken := map[string]lead.CRMEvent{}
	for range 2 {
		e := lease()
		taken[e.ID] = e
	}
	again := taken[other.ID]
	if again.Tries != 2 || taken[slow.ID].Tries != 2 {
		t.Fatalf("got %+v, want both again", taken)
	}
	finish(other, lead.CRMEventFailed, now)
	if got := must(s.CountCRMEvents(t.Context(), "acme", noon()))(t); got != (store.CRMEventCounts{Waiting: 4}) {
		t.Errorf("got %+v, want the late outcome ignored", got)
	}
	finish(again, lead.CRMEventSent, now)
	now = now.Add(2 * time.Hour)
	for range 3 { // of lead 1: its start, and the two that waited for it
		e := lease()
		if e.Client == "slow" {
			finish(e, lead.CRMEventFailed, now)
			e = lease()
		}
		if e.ID == "" {
			t.Fatal("nothing is due")
		}
		finish(e, lead.CRMEventSent, now)
	}
	sent := must(s.CRMEvents(t.Context(), "acme", lead.CRMEventSent))(t)
	var numbers []int64
	for _, e := range sent {
		if e.App == appID(1) {
			numbers = append(numbers, e.Number)
		}
	}
	if len(sent) != 4 || len(numbers) != 3 || numbers[0] <= numbers[1] || numbers[1] <= numbers[2] {
		t.Errorf("got the numbers %v of %+v, newest first", numbers, sent)
	}
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		if n, err := tx.RepeatCRMEvents(ctx, "slow", ""); n != 1 || err != nil {
			t.Errorf("got %d to send again, %v", n, err)
		}
		return tx.DropCRMEvents(ctx, now)
	})
	if e := lease(); e.ID != slow.ID || e.Number != slow.Number || e.Tries != 1 {
		t.Errorf("got %+v, want the failed one again", e)
	}
	if left := must(s.CRMEvents(t.Context(), "acme", lead.CRMEventSent))(t); len(left) != 0 {
		t.Errorf("got %+v after their retention", left)
	}
}
