package dbcopy

const sqliteTables = `m.type = 'table' AND m.name NOT LIKE 'sqlite#_%' ESCAPE '#' AND m.name <> 'goose_db_version'`

var sqlite = dialect{
	columns: `SELECT m.name AS table_name, c.name AS column_name, c.type AS data_type, c.pk AS key_position
		FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE ` + sqliteTables,
	references: `SELECT DISTINCT m.name AS table_name, f."table" AS referenced
		FROM sqlite_master m JOIN pragma_foreign_key_list(m.name) f WHERE ` + sqliteTables,
}
