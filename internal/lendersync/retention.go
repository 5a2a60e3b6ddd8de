package lendersync

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/store"
)

// How long data is stored. Failed sign-ins no longer count after a day. The drafts of an inquiry stay for a while
// after its end, so that a new inquiry can be started from them.
const (
	webhooksRetention            = 7 * 24 * time.Hour
	signInAttemptsRetention      = 24 * time.Hour
	loginLocationsRetention      = 90 * 24 * time.Hour // after that, a sign-in location is new again
	alertsRetention              = 90 * 24 * time.Hour
	draftsRetention              = 30 * 24 * time.Hour
	unknownApplicationsRetention = webhooksRetention   // long enough for a lender that is down for days
	rejectionsRetention          = 30 * 24 * time.Hour // of a CRM's launches
	eventsRetention              = 30 * 24 * time.Hour // for CRMs
	mailsRetention               = 30 * 24 * time.Hour
	linksRetention               = 30 * 24 * time.Hour
	// that a second administrator decides; the audit log keeps more
	requestsRetention      = 365 * 24 * time.Hour
	readNoticesRetention   = 30 * 24 * time.Hour      // for a notification that was read
	unreadNoticesRetention = 180 * 24 * time.Hour     // for a notification that was not read
	minRetention           = 25 * 31 * 24 * time.Hour // records of quotes: two years and a month
)

// clean deletes data whose retention has ended, and also removes it from the log file of the database. Each kind is
// deleted in its own transaction, so that no user's write waits for all of them.
func (s *Service) clean(ctx context.Context) error {
	now := s.Now()
	if trusted, err := s.clockTrusted(ctx, now); err != nil || !trusted {
		return err
	}
	stored := max(s.Retention, minRetention)
	for _, drop := range []func(tx *store.Tx) error{
		func(tx *store.Tx) error { return tx.DropWebhooks(ctx, now.Add(-webhooksRetention)) },
		func(tx *store.Tx) error { return tx.DropSessions(ctx, now) },
		func(tx *store.Tx) error { return tx.DropCeremonies(ctx, now) },
		func(tx *store.Tx) error { return tx.DropUses(ctx, now.Add(-2*store.UsagePeriod)) },
		func(tx *store.Tx) error { return tx.DropLoginLocations(ctx, now.Add(-loginLocationsRetention)) },
		func(tx *store.Tx) error { return tx.DropAlerts(ctx, now.Add(-alertsRetention)) },
		func(tx *store.Tx) error { return tx.DropMails(ctx, now.Add(-mailsRetention)) },
		func(tx *store.Tx) error { return tx.DropInvitations(ctx, now.Add(-linksRetention)) },
		func(tx *store.Tx) error { return tx.DropGrantRequests(ctx, now.Add(-requestsRetention)) },
		func(tx *store.Tx) error { return tx.DropLaunches(ctx, now) },
		func(tx *store.Tx) error { return tx.DropCRMEvents(ctx, now.Add(-eventsRetention)) },
		func(tx *store.Tx) error { return tx.DropEmbedRejections(ctx, now.Add(-rejectionsRetention)) },
		func(tx *store.Tx) error { return tx.ForgetSignInAttempts(ctx, now.Add(-signInAttemptsRetention)) },
		func(tx *store.Tx) error {
			return tx.DropUnknownApplications(ctx, now.Add(-unknownApplicationsRetention))
		},
		func(tx *store.Tx) error {
			return tx.DropNotices(ctx, now.Add(-readNoticesRetention), now.Add(-unreadNoticesRetention))
		},
		func(tx *store.Tx) error {
			return tx.DropUnsentDrafts(ctx, now.Add(-store.UnsentDraftRetention), deleteBatch)
		},
		func(tx *store.Tx) error { return tx.DropQuotes(ctx, now.Add(-stored)) },
		func(tx *store.Tx) error { return tx.DropMessages(ctx, now.Add(-stored)) },
	} {
		if err := s.Store.Write(ctx, drop); err != nil {
			return err
		}
	}
	if err := s.deleteEnded(ctx, now.Add(-stored)); err != nil {
		return err
	}
	if err := s.deleteDrafts(ctx, now.Add(-draftsRetention)); err != nil {
		return err
	}
	return errors.Join(s.trimAudit(ctx, now), s.Store.Scrub(ctx))
}

// After a gap of more than maxCleaningGap between two cleanups, the clock may be wrong, or the portal may not have
// been running. If the clock still shows that time after clockDoubt, it is trusted.
const (
	maxCleaningGap = 48 * time.Hour
	clockDoubt     = 24 * time.Hour
)

// clockTrusted reports whether the clock may be used to decide what is old. Deleting cannot be undone, and a clock
// set a year ahead would delete up to 25 months of leads.
func (s *Service) clockTrusted(ctx context.Context, now time.Time) (trusted bool, err error) {
	err = s.Store.Write(ctx, func(tx *store.Tx) error {
		stored, err := tx.Setting(ctx, store.CleaningClock)
		if err != nil {
			return err
		}
		var last, from int64
		_, _ = fmt.Sscan(stored, &last, &from) // zeros at the first cleaning
		switch gap := now.Sub(store.Instant(last)); {
		case last != 0 && gap > maxCleaningGap:
			s.Log.Warn("old data is not deleted for a day, because the clock is far ahead of the last cleaning",
				"last", store.Instant(last).UTC(), "now", now.UTC())
			from = store.Millis(now.Add(clockDoubt))
		case gap < 0:
			from = 0 // the clock was set back, and less is old than before
		}
		trusted = store.Millis(now) >= from
		return tx.SaveSetting(ctx, store.CleaningClock, fmt.Sprint(store.Millis(now), from))
	})
	return trusted && err == nil, err
}

// deleteBatch is how many leads or drafts are deleted in one cleaning; leadsAtOnce is how many leads in one
// transaction, because each deletion takes a few milliseconds.
const (
	deleteBatch = 100
	leadsAtOnce = 5
)

// deleteDrafts deletes the drafts of inquiries that ended. Finding them takes longer than deleting them, so no write
// waits for it.
func (s *Service) deleteDrafts(ctx context.Context, ended time.Time) error {
	for after := heloc.AppID(""); ; {
		apps, err := s.Store.EndedDrafts(ctx, ended, after, deleteBatch)
		if err != nil {
			return err
		}
		for some := range slices.Chunk(apps, leadsAtOnce) {
			if err := s.Store.Write(ctx, func(tx *store.Tx) error { return tx.DropDrafts(ctx, ended, some) }); err != nil {
				return err
			}
		}
		if len(apps) < deleteBatch {
			return nil
		}
		after = apps[len(apps)-1]
	}
}

// deleteEnded deletes leads that ended long ago. The audit records only their ids.
func (s *Service) deleteEnded(ctx context.Context, ended time.Time) error {
	for deleted, more := 0, true; more && deleted < deleteBatch; {
		if err := s.Store.Write(ctx, func(tx *store.Tx) error {
			apps, err := tx.DropLeads(ctx, ended, leadsAtOnce)
			for _, app := range apps {
				if err == nil {
					err = tx.Audit(ctx, store.AuditEntry{ActorID: "system", Action: store.ActionLeadDelete,
						Object: "lead:" + string(app), Outcome: "done"})
				}
			}
			deleted, more = deleted+len(apps), len(apps) == leadsAtOnce
			return err
		}); err != nil {
			return err
		}
	}
	return nil
}

// auditRetentionYears is how long the audit is stored. It is not a setting: readers of the audit must know how far
// back it goes without having to know the configuration.
const auditRetentionYears = 6

// Rows that are deleted together block the writer briefly, so one cleaning deletes a limited number.
const (
	auditBatch      = 1000
	maxAuditBatches = 20
)

// trimAudit deletes audit rows after six years, a day at a time.
func (s *Service) trimAudit(ctx context.Context, now time.Time) error {
	before := now.UTC().AddDate(-auditRetentionYears, 0, 0).Truncate(24 * time.Hour)
	for range maxAuditBatches {
		var dropped int64
		err := s.Store.Write(ctx, func(tx *store.Tx) (err error) {
			dropped, err = tx.TrimAudit(ctx, before, auditBatch)
			return err
		})
		if err != nil || dropped == 0 {
			return err
		}
	}
	return nil
}

// logAuditHead logs the end of the audit's chain when it has changed: logs are shipped elsewhere, and a chain alone
// cannot show that its end was cut off.
func (s *Service) logAuditHead(ctx context.Context) error {
	head, err := s.Store.AuditHead(ctx)
	if err != nil || head.Seq == s.loggedAuditSeq {
		return err
	}
	s.loggedAuditSeq = head.Seq
	s.Log.Info("audit head", "row", head.Seq, "mark", head.MAC)
	return nil
}
