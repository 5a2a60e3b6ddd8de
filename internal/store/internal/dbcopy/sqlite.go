package dbcopy

import (
	"context"

	"hearthline/internal/store/internal/sqldb"
)

const sqliteTables = `m.type = 'table' AND m.name NOT LIKE 'sqlite#_%' ESCAPE '#' AND m.name <> 'goose_db_version'`

// stoppedTriggers is the table that holds the triggers which beginCopy has dropped: SQLite cannot disable them.
const stoppedTriggers = "stopped_triggers"

var sqlite = dialect{
	columns: `SELECT m.name AS table_name, c.name AS column_name, c.type AS data_type, c.pk AS key_position
		FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE ` + sqliteTables,
	references: `SELECT DISTINCT m.name AS table_name, f."table" AS referenced
		FROM sqlite_master m JOIN pragma_foreign_key_list(m.name) f WHERE ` + sqliteTables,
	beginCopy: func(ctx context.Context, tx sqldb.Conn) error {
		_, err := tx.Exec(ctx, `CREATE TABLE `+stoppedTriggers+` AS SELECT name, sql FROM sqlite_master WHERE type = 'trigger'
			ORDER BY rowid`)
		if err != nil {
			return err
		}
		return execEach(ctx, tx, `SELECT 'DROP TRIGGER "' || name || '"' FROM `+stoppedTriggers)
	},
	// endCopy creates the triggers in their earlier order, in which they also run.
	endCopy: func(ctx context.Context, tx sqldb.Conn) error {
		if err := execEach(ctx, tx, `SELECT sql FROM `+stoppedTriggers+` ORDER BY rowid`); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `DROP TABLE `+stoppedTriggers)
		return err
	},
}
