package store

import (
	"context"
	"errors"
	"net/url"

	"github.com/jmoiron/sqlx"
	"github.com/mattn/go-sqlite3"
)

func (sqlite) catalog() catalog {
	const tables = `m.type = 'table' AND m.name NOT LIKE 'sqlite#_%' ESCAPE '#' AND m.name <> 'goose_db_version'`
	return catalog{
		columns: `SELECT m.name AS table_name, c.name AS column_name, c.type AS data_type, c.pk AS key_position
			FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE ` + tables,
		references: `SELECT DISTINCT m.name AS table_name, f."table" AS referenced
			FROM sqlite_master m JOIN pragma_foreign_key_list(m.name) f WHERE ` + tables,
	}
}

// stoppedTriggers is the table that holds the triggers which beginCopy has dropped: SQLite cannot disable them.
const stoppedTriggers = "stopped_triggers"

func (sqlite) beginCopy(ctx context.Context, tx sqlx.ExtContext) error {
	if _, err := tx.ExecContext(ctx, `CREATE TABLE `+stoppedTriggers+` AS SELECT name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY rowid`); err != nil {
		return err
	}
	return execEach(ctx, tx, `SELECT 'DROP TRIGGER "' || name || '"' FROM `+stoppedTriggers)
}

// endCopy creates the triggers in their earlier order, in which they also run.
func (sqlite) endCopy(ctx context.Context, tx sqlx.ExtContext) error {
	if err := execEach(ctx, tx, `SELECT sql FROM `+stoppedTriggers+` ORDER BY rowid`); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, `DROP TABLE `+stoppedTriggers)
	return err
}

// keepIdle does nothing: the file belongs to this process as long as it runs.
func (sqlite) keepIdle(context.Context, sqlx.ExtContext) error { return nil }

// inUse opens the file for one process alone, which fails while another connection to it is open.
func (s sqlite) inUse(ctx context.Context) (used bool, err error) {
	db, err := sqlx.Open("sqlite3", "file:"+(&url.URL{Path: s.path}).EscapedPath()+"?_locking_mode=EXCLUSIVE&_busy_timeout=0&_txlock=exclusive")
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	tx, err := db.BeginTxx(ctx, nil)
	if failure, ok := errors.AsType[sqlite3.Error](err); ok && failure.Code == sqlite3.ErrBusy {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	return false, tx.Rollback()
}
