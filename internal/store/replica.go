package store

import (
	"context"
	"time"

	"hearthline/migrations"
)

const (
	// ReplicaReports is how often a process that serves the portal reports.
	ReplicaReports = 5 * time.Second
	replicaLost    = 4 * ReplicaReports // without a report, it is taken for ended
	replicaKept    = 24 * time.Hour
)

// Replica is a process that serves the portal.
type Replica struct {
	Name    string `db:"name"`
	Version string `db:"version"`
	SeenAt  int64  `db:"seen_at"` // its last report

	NewestSchema int64 `db:"newest_schema"` // the newest version of the schema that it knows
}

// ReportReplica records that a process serves the portal, and lists all that do. It returns ErrReleaseTooOld when
// another process has updated the database to a schema that this one cannot use.
func (s *Store) ReportReplica(ctx context.Context, name, version string) (all []Replica, err error) {
	newest, err := migrations.Newest()
	if err != nil {
		return nil, err
	}
	err = s.Write(ctx, func(tx *Tx) error {
		now, err := tx.LeaseNow(ctx)
		if err != nil {
			return err
		}
		if oldest, err := tx.oldestSchema(ctx); err != nil {
			return err
		} else if newest < oldest {
			return ErrReleaseTooOld
		}
		if err := tx.exec(ctx, `DELETE FROM replicas WHERE seen_at < ?`, Millis(now.Add(-replicaKept))); err != nil {
			return err
		}
		err = tx.exec(ctx, `INSERT INTO replicas (name, version, newest_schema, seen_at) VALUES (?, ?, ?, ?)
			ON CONFLICT (name) DO UPDATE SET version = excluded.version, newest_schema = excluded.newest_schema,
			seen_at = excluded.seen_at`,
			name, version, newest, Millis(now))
		if err != nil {
			return err
		}
		all, err = tx.Replicas(ctx)
		return err
	})
	return all, err
}

// Replicas lists the processes that serve the portal.
func (q queries) Replicas(ctx context.Context) ([]Replica, error) {
	now, err := q.LeaseNow(ctx)
	if err != nil {
		return nil, err
	}
	return list[Replica](ctx, q, `SELECT name, version, newest_schema, seen_at FROM replicas WHERE seen_at > ?
		ORDER BY name`, Millis(now.Add(-replicaLost)))
}

// RemoveReplica records that a process no longer serves the portal.
func (s *Store) RemoveReplica(ctx context.Context, name string) error {
	return s.Write(ctx, func(tx *Tx) error {
		return tx.exec(ctx, `DELETE FROM replicas WHERE name = ?`, name)
	})
}
