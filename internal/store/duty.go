package store

import (
	"context"
	"time"
)

// dutyTime is for how long a process has a duty without renewing it. Another one takes it over after that.
const dutyTime = 15 * time.Second

// Duty is work that only one of the processes on a database does at a time. Create it with Store.Duty.
type Duty struct {
	store       *Store
	name, owner string
}

// Duty returns the duty of a name for a process, which owner identifies.
func (s *Store) Duty(name, owner string) Duty { return Duty{s, name, owner} }

// Held reports whether this process has the duty for now. It takes the duty when nobody has it, and renews it in
// time. It only reads while another process has it. Work may go on for a little after another process took over, so
// it must be safe to do twice.
func (d Duty) Held(ctx context.Context) (bool, error) {
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
	l, taken, err := find[lease](ctx, d.store.queries, `SELECT owner, until FROM leases WHERE name = ?`, d.name)
	if err != nil || !taken {
		return false, err == nil, err
	}
	expired := LeaseExpired(l.Until, now, dutyTime)
	if l.Owner != d.owner {
		return false, expired, nil
	}
	return !expired, expired || Instant(l.Until).Sub(now) < dutyTime*2/3, nil
}

// Release lets another process have the duty at once.
func (d Duty) Release(ctx context.Context) error {
	return d.store.Write(ctx, func(tx *Tx) error {
		return tx.exec(ctx, `DELETE FROM leases WHERE name = ? AND owner = ?`, d.name, d.owner)
	})
}
