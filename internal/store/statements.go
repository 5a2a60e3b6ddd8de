package store

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"hearthline/internal/fault"
	"hearthline/internal/lead"
	"hearthline/internal/store/internal/sqldb"
)

// The spans of statements are named after the callers of the functions in this file.

// exec runs one statement.
func (q Queries) exec(ctx context.Context, query string, args ...any) error {
	_, err := q.execRows(ctx, query, args...)
	return err
}

// execEach runs statements that have the same arguments, in their order.
func (q Queries) execEach(ctx context.Context, args []any, statements ...string) error {
	for _, statement := range statements {
		if err := q.exec(ctx, statement, args...); err != nil {
			return err
		}
	}
	return nil
}

// changed is exec, and reports whether it changed a row.
func (q Queries) changed(ctx context.Context, query string, args ...any) (bool, error) {
	n, err := q.execRows(ctx, query, args...)
	return n > 0, err
}

// mustChange is exec, and returns an error if it changed no row.
func (q Queries) mustChange(ctx context.Context, otherwise error, query string, args ...any) error {
	n, err := q.execRows(ctx, query, args...)
	if err == nil && n == 0 {
		return otherwise
	}
	return err
}

// unlessTaken returns fault.Conflict with a public message for the error of a statement that would have stored a value
// that must be unique a second time, even when another transaction has just stored it, and other errors unchanged.
func (q Queries) unlessTaken(err error, message string) error {
	if q.conn.IsUniqueViolation(err) {
		return fault.Wrap(fault.Conflict, message, err)
	}
	return err
}

// execRows is exec, and returns the number of changed rows.
func (q Queries) execRows(ctx context.Context, query string, args ...any) (int64, error) {
	n, err := q.conn.Exec(ctx, query, args...)
	q.changes.statement(query, n)
	return n, err
}

// execNamed runs one statement with the fields of a struct as arguments.
func (q Queries) execNamed(ctx context.Context, query string, arg any) error {
	_, err := q.execNamedRows(ctx, query, arg)
	return err
}

// execNamedRows is execNamed, and returns the number of changed rows.
func (q Queries) execNamedRows(ctx context.Context, query string, arg any) (int64, error) {
	n, err := q.conn.ExecNamed(ctx, query, arg)
	q.changes.statement(query, n)
	return n, err
}

// insert adds a row, or several in one statement. The values of the columns are the fields of a struct, or of a
// slice of structs.
func (q Queries) insert(ctx context.Context, table, columns string, row any) error {
	return q.execNamed(ctx, insertSQL(table, columns), row)
}

// upsert is insert, or sets all columns of the row that has the same key.
func (q Queries) upsert(ctx context.Context, table, key, columns string, row any) error {
	return q.execNamed(ctx, insertSQL(table, columns)+` ON CONFLICT (`+key+`) DO UPDATE
		SET `+assignments(columns, key, "excluded."), row)
}

// update sets columns of the row with an id.
func (q Queries) update(ctx context.Context, table, id, columns string, row any) error {
	return q.execNamed(ctx, `UPDATE `+table+` SET `+assignments(columns, "", ":")+` WHERE `+id+` = :`+id, row)
}

func insertSQL(table, columns string) string {
	return `INSERT INTO ` + table + ` (` + columns + `) VALUES (:` + strings.Join(columnNames(columns), ", :") + `)`
}

// assignments returns a SET list that assigns to each column, except some, the value whose name is the prefix plus
// the column's name.
func assignments(columns, except, prefix string) string {
	var set []string
	for _, c := range columnNames(columns) {
		if !slices.Contains(columnNames(except), c) {
			set = append(set, c+" = "+prefix+c)
		}
	}
	return strings.Join(set, ", ")
}

func columnNames(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == ',' || unicode.IsSpace(r) })
}

// list reads all rows: structs by the names of their columns, or single values.
func list[R any](ctx context.Context, q Queries, query string, args ...any) ([]R, error) {
	return sqldb.List[R](ctx, q.conn, query, args...)
}

// get reads one row; fault.NotFound when there is none.
func get[R any](ctx context.Context, q Queries, query string, args ...any) (R, error) {
	return sqldb.Get[R](ctx, q.conn, query, args...)
}

// find reads one row; ok is false when there is none.
func find[R any](ctx context.Context, q Queries, query string, args ...any) (row R, ok bool, err error) {
	return sqldb.Find[R](ctx, q.conn, query, args...)
}

// findPointer is find; nil when there is no row.
func findPointer[R any](ctx context.Context, q Queries, query string, args ...any) (*R, error) {
	row, ok, err := find[R](ctx, q, query, args...)
	if err != nil || !ok {
		return nil, err
	}
	return &row, nil
}

// findOrZero is find; the zero value when there is no row.
func findOrZero[R any](ctx context.Context, q Queries, query string, args ...any) (R, error) {
	row, _, err := find[R](ctx, q, query, args...)
	return row, err
}

// mapOf reads rows of two columns, a key and its value.
func mapOf[K comparable, V any](ctx context.Context, q Queries, query string, args ...any) (map[K]V, error) {
	return sqldb.Map[K, V](ctx, q.conn, query, args...)
}

// leadRows reads rows of listColumns, the wide rows that are read most.
func (q Queries) leadRows(ctx context.Context, query string, args ...any) ([]lead.Row, error) {
	var l lead.Row
	leads, fields := make([]lead.Row, 0, PageSize+1), listFields(&l)
	err := q.conn.Each(ctx, query, args, func(scan func(into ...any) error) error {
		err := scan(fields...)
		leads = append(leads, l)
		return err
	})
	return leads, err
}

// byKey returns rows by their keys; of those with the same key, the last one.
func byKey[K comparable, R any](rows []R, key func(R) K) map[K]R {
	all := make(map[K]R, len(rows))
	for _, r := range rows {
		all[key(r)] = r
	}
	return all
}

// has reports whether a query that counts rows finds any.
func (q Queries) has(ctx context.Context, query string, args ...any) (bool, error) {
	n, err := get[int](ctx, q, query, args...)
	return n > 0, err
}
