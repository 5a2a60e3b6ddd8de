package dbcopy

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"hearthline/internal/store/internal/sqldb"
	"hearthline/migrations"
)

// dialect is what copying needs to know about a kind of database.
type dialect struct {
	// the query for a catalogColumn of each column, without what belongs to the migrations or to the database program
	columns    string
	references string // the query for a catalogReference of each reference
	// endCopy is the statement to run after the last row, if any
	endCopy string
}

func dialectOf(c sqldb.Conn) dialect {
	if c.Dialect() == migrations.Postgres {
		return postgres
	}
	return sqlite
}

type catalogColumn struct {
	TableName   string `db:"table_name"`
	ColumnName  string `db:"column_name"`
	DataType    string `db:"data_type"`
	KeyPosition int    `db:"key_position"` // from 1; 0 outside the primary key
}

type catalogReference struct {
	TableName  string `db:"table_name"`
	Referenced string `db:"referenced"`
}

// table is a table of the schema. It is the same in both databases.
type table struct {
	name    string
	columns []column // by name
	key     []int    // the columns of the primary key; all columns where there is none
}

type column struct {
	name string
	kind valueKind
}

// valueKind is how the values of a column are read and written.
type valueKind string

const (
	numberValue valueKind = "number"
	textValue   valueKind = "text"
	bytesValue  valueKind = "bytes"
)

// kindOf returns the kind of a column's type, in the words of either database.
func kindOf(dataType string) (valueKind, error) {
	switch strings.ToUpper(dataType) {
	case "INTEGER", "BIGINT":
		return numberValue, nil
	case "TEXT":
		return textValue, nil
	case "BLOB", "BYTEA":
		return bytesValue, nil
	default:
		return "", fmt.Errorf("store: columns of type %q cannot be copied", dataType)
	}
}

// names lists columns for a query, each with an ending.
func (t table) names(columns []int, ending string) string {
	all := make([]string, len(columns))
	for i, c := range columns {
		all[i] = quoted(t.columns[c].name) + ending
	}
	return strings.Join(all, ", ")
}

func (t table) all() []int {
	columns := make([]int, len(t.columns))
	for i := range columns {
		columns[i] = i
	}
	return columns
}

// quoted returns a name that may be a word of SQL.
func quoted(name string) string { return `"` + name + `"` }

// tablesIn returns all tables of the schema, each after those that it references.
func tablesIn(ctx context.Context, c sqldb.Conn) ([]table, error) {
	columns, err := sqldb.List[catalogColumn](ctx, c, dialectOf(c).columns)
	if err != nil {
		return nil, err
	}
	references, err := sqldb.List[catalogReference](ctx, c, dialectOf(c).references)
	if err != nil {
		return nil, err
	}
	tables, err := tablesOf(columns)
	if err != nil {
		return nil, err
	}
	return inOrder(tables, references)
}

// tablesOf returns the tables by name.
func tablesOf(columns []catalogColumn) ([]table, error) {
	slices.SortFunc(columns, func(a, b catalogColumn) int {
		return cmp.Or(strings.Compare(a.TableName, b.TableName), strings.Compare(a.ColumnName, b.ColumnName))
	})
	var tables []table
	positions := map[string]int{} // in the primary keys, by table and column
	for _, c := range columns {
		kind, err := kindOf(c.DataType)
		if err != nil {
			return nil, err
		}
		if len(tables) == 0 || tables[len(tables)-1].name != c.TableName {
			tables = append(tables, table{name: c.TableName})
		}
		t := &tables[len(tables)-1]
		if c.KeyPosition > 0 {
			t.key = append(t.key, len(t.columns))
		}
		t.columns = append(t.columns, column{c.ColumnName, kind})
		positions[c.TableName+"."+c.ColumnName] = c.KeyPosition
	}
	for i, t := range tables {
		slices.SortFunc(t.key, func(a, b int) int {
			return positions[t.name+"."+t.columns[a].name] - positions[t.name+"."+t.columns[b].name]
		})
		if t.key == nil {
			tables[i].key = t.all()
		}
	}
	return tables, nil
}

// inOrder moves tables behind those that they reference.
func inOrder(tables []table, references []catalogReference) ([]table, error) {
	var ordered []table
	placed := map[string]bool{}
	waits := func(t table) bool {
		return slices.ContainsFunc(references, func(r catalogReference) bool {
			return r.TableName == t.name && !placed[r.Referenced]
		})
	}
	for len(ordered) < len(tables) {
		before := len(ordered)
		for _, t := range tables {
			if !placed[t.name] && !waits(t) {
				placed[t.name] = true
				ordered = append(ordered, t)
			}
		}
		if len(ordered) == before {
			return nil, errors.New("store: tables reference each other in a circle, " +
				"so they have no order in which they can be copied")
		}
	}
	return ordered, nil
}

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

const sqliteTables = `m.type = 'table' AND m.name NOT LIKE 'sqlite#_%' ESCAPE '#' AND m.name <> 'goose_db_version'`

var sqlite = dialect{
	columns: `SELECT m.name AS table_name, c.name AS column_name, c.type AS data_type, c.pk AS key_position
		FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE ` + sqliteTables,
	references: `SELECT DISTINCT m.name AS table_name, f."table" AS referenced
		FROM sqlite_master m JOIN pragma_foreign_key_list(m.name) f WHERE ` + sqliteTables,
}
