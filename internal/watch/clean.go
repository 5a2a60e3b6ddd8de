package watch

import (
	"context"
	"errors"
	"time"

	"hearthline/internal/store"
)

// How long things are kept. Failed log-ins of a day ago no longer count; the drafts of
// an inquiry stay for a while after its end, so that it can be begun anew from them.
const (
	hintsKept     = 7 * 24 * time.Hour
	failuresKept  = 24 * time.Hour
	measuresKept  = 3 * time.Hour       // each has run dry after a minute, those of attacks after two hours
	placesKept    = 90 * 24 * time.Hour // where somebody signs in after longer is new to them
	alertsKept    = 90 * 24 * time.Hour
	draftsKept    = 30 * 24 * time.Hour
	strangersKept = 24 * time.Hour
	refusalsKept  = 30 * 24 * time.Hour // of a CRM's launches
	mailsKept     = 30 * 24 * time.Hour
	linksKept     = 30 * 24 * time.Hour
	readKept      = 30 * 24 * time.Hour      // a notification that was read
	unreadKept    = 180 * 24 * time.Hour     // and one that nobody read
	leastRetained = 25 * 31 * 24 * time.Hour // records of what was quoted: two years and a month
)

// clean deletes what has been kept long enough, from the log beside the database too.
func (w *Watch) clean(ctx context.Context) error {
	now := w.Now()
	err := w.Store.Write(ctx, func(tx *store.Tx) error {
		if err := tx.DropHints(ctx, now.Add(-hintsKept)); err != nil {
			return err
		}
		if err := tx.DropSessions(ctx, now); err != nil {
			return err
		}
		if err := tx.DropCeremonies(ctx, now); err != nil {
			return err
		}
		if err := tx.DropMeasures(ctx, now.Add(-measuresKept)); err != nil {
			return err
		}
		if err := tx.DropPlaces(ctx, now.Add(-placesKept)); err != nil {
			return err
		}
		if err := tx.DropAlerts(ctx, now.Add(-alertsKept)); err != nil {
			return err
		}
		if err := tx.DropMails(ctx, now.Add(-mailsKept)); err != nil {
			return err
		}
		if err := tx.DropInvitations(ctx, now.Add(-linksKept)); err != nil {
			return err
		}
		if err := tx.DropLaunches(ctx, now); err != nil {
			return err
		}
		if err := tx.DropEmbedRefusals(ctx, now.Add(-refusalsKept)); err != nil {
			return err
		}
		if err := tx.DropLogInFailures(ctx, now.Add(-failuresKept)); err != nil {
			return err
		}
		if err := tx.DropStrangers(ctx, now.Add(-strangersKept)); err != nil {
			return err
		}
		if err := tx.DropNotices(ctx, now.Add(-readKept), now.Add(-unreadKept)); err != nil {
			return err
		}
		if err := tx.DropQuotes(ctx, now.Add(-max(w.Retention, leastRetained))); err != nil {
			return err
		}
		if err := tx.DropWords(ctx, now.Add(-max(w.Retention, leastRetained))); err != nil {
			return err
		}
		if err := w.forget(ctx, tx, now.Add(-max(w.Retention, leastRetained))); err != nil {
			return err
		}
		if err := tx.DropUnsentDrafts(ctx, now.Add(-store.UnsentKept), forgotten); err != nil {
			return err
		}
		return tx.DropDrafts(ctx, now.Add(-draftsKept))
	})
	if err != nil {
		return err
	}
	return errors.Join(w.cutAudit(ctx, now), w.Store.Scrub(ctx))
}

// forgotten is how many leads, and drafts, go at once: each holds the writer for a moment.
const forgotten = 100

// forget deletes leads that ended long ago, and says so in the audit by their ids alone.
func (w *Watch) forget(ctx context.Context, tx *store.Tx, ended time.Time) error {
	gone, err := tx.DropLeads(ctx, ended, forgotten)
	for _, app := range gone {
		if err == nil {
			err = tx.Audit(ctx, store.Audited{ActorID: "system", Action: store.ActForget, Object: "lead:" + string(app), Outcome: "done"})
		}
	}
	return err
}
