package lendersync

import (
	"context"
	"errors"
	"time"

	"hearthline/internal/store"
)

// How long data is stored. Failed sign-ins no longer count after a day. The drafts of an inquiry stay for a while
// after its end, so that a new inquiry can be started from them.
const (
	webhooksRetention            = 7 * 24 * time.Hour
	signInFailuresRetention      = 24 * time.Hour
	rateLimitsRetention          = 3 * time.Hour       // a normal limit is empty after a minute, one after an attack after two hours
	loginLocationsRetention      = 90 * 24 * time.Hour // after that, a sign-in location is new again
	alertsRetention              = 90 * 24 * time.Hour
	draftsRetention              = 30 * 24 * time.Hour
	unknownApplicationsRetention = 24 * time.Hour
	rejectionsRetention          = 30 * 24 * time.Hour // of a CRM's launches
	mailsRetention               = 30 * 24 * time.Hour
	linksRetention               = 30 * 24 * time.Hour
	readNoticesRetention         = 30 * 24 * time.Hour      // for a notification that was read
	unreadNoticesRetention       = 180 * 24 * time.Hour     // for a notification that was not read
	minRetention                 = 25 * 31 * 24 * time.Hour // records of quotes: two years and a month
)

// clean deletes data whose retention has ended, and also removes it from the log file of the database.
func (w *Service) clean(ctx context.Context) error {
	now := w.Now()
	err := w.Store.Write(ctx, func(tx *store.Tx) error {
		if err := tx.DropWebhooks(ctx, now.Add(-webhooksRetention)); err != nil {
			return err
		}
		if err := tx.DropSessions(ctx, now); err != nil {
			return err
		}
		if err := tx.DropCeremonies(ctx, now); err != nil {
			return err
		}
		if err := tx.DropRateLimits(ctx, now.Add(-rateLimitsRetention)); err != nil {
			return err
		}
		if err := tx.DropLoginLocations(ctx, now.Add(-loginLocationsRetention)); err != nil {
			return err
		}
		if err := tx.DropAlerts(ctx, now.Add(-alertsRetention)); err != nil {
			return err
		}
		if err := tx.DropMails(ctx, now.Add(-mailsRetention)); err != nil {
			return err
		}
		if err := tx.DropInvitations(ctx, now.Add(-linksRetention)); err != nil {
			return err
		}
		if err := tx.DropLaunches(ctx, now); err != nil {
			return err
		}
		if err := tx.DropEmbedRejections(ctx, now.Add(-rejectionsRetention)); err != nil {
			return err
		}
		if err := tx.DropSignInFailures(ctx, now.Add(-signInFailuresRetention)); err != nil {
			return err
		}
		if err := tx.DropUnknownApplications(ctx, now.Add(-unknownApplicationsRetention)); err != nil {
			return err
		}
		if err := tx.DropNotices(ctx, now.Add(-readNoticesRetention), now.Add(-unreadNoticesRetention)); err != nil {
			return err
		}
		if err := tx.DropQuotes(ctx, now.Add(-max(w.Retention, minRetention))); err != nil {
			return err
		}
		if err := tx.DropMessages(ctx, now.Add(-max(w.Retention, minRetention))); err != nil {
			return err
		}
		if err := w.deleteEnded(ctx, tx, now.Add(-max(w.Retention, minRetention))); err != nil {
			return err
		}
		if err := tx.DropUnsentDrafts(ctx, now.Add(-store.UnsentDraftRetention), deleteBatch); err != nil {
			return err
		}
		return tx.DropDrafts(ctx, now.Add(-draftsRetention))
	})
	if err != nil {
		return err
	}
	return errors.Join(w.trimAudit(ctx, now), w.Store.Scrub(ctx))
}

// deleteBatch is how many leads or drafts are deleted at once, because each deletion blocks the writer briefly.
const deleteBatch = 100

// deleteEnded deletes leads that ended long ago. The audit records only their ids.
func (w *Service) deleteEnded(ctx context.Context, tx *store.Tx, ended time.Time) error {
	deleted, err := tx.DropLeads(ctx, ended, deleteBatch)
	for _, app := range deleted {
		if err == nil {
			err = tx.Audit(ctx, store.AuditEntry{ActorID: "system", Action: store.ActionLeadDelete, Object: "lead:" + string(app), Outcome: "done"})
		}
	}
	return err
}
