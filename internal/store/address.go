package store

import (
	"context"

	"hearthline/internal/store/internal/sqldb"
)

// ErrOwnBackup is returned by Backup for a database that is backed up with its own tools.
var ErrOwnBackup = sqldb.ErrOwnBackup

// IsPostgres reports whether an address of a database is a URL of PostgreSQL and not the path of a file.
func IsPostgres(address string) bool { return sqldb.IsPostgres(address) }

// AddressForDisplay returns an address without its password.
func AddressForDisplay(address string) string { return sqldb.AddressForDisplay(address) }

// HasData reports whether the address has a database with a schema. It creates nothing.
func HasData(ctx context.Context, address string) (bool, error) { return sqldb.HasData(ctx, address) }

// InUse reports whether a portal, of this process or another, has the database at an address open.
func InUse(ctx context.Context, address string) (bool, error) { return sqldb.InUse(ctx, address) }
