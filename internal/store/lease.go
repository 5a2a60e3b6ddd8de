package store

import (
	"context"
	"time"

	"hearthline/migrations"
)

// LeaseNow returns the time by the clock that leases use. Processes that share a database use its
// clock, because the clocks of their machines differ. SQLite is used by one process, so that process's clock is enough.
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

// LeaseExpired reports whether a lease with a maximum duration has expired. A lease that ends later than that from
// now was written before the clock was set back, so its remaining time is unknown. Twice the duration is tolerated,
// so that a small correction of the clock ends no lease.
func LeaseExpired(until int64, now time.Time, lasts time.Duration) bool {
	left := Instant(until).Sub(now)
	return left <= 0 || left > 2*lasts
}
