package migrations

import (
	"context"
	"database/sql"
	_ "embed"
)

// lists is the schema of version listsVersion.
//
//go:embed lists.sql
var lists string

const listsVersion = 121

func createLists(ctx context.Context, tx *sql.Tx) error {
	if _, err := tx.ExecContext(ctx, lists); err != nil {
		return err
	}
	return createCountTriggers(ctx, tx, "company_lead_counts", "company, lane")
}
