package lendersync

import (
	"slices"
	"testing"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// TestNotifyStep moves a lead through its steps and checks its notifications, and which of them are still
// unread: those of an earlier step have been read.
func TestNotifyStep(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		app := g.startAndRead("Rivera-Match")
		company := g.lead(app).Company
		step := func(to heloc.Step) {
			t.Helper()
			time.Sleep(time.Minute)
			g.must(g.store.Write(t.Context(), func(tx *store.Tx) error {
				row, err := tx.AnyLead(t.Context(), app)
				if err != nil {
					return err
				}
				before := row
				row.Step, row.StepSince, row.PendingOp, row.PendingUntil = to, store.Millis(time.Now()), "", 0
				if to == heloc.StepComplete && before.Step == to {
					row.SigningDate = "2099-01-02"
				}
				if err := tx.SaveLead(t.Context(), &row, time.Now(), true); err != nil {
					return err
				}
				var events []lead.Event
				if before.Step != to {
					events = []lead.Event{{App: app, Kind: lead.EventStep, StepBefore: before.Step, StepAfter: to}}
				}
				return g.service.notify(t.Context(), tx, savedChange{before: before, after: row,
					at: store.Millis(time.Now()), events: events})
			}))
		}
		unread := func() (kinds []lead.NoticeKind) {
			t.Helper()
			page, err := g.store.Notices(t.Context(), store.UserScope{UserID: g.olivia.UserID, Company: company}, "")
			g.must(err)
			for _, n := range page.Notices {
				if n.ReadAt == 0 {
					kinds = append(kinds, n.Kind)
				}
			}
			return kinds
		}
		for _, tt := range []struct {
			to   heloc.Step
			want []lead.NoticeKind // newest first
		}{
			{heloc.StepLienMatching, []lead.NoticeKind{lead.NoticeBlocked}},
			{heloc.StepOffersAvailable, []lead.NoticeKind{lead.NoticeOffersReady}},
			{heloc.StepBorrowerAuth, nil},
			{heloc.StepBrokerDocSigning, []lead.NoticeKind{lead.NoticeBorrowerSignedIn}},
			{heloc.StepComplete, []lead.NoticeKind{lead.NoticeDocumentsSigned, lead.NoticeBorrowerSignedIn}},
			{heloc.StepComplete, []lead.NoticeKind{lead.NoticeDatesChanged, lead.NoticeDocumentsSigned,
				lead.NoticeBorrowerSignedIn}},
		} {
			step(tt.to)
			if got := unread(); !slices.Equal(got, tt.want) {
				t.Errorf("at %s: got %v unread, want %v", tt.to, got, tt.want)
			}
		}
	})
}

// TestNotifyDue_Once: a follow-up that is due and an inquiry that expires within three days are notified once.
func TestNotifyDue_Once(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		app := g.startAndRead("Rivera-Match")
		company := g.lead(app).Company
		due := time.Now().Add(time.Hour)
		g.must(g.store.Write(t.Context(), func(tx *store.Tx) error {
			row, err := tx.AnyLead(t.Context(), app)
			if err != nil {
				return err
			}
			row.ExpirationDate, row.FollowUpAt = heloc.DateOf(time.Now().AddDate(0, 0, 4).UTC()), store.Millis(due)
			if err := tx.AddFollowUp(t.Context(), lead.FollowUp{ID: "f1", App: app, ActorID: g.olivia.UserID,
				ActorName: "Olivia", DueAt: store.Millis(due), CreatedAt: store.Millis(time.Now())}); err != nil {
				return err
			}
			return tx.SaveLead(t.Context(), &row, time.Now(), true)
		}))
		count := func(kind lead.NoticeKind) (n int) {
			t.Helper()
			page, err := g.store.Notices(t.Context(), store.UserScope{UserID: g.olivia.UserID, Company: company}, "")
			g.must(err)
			for _, one := range page.Notices {
				if one.Kind == kind {
					n++
				}
			}
			return n
		}
		sweep := func() {
			t.Helper()
			g.must(g.service.notifyFollowUps(t.Context()))
			g.must(g.service.notifyExpiring(t.Context()))
		}
		sweep()
		if f, e := count(lead.NoticeFollowUpDue), count(lead.NoticeExpiring); f != 0 || e != 0 {
			t.Errorf("too early: got %d and %d", f, e)
		}
		time.Sleep(24 * time.Hour)
		for range 2 {
			sweep()
			time.Sleep(time.Minute)
		}
		if f, e := count(lead.NoticeFollowUpDue), count(lead.NoticeExpiring); f != 1 || e != 1 {
			t.Errorf("got %d follow-ups and %d expirations, want one each", f, e)
		}
	})
}
