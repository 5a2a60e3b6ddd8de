package migrations

import (
	"context"
	"database/sql"
)

func createStatistics(ctx context.Context, tx *sql.Tx, d Dialect) error {
	return create(ctx, tx, d.statistics()...)
}

// statistics: the queries name their indexes where that matters.
func (sqlite) statistics() []string { return nil }

// statistics: without them the database would expect that a list of one originator in one company has few leads, and sort all
// of them instead of reading a page in order.
func (postgres) statistics() []string {
	return []string{`CREATE STATISTICS lead_owner (dependencies) ON company, originator_uuid FROM leads`}
}
