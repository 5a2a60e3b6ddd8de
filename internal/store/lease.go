package store

import (
	"context"
	"log/slog"
	"time"

	"github.com/jmoiron/sqlx"

	"hearthline/migrations"
)

// LeaseNow returns the time by the clock that leases use. Processes that share a database use its
// clock, because the clocks of their machines differ. SQLite is used by one process, so that process's clock is enough.
func (q Queries) LeaseNow(ctx context.Context) (time.Time, error) {
	switch {
	case q.LeaseClock != nil:
		return q.LeaseClock(), nil
	case q.conn.Dialect() != migrations.Postgres:
		return q.now(), nil
	}
	ms, err := get[int64](ctx, q, `SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)`)
	return Instant(ms), err
}

// LeaseExpired reports whether a lease with a maximum duration has expired. A lease that ends later than that from
// now was written before the clock was set back, so its remaining time is unknown. Twice the duration is tolerated,
// so that a small correction of the clock ends no lease.
func LeaseExpired(until int64, now time.Time, lasts time.Duration) bool {
	left := Instant(until).Sub(now)
	return left <= 0 || left > 2*lasts
}

// dutyTime is for how long a process has a duty without renewing it. Another one takes it over after that.
const dutyTime = 15 * time.Second

// Duty is work that only one of the processes on a database does at a time. Create it with Store.Duty.
type Duty struct {
	store       *Store
	name, owner string
}

// Duty returns the duty of a name for a process, which owner identifies; empty if there are no other processes.
func (s *Store) Duty(name, owner string) Duty { return Duty{s, name, owner} }

// Held reports whether this process has the duty for now. It takes the duty when nobody has it, and renews it in
// time. It only reads while another process has it. Work may go on for a little after another process took over, so
// it must be safe to do twice.
func (d Duty) Held(ctx context.Context) (bool, error) {
	if d.owner == "" {
		return true, nil
	}
	now, err := d.store.LeaseNow(ctx)
	if err != nil {
		return false, err
	}
	if held, renew, err := d.read(ctx, now); err != nil || !renew {
		return held, err
	}
	var n int64
	err = d.store.Write(ctx, func(tx *Tx) (err error) {
		n, err = tx.execRows(ctx, `INSERT INTO leases (name, owner, until) VALUES (?, ?, ?) ON CONFLICT (name) DO UPDATE
			SET owner = excluded.owner, until = excluded.until
			WHERE leases.owner = excluded.owner OR leases.until <= ? OR leases.until > ?`,
			d.name, d.owner, Millis(now.Add(dutyTime)), Millis(now), Millis(now.Add(2*dutyTime)))
		return err
	})
	return n == 1, err
}

// read reports whether this process has the duty, and whether it should take or renew it.
func (d Duty) read(ctx context.Context, now time.Time) (held, renew bool, err error) {
	type lease struct {
		Owner string `db:"owner"`
		Until int64  `db:"until"`
	}
	l, taken, err := find[lease](ctx, d.store.Queries, `SELECT owner, until FROM leases WHERE name = ?`, d.name)
	if err != nil || !taken {
		return false, err == nil, err
	}
	expired := LeaseExpired(l.Until, now, dutyTime)
	if l.Owner != d.owner {
		return false, expired, nil
	}
	return !expired, expired || Instant(l.Until).Sub(now) < dutyTime*2/3, nil
}

// DutyCheckEvery is how often a process asks for a duty and renews it: well below the time after which another process
// takes over.
const DutyCheckEvery = 3 * time.Second

// Await returns when this process has the duty or wake receives a signal; false when the context has ended.
func (d Duty) Await(ctx context.Context, log *slog.Logger, wake <-chan struct{}) bool {
	for ctx.Err() == nil {
		held, err := d.Held(ctx)
		if held && err == nil {
			return ctx.Err() == nil
		}
		if err != nil && ctx.Err() == nil {
			log.Error("whose duty it is could not be read", "duty", d.name, "cause", err.Error())
		}
		select {
		case <-ctx.Done():
		case <-wake:
			return true
		case <-time.After(DutyCheckEvery):
		}
	}
	return false
}

// Release lets another process have the duty at once.
func (d Duty) Release(ctx context.Context) error {
	return d.store.Write(ctx, func(tx *Tx) error {
		return tx.exec(ctx, `DELETE FROM leases WHERE name = ? AND owner = ?`, d.name, d.owner)
	})
}

// Leave is Release for a process that ends, even if its context has ended. It logs a failure.
func (d Duty) Leave(ctx context.Context, log *slog.Logger) {
	if err := d.Release(context.WithoutCancel(ctx)); err != nil {
		log.Warn("a duty could not be released; another process takes over when it expires", "duty", d.name, "cause",
			err.Error())
	}
}

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
	if _, found, err := find[string](ctx, s.Queries, query, values...); err != nil || !found {
		return 0, err
	}
	err = s.Write(ctx, func(tx *Tx) (err error) {
		n, err = tx.execNamedRows(ctx, clockSetBackSQL, args)
		return err
	})
	return n, err
}
