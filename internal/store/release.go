package store

import (
	"context"
	"errors"
	"fmt"

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
	newest, err := migrations.Newest()
	if err != nil {
		return err
	}
	version, oldest, err := sqldb.Applied(ctx, s.database)
	switch {
	case err != nil:
		return err
	case newest < oldest:
		return ErrReleaseTooOld
	case version < newest:
		return &OlderSchemaError{version, newest}
	}
	return nil
}

// checkRelease returns an error when this program must not use the database as it is, or must not update it because
// another process still needs the schema as it is.
func (s *Store) checkRelease(ctx context.Context) error {
	newest, err := migrations.Newest()
	if err != nil {
		return err
	}
	version, oldest, err := sqldb.Applied(ctx, s.database)
	switch {
	case err != nil:
		return err
	case newest < oldest:
		return ErrReleaseTooOld
	case oldest == 0 || version >= newest || !s.Shared():
		return nil
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
func (q queries) oldestSchema(ctx context.Context) (int64, error) {
	return get[int64](ctx, q, `SELECT oldest_schema FROM installation`)
}
