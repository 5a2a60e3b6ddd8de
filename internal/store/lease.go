package store

import (
	"context"
	"time"

	"hearthline/migrations"
)

// LeaseNow returns the time by the clock that leases are measured with. Processes that share a database share its
// clock, because those of their machines differ. SQLite is used by one process and has no other clock.
func (q queries) LeaseNow(ctx context.Context) (time.Time, error) {
	switch {
	case q.LeaseClock != nil:
		return q.LeaseClock(), nil
	case q.conn.Dialect() != migrations.Postgres:
		return q.now(), nil
	}
	ms, err := get[int64](ctx, q, `SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)`)
	return Instant(ms), err
}

// LeaseExpired reports whether a lease has ended that lasts at most for a time after it was written. One that ends
// later than that was written before the clock was set back, and nobody knows how much is left of it. Twice the time is
// tolerated, so that a small correction of the clock ends no lease.
func LeaseExpired(until int64, now time.Time, lasts time.Duration) bool {
	left := Instant(until).Sub(now)
	return left <= 0 || left > 2*lasts
}
