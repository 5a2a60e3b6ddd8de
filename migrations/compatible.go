package migrations

import (
	"context"
	"database/sql"
	"fmt"
	"math"
)

// Oldest is the version of the schema whose programs can use a database of this program: while portals are updated one after
// another, programs of the release before use the new schema. Every later version only adds to the schema; a test checks
// it. To remove or change something, a release first stops using it. The next one raises Oldest to the newest version of
// that release, and removes it.
const Oldest = 160

// Newest is the version of the schema that this program creates.
func Newest() (int64, error) {
	all, err := steps(SQLite)
	if err != nil {
		return 0, err
	}
	last := int64(math.MinInt64)
	for _, m := range all {
		last = max(last, m.Version)
	}
	return last, nil
}

// Applied returns the version of a database's schema, and the oldest version whose programs can use it. Both are zero for
// a database without a schema, and oldest is for one from before versions were compared.
func Applied(ctx context.Context, db *sql.DB, d Dialect) (version, oldest int64, err error) {
	read := func(table, query string, into *int64) error {
		var n int
		if err := db.QueryRowContext(ctx, d.rebind(d.HasTable()), table).Scan(&n); err != nil || n == 0 {
			return err
		}
		return db.QueryRowContext(ctx, query).Scan(into)
	}
	if err = read("goose_db_version", `SELECT coalesce(max(version_id), 0) FROM goose_db_version`, &version); err == nil {
		err = read("compatibility", `SELECT oldest_schema FROM compatibility`, &oldest)
	}
	if err != nil {
		return 0, 0, fmt.Errorf("migrations: %w", err)
	}
	return version, oldest, nil
}
