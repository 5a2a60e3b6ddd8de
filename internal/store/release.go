package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"hearthline/internal/store/internal/sqldb"
	"hearthline/migrations"
)

// ErrReleaseTooOld is returned when a newer release has updated the database and this one can no longer use it.
var ErrReleaseTooOld = errors.New("store: this release of Hearthline is too old for the database, " +
	"which a newer release has updated: start the newer one")

// ErrNoDatabase is returned when the database at an address is missing or empty.
var ErrNoDatabase = errors.New("store: there is no database")

// OlderSchemaError is returned for a database of an earlier release that a command must not migrate.
type OlderSchemaError struct{ Version, Newest int64 }

func (e *OlderSchemaError) Error() string {
	return fmt.Sprintf("store: the database has the schema of an earlier release (%d; this one has %d)", e.Version,
		e.Newest)
}

// checkUnchanged returns an error when this program cannot use the database without migrating it.
func (s *Store) checkUnchanged(ctx context.Context) error {
	if err := s.checkComplete(ctx); err != nil {
		return err
	}
	newest, version, _, err := s.schemas(ctx)
	if err == nil && version < newest {
		err = &OlderSchemaError{version, newest}
	}
	return err
}

// schemas returns the newest version of the schema that this program knows, that of the database, and the oldest whose
// programs can use the database. It returns ErrReleaseTooOld if this program cannot.
func (s *Store) schemas(ctx context.Context) (newest, version, oldest int64, err error) {
	if newest, err = migrations.Newest(); err != nil {
		return 0, 0, 0, err
	}
	version, oldest, err = sqldb.Applied(ctx, s.database)
	if err == nil && newest < oldest {
		err = ErrReleaseTooOld
	}
	return newest, version, oldest, err
}

// checkRelease returns an error when this program must not use the database as it is, or must not update it because
// another process still needs the schema as it is.
func (s *Store) checkRelease(ctx context.Context) error {
	newest, version, oldest, err := s.schemas(ctx)
	if err != nil || oldest == 0 || version >= newest || !s.Shared() {
		return err
	}
	all, err := s.Replicas(ctx)
	if err != nil {
		return err
	}
	for _, r := range all {
		if r.NewestSchema < migrations.Oldest {
			return fmt.Errorf("store: %s still runs Hearthline %s on this database, "+
				"and this release cannot be used beside it: stop it first", r.Name, r.Version)
		}
	}
	return nil
}

// raiseOldest records which programs can use the database after an update.
func (s *Store) raiseOldest(ctx context.Context) error {
	oldest, err := s.oldestSchema(ctx)
	if err != nil || oldest >= migrations.Oldest {
		return err
	}
	return s.Write(ctx, func(tx *Tx) error {
		return tx.exec(ctx, `UPDATE installation SET oldest_schema = ? WHERE oldest_schema < ?`,
			migrations.Oldest, migrations.Oldest)
	})
}

// oldestSchema returns the oldest version of the schema whose programs can use the database.
func (q Queries) oldestSchema(ctx context.Context) (int64, error) {
	return get[int64](ctx, q, `SELECT oldest_schema FROM installation`)
}

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
		if err := cmp.Or(
			tx.exec(ctx, `DELETE FROM replicas WHERE seen_at < ?`, Millis(now.Add(-replicaKept))),
			tx.upsert(ctx, "replicas", "name", `name, version, newest_schema, seen_at`,
				Replica{Name: name, Version: version, NewestSchema: newest, SeenAt: Millis(now)}),
		); err != nil {
			return err
		}
		all, err = tx.Replicas(ctx)
		return err
	})
	return all, err
}

// Replicas lists the processes that serve the portal.
func (q Queries) Replicas(ctx context.Context) ([]Replica, error) {
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

const (
	staticFilesRenewed = 24 * time.Hour
	staticFilesKept    = 30 * 24 * time.Hour // after the last start of a release that has them
)

// SaveStaticFiles keeps the style sheets and scripts of this release, by URL, for the portals of other releases on the
// database. It deletes those of releases that were last started long ago.
func (s *Store) SaveStaticFiles(ctx context.Context, files map[string][]byte) error {
	now := s.now()
	fresh, err := list[string](ctx, s.Queries, `SELECT url FROM static_files WHERE used_at > ?`,
		Millis(now.Add(-staticFilesRenewed)))
	if err != nil {
		return err
	}
	missing := maps.Clone(files)
	for _, url := range fresh {
		delete(missing, url)
	}
	if len(missing) == 0 {
		return nil
	}
	return s.Write(ctx, func(tx *Tx) error {
		if err := tx.exec(ctx, `DELETE FROM static_files WHERE used_at < ?`, Millis(now.Add(-staticFilesKept))); err != nil {
			return err
		}
		for _, url := range slices.Sorted(maps.Keys(missing)) {
			if err := tx.exec(ctx, `INSERT INTO static_files (url, body, used_at) VALUES (?, ?, ?) ON CONFLICT (url) DO UPDATE
				SET used_at = excluded.used_at`,
				url, files[url], Millis(now)); err != nil {
				return err
			}
		}
		return nil
	})
}

// StaticFile returns what SaveStaticFiles kept, or a NotFound error.
func (q Queries) StaticFile(ctx context.Context, url string) ([]byte, error) {
	return get[[]byte](ctx, q, `SELECT body FROM static_files WHERE url = ?`, url)
}
