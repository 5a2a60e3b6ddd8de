package storetest

import (
	"context"
	"testing"
	"time"

	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// jumps are how far the clock moves in the tests of this file.
var jumps = []time.Duration{-24 * time.Hour, -time.Hour, time.Hour, 24 * time.Hour}

// clockJumpsLeases ends a process that holds a duty and a job, and moves the clock. Another process takes over at
// once.
func clockJumpsLeases(t *testing.T, s *store.Store) {
	at := noon()
	s.LeaseClock = func() time.Time { return at }
	for n, jump := range jumps {
		name := jump.String()
		dead, next := s.Duty(name, "dead"), s.Duty(name, "next")
		if !must(dead.Held(t.Context()))(t) || must(next.Held(t.Context()))(t) {
			t.Fatalf("%s: the duty is not that of the first process", name)
		}
		write(t, s, func(ctx context.Context, tx *store.Tx) error {
			return tx.AddJob(ctx, lead.Job{ID: name, Kind: lead.JobReassign, ActorID: "u", Company: name, Sealed: []byte{},
				CreatedAt: store.Millis(noon())}, []lead.JobRow{{JobID: name, N: n, App: appID(1), State: lead.JobRowWaiting}})
		})
		if job, ok, err := s.LeaseJob(t.Context(), "dead"); err != nil || !ok || job.ID != name {
			t.Fatalf("%s: got job %q, %v", name, job.ID, err)
		}
		at = at.Add(jump)
		if !must(next.Held(t.Context()))(t) || must(dead.Held(t.Context()))(t) {
			t.Errorf("%s: the duty is not taken over", name)
		}
		job, ok, err := s.LeaseJob(t.Context(), "next")
		if err != nil || !ok || job.ID != name {
			t.Errorf("%s: got job %q, %v, want the one of the dead process", name, job.ID, err)
		}
		write(t, s, func(ctx context.Context, tx *store.Tx) error {
			if ours, err := tx.ExtendJobLease(ctx, lead.Job{ID: name, LeaseOwner: "dead"}); err != nil || ours {
				t.Errorf("%s: the dead process still has the job: %v", name, err)
			}
			return tx.SaveJobRow(ctx, lead.JobRow{JobID: name, N: n, State: lead.JobRowSent})
		})
		if err := s.ReleaseJob(t.Context(), name, "next"); err != nil {
			t.Fatal(err)
		}
	}
}

// clockCorrectedALittle checks that no lease ends because the clock is set back by seconds.
func clockCorrectedALittle(t *testing.T, s *store.Store) {
	at := noon()
	s.LeaseClock = func() time.Time { return at }
	held := must(s.Duty("sweep", "a").Held(t.Context()))(t)
	at = at.Add(-10 * time.Second)
	if taken := must(s.Duty("sweep", "b").Held(t.Context()))(t); !held || taken {
		t.Errorf("got held %v, taken %v", held, taken)
	}
	if still := must(s.Duty("sweep", "a").Held(t.Context()))(t); !still {
		t.Error("the process has lost its duty")
	}
}

// clockOfDatabase checks that the lease clock, which for PostgreSQL is the database's, is read correctly.
func clockOfDatabase(t *testing.T, s *store.Store) {
	now := must(s.LeaseNow(t.Context()))(t)
	if off := time.Since(now).Abs(); off > time.Minute {
		t.Errorf("the clock of leases is %v off", off)
	}
}

func clockSetBackMails(t *testing.T, s *store.Store) {
	tomorrow := noon().Add(24 * time.Hour)
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		return tx.AddMail(ctx, mailOf("m1", store.MailMessage, tomorrow))
	})
	lease := func(now time.Time) bool {
		t.Helper()
		_, ok, err := s.LeaseMail(t.Context(), store.MailMessage, now, now.Add(2*store.MailRetry))
		if err != nil {
			t.Fatal(err)
		}
		return ok
	}
	if !lease(noon()) {
		t.Error("an email that was written before the clock was set back waits until then")
	}
	if lease(noon().Add(time.Minute)) {
		t.Error("the email is leased twice")
	}
	if !lease(noon().Add(-time.Hour)) {
		t.Error("an email whose lease is from before the clock was set back waits until then")
	}
}

// clockSetBackLeads checks each way in which a lead can wait for a time that is still in the future because the clock
// was set back, and that nothing else is changed.
func clockSetBackLeads(t *testing.T, s *store.Store) {
	longest := store.LongestWaits{FirstFailure: 4 * time.Second, Failure: 6 * time.Hour, Pending: 15 * time.Minute}
	for i, jump := range []time.Duration{time.Hour, 24 * time.Hour} {
		now := noon().AddDate(0, 0, 10*i)
		s.Now = func() time.Time { return now }
		in := func(d time.Duration) int64 { return store.Millis(now.Add(d)) }
		regular := leadOf(1, "o1", "B1")
		regular.RefreshedAt, regular.RefreshAt = in(-time.Minute), in(6*time.Hour)
		failed := leadOf(2, "o1", "B1") // four times: it is tried again after 32 seconds
		failed.RefreshFailures, failed.RefreshAt = 4, in(32*time.Second)
		often := leadOf(3, "o1", "B1")
		often.RefreshFailures, often.RefreshAt = 1000, in(6*time.Hour)
		pending := leadOf(4, "o1", "B1")
		pending.PendingOp, pending.PendingUntil, pending.RefreshAt = "op", in(15*time.Minute), in(time.Second)
		marked := leadOf(5, "o1", "B1")
		marked.RefreshAt = in(time.Hour)
		changed := leadOf(6, "o1", "B1")
		changed.RefreshAt = in(time.Second)
		rows := []lead.Row{regular, failed, often, pending, marked, changed}
		write(t, s, func(ctx context.Context, tx *store.Tx) error {
			for n := range rows {
				rows[n].App = appID(10*i + n)
				added := now.AddDate(0, 0, -2)
				if n == len(rows)-1 {
					added = now
				}
				if err := tx.AddLead(ctx, &rows[n], added); err != nil {
					return err
				}
			}
			for range 10 {
				if _, err := tx.MarkWebhook(ctx, rows[4].App, now, false); err != nil {
					return err
				}
			}
			return nil
		})
		if n := must(s.CorrectClockSetBack(t.Context(), longest, 100))(t); n != 0 {
			t.Errorf("%v: %d leads are corrected although the clock is right", jump, n)
		}
		now = now.Add(-jump)
		n := must(s.CorrectClockSetBack(t.Context(), longest, 4))(t)
		if n += must(s.CorrectClockSetBack(t.Context(), longest, 4))(t); n != int64(len(rows)) {
			t.Errorf("%v: got %d corrected leads in two batches, want %d", jump, n, len(rows))
		}
		if n := must(s.CorrectClockSetBack(t.Context(), longest, 100))(t); n != 0 {
			t.Errorf("%v: %d leads are corrected again", jump, n)
		}
		for n := range rows {
			l := must(s.AnyLead(t.Context(), rows[n].App))(t)
			if at := store.Millis(now); l.RefreshAt > at || l.PendingUntil > at || l.RefreshedAt > at || l.ChangedAt > at {
				t.Errorf("%v: lead %d is not corrected: %+v", jump, n, l)
			}
		}
	}
}

// clockSetBackWebhook checks that a burst of webhooks from before the clock was set back does not postpone a later one.
func clockSetBackWebhook(t *testing.T, s *store.Store) {
	add(t, s, leadOf(1, "o1", "B1"))
	mark := func(now time.Time) {
		t.Helper()
		write(t, s, func(ctx context.Context, tx *store.Tx) error {
			_, err := tx.MarkWebhook(ctx, appID(1), now, true)
			return err
		})
	}
	for range 20 {
		mark(noon())
	}
	before := noon().Add(-time.Hour)
	mark(before)
	if l := must(s.AnyLead(t.Context(), appID(1)))(t); l.RefreshAt > store.Millis(before) {
		t.Errorf("the webhook causes a refresh %v later", store.Instant(l.RefreshAt).Sub(before))
	}
}
