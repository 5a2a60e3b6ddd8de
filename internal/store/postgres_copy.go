package store

import (
	"context"
	"errors"
	"time"

	"github.com/jmoiron/sqlx"
)

func (postgres) catalog() catalog {
	return catalog{
		columns: `SELECT c.table_name, c.column_name, c.data_type, coalesce(k.ordinal_position, 0) AS key_position
			FROM information_schema.columns c
			LEFT JOIN information_schema.table_constraints p ON p.table_schema = c.table_schema AND p.table_name = c.table_name AND p.constraint_type = 'PRIMARY KEY'
			LEFT JOIN information_schema.key_column_usage k ON k.constraint_schema = p.constraint_schema AND k.constraint_name = p.constraint_name AND k.table_name = c.table_name AND k.column_name = c.column_name
			WHERE c.table_schema = current_schema() AND c.table_name <> 'goose_db_version'`,
		references: `SELECT DISTINCT f.relname AS table_name, t.relname AS referenced
			FROM pg_constraint c JOIN pg_class f ON f.oid = c.conrelid JOIN pg_class t ON t.oid = c.confrelid
			JOIN pg_namespace n ON n.oid = c.connamespace WHERE c.contype = 'f' AND n.nspname = current_schema()`,
	}
}

// triggersSQL returns a query for the statements that disable or enable all triggers except those of foreign keys.
func triggersSQL(change string) string {
	return `SELECT DISTINCT 'ALTER TABLE ' || c.oid::regclass || ' ` + change + ` TRIGGER USER' FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
		JOIN pg_namespace n ON n.oid = c.relnamespace WHERE NOT t.tgisinternal AND n.nspname = current_schema()`
}

func (postgres) beginCopy(ctx context.Context, tx sqlx.ExtContext) error {
	return execEach(ctx, tx, triggersSQL("DISABLE"))
}

// endCopy also tells the planner how many rows there are now. It would otherwise learn that a minute later.
func (postgres) endCopy(ctx context.Context, tx sqlx.ExtContext) error {
	if err := execEach(ctx, tx, triggersSQL("ENABLE")); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, `ANALYZE`)
	return err
}

// keepIdle is for a copy whose other side takes long.
func (postgres) keepIdle(ctx context.Context, tx sqlx.ExtContext) error {
	for _, setting := range []string{"idle_in_transaction_session_timeout", "statement_timeout"} {
		if _, err := tx.ExecContext(ctx, `SET LOCAL `+setting+` = 0`); err != nil {
			return err
		}
	}
	return nil
}

// inUse looks for other connections with the portal's name. One that was just closed is listed for a moment.
func (p postgres) inUse(ctx context.Context) (used bool, err error) {
	db, err := p.connect(ctx, 1, nil)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	for range 20 {
		if err := db.GetContext(ctx, &used, `SELECT count(*) > 0 FROM pg_stat_activity WHERE datname = current_database()
			AND application_name = current_setting('application_name') AND pid <> pg_backend_pid()`); err != nil || !used {
			return used, err
		}
		select {
		case <-ctx.Done():
			return used, ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
	return true, nil
}
