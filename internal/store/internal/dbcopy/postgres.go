package dbcopy

var postgres = dialect{
	columns: `SELECT c.table_name, c.column_name, c.data_type, coalesce(k.ordinal_position, 0) AS key_position
		FROM information_schema.columns c
		LEFT JOIN information_schema.table_constraints p ON p.table_schema = c.table_schema AND p.table_name = c.table_name
			AND p.constraint_type = 'PRIMARY KEY'
		LEFT JOIN information_schema.key_column_usage k ON k.constraint_schema = p.constraint_schema
			AND k.constraint_name = p.constraint_name AND k.table_name = c.table_name AND k.column_name = c.column_name
		WHERE c.table_schema = current_schema() AND c.table_name <> 'goose_db_version'`,
	references: `SELECT DISTINCT f.relname AS table_name, t.relname AS referenced
		FROM pg_constraint c JOIN pg_class f ON f.oid = c.conrelid JOIN pg_class t ON t.oid = c.confrelid
		JOIN pg_namespace n ON n.oid = c.connamespace WHERE c.contype = 'f' AND n.nspname = current_schema()`,
	// Update the planner's statistics now; autovacuum would do it only a minute later.
	endCopy: `ANALYZE`,
}
