package migrations

import (
	"context"
	"database/sql"
	"fmt"
)

// trigger runs statements for each row that a statement changes.
type trigger struct {
	name string
	on   string // such as AFTER UPDATE OF lane ON leads
	when string // a condition on OLD and NEW; empty for always
	do   string // statements that both databases read, each with its semicolon
}

// guard refuses a change.
type guard struct {
	name    string
	on      string // such as BEFORE UPDATE ON audit
	when    string // a condition on OLD and NEW, with subqueries; empty for always
	message string
}

// createTriggers creates triggers.
func createTriggers(ctx context.Context, tx *sql.Tx, d Dialect, all ...trigger) error {
	for _, t := range all {
		if err := create(ctx, tx, d.trigger(t)); err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
	}
	return nil
}
