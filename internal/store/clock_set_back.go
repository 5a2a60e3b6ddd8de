package store

import (
	"context"
	"time"

	"github.com/jmoiron/sqlx"
)

// maxClockSkew is how far apart the clocks of two processes may be. Times of a lead that are further in the future were
// written before a clock was set back.
const maxClockSkew = 5 * time.Minute

// LongestWaits are the longest delays that other packages schedule for a lead.
type LongestWaits struct {
	FirstFailure time.Duration // until the next refresh after one failed; it doubles with each further one
	Failure      time.Duration // after any number of failed refreshes
	Pending      time.Duration // for the lender's answer to an operation
}

// clockSetBackSQL sets times in the future to now, and makes their leads due. It reads the whole table:
// a scan takes a fraction of a second, and an index would serve no other query.
const clockSetBackSQL = `UPDATE leads SET refresh_at = :now, status_changes_at = :now,
	refreshed_at = CASE WHEN refreshed_at > :now THEN :now ELSE refreshed_at END,
	changed_at = CASE WHEN changed_at > :now THEN :now ELSE changed_at END,
	webhook_at = CASE WHEN webhook_at > :now THEN :now ELSE webhook_at END,
	pending_until = CASE WHEN pending_until > :pending THEN :now ELSE pending_until END,
	webhook_used_up_at = CASE WHEN webhook_used_up_at > :used_up THEN 0 ELSE webhook_used_up_at END
	WHERE app IN (` + writtenAheadSQL + ` LIMIT :most)`

// writtenAheadSQL finds the leads that were written before the clock was set back. Leads whose refresh failed can be
// recognized only by a next refresh later than any failure schedules.
const writtenAheadSQL = `SELECT app FROM leads WHERE refreshed_at > :skew OR changed_at > :skew OR webhook_at > :skew
	OR pending_until > :pending OR webhook_used_up_at > :used_up
	OR refresh_failures > 0 AND refresh_at > :failure
	OR refresh_failures BETWEEN 1 AND 12
		AND refresh_at > :skew + (CAST(:first_failure AS BIGINT) << CAST(refresh_failures AS INTEGER))`

// CorrectClockSetBack makes due the leads that would otherwise wait until the clock catches up with the time when
// they were last read, changed or postponed. It corrects at most one batch of leads and returns how many; a corrected
// lead is not found again.
func (s *Store) CorrectClockSetBack(ctx context.Context, longest LongestWaits, batch int) (n int64, err error) {
	now := s.now()
	ahead := func(d time.Duration) int64 { return Millis(now.Add(maxClockSkew + d)) }
	args := map[string]any{
		"now": Millis(now), "skew": ahead(0), "pending": ahead(longest.Pending), "failure": ahead(longest.Failure),
		"first_failure": longest.FirstFailure.Milliseconds(), "most": batch,
		"used_up": ahead((webhookBurst + 1) * webhookPause),
	}
	// Reading first blocks no writers, and it nearly always finds nothing.
	query, values, err := sqlx.Named(writtenAheadSQL+` LIMIT 1`, args)
	if err != nil {
		return 0, err
	}
	if _, found, err := find[string](ctx, s.queries, query, values...); err != nil || !found {
		return 0, err
	}
	err = s.Write(ctx, func(tx *Tx) (err error) {
		n, err = tx.execNamedRows(ctx, clockSetBackSQL, args)
		return err
	})
	return n, err
}
