package dbcopy

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"fmt"
	"hash"
	"slices"
	"strings"

	"hearthline/internal/store/internal/sqldb"
)

const (
	copyBatch   = 5_000  // rows that are copied in one transaction
	copyArgs    = 10_000 // arguments of one statement, fewer than either database allows
	copiedBytes = 8 << 20
)

// row are the values of a row, in the order of the table's columns: int64, string, []byte or nil.
type row []any

// readRows reads columns of rows and calls f for each row. f may keep the values.
func readRows(ctx context.Context, c sqldb.Conn, t table, columns []int, end string, args []any,
	f func(row) error) error {
	query := `SELECT ` + t.names(columns, "") + ` FROM ` + quoted(t.name) + end
	err := c.Each(ctx, query, args, func(scan func(into ...any) error) error {
		r, err := t.scan(scan, columns)
		if err != nil {
			return err
		}
		return f(r)
	})
	if err != nil {
		return fmt.Errorf("%s: %w", t.name, err)
	}
	return nil
}

// scan reads the values by the kinds of their columns: SQLite alone would accept others.
func (t table) scan(scan func(into ...any) error, columns []int) (row, error) {
	into := make([]any, len(columns))
	for i, c := range columns {
		switch t.columns[c].kind {
		case numberValue:
			into[i] = &sql.NullInt64{}
		case textValue:
			into[i] = &sql.NullString{}
		case bytesValue:
			into[i] = &[]byte{}
		}
	}
	if err := scan(into...); err != nil {
		return nil, err
	}
	r := make(row, len(into))
	for i, value := range into {
		switch value := value.(type) {
		case *sql.NullInt64:
			if value.Valid {
				r[i] = value.Int64
			}
		case *sql.NullString:
			if value.Valid {
				r[i] = value.String
			}
		case *[]byte:
			if *value != nil {
				r[i] = *value
			}
		}
	}
	return r, nil
}

// lastKey returns the key of the last row of a table in the order of its key; nil for an empty table.
func lastKey(ctx context.Context, c sqldb.Conn, t table) (last row, err error) {
	err = readRows(ctx, c, t, t.key, ` ORDER BY `+t.names(t.key, " DESC")+` LIMIT 1`, nil, func(r row) error {
		last = r
		return nil
	})
	return last, err
}

// copyRows copies the next rows after a key in one transaction of the target, and returns how many there were and the
// key of the last one.
func (c *copying) copyRows(ctx context.Context, t table, after row) (n int64, last row, err error) {
	end, args := ` ORDER BY `+t.names(t.key, "")+` LIMIT ?`, []any{c.Batch}
	if after != nil {
		end = ` WHERE (` + t.names(t.key, "") + `) > (` + marks(len(t.key)) + `)` + end
		args = slices.Concat(after, args)
	}
	last = after
	err = sqldb.Write(ctx, c.database, func(tx sqldb.Conn) error {
		limit := copyArgs / len(t.columns)
		insert := inserter{tx: tx, table: t, limit: limit}
		if err := readRows(ctx, c.source.Conn, t, t.all(), end, args, func(r row) error {
			n++
			last = pick(r, t.key)
			return insert.add(ctx, r)
		}); err != nil {
			return err
		}
		return insert.flush(ctx)
	})
	return n, last, err
}

func pick(r row, columns []int) row {
	some := make(row, len(columns))
	for i, c := range columns {
		some[i] = r[c]
	}
	return some
}

func marks(n int) string { return strings.TrimSuffix(strings.Repeat("?, ", n), ", ") }

// inserter writes rows, many with one statement.
type inserter struct {
	tx    sqldb.Conn
	table table
	limit int // rows of one statement
	args  []any
	rows  int
	bytes int
}

func (i *inserter) add(ctx context.Context, r row) error {
	i.args = append(i.args, r...)
	i.rows++
	for _, value := range r {
		if b, ok := value.([]byte); ok {
			i.bytes += len(b)
		}
	}
	if i.rows < i.limit && i.bytes < copiedBytes {
		return nil
	}
	return i.flush(ctx)
}

func (i *inserter) flush(ctx context.Context) error {
	if i.rows == 0 {
		return nil
	}
	one := `(` + marks(len(i.table.columns)) + `)`
	// The values are not adapted to the target: a copy that differs in one byte is none, and the audit's MACs cover its
	// texts.
	_, err := i.tx.ExecExact(ctx, `INSERT INTO `+quoted(i.table.name)+` (`+i.table.names(i.table.all(), "")+`) VALUES `+
		one+strings.Repeat(`, `+one, i.rows-1), i.args...)
	i.args, i.rows, i.bytes = i.args[:0], 0, 0
	if err != nil {
		return fmt.Errorf("the rows of %s are refused: %w", i.table.name, err)
	}
	return nil
}

// digest identifies the content of a table.
type digest struct {
	rows int64
	sum  [sha256.Size]byte
}

// digestOf reads a whole table in the order of its key.
func digestOf(ctx context.Context, c sqldb.Conn, t table) (d digest, err error) {
	h := sha256.New()
	err = readRows(ctx, c, t, t.all(), ` ORDER BY `+t.names(t.key, ""), nil, func(r row) error {
		d.rows++
		for _, value := range r {
			hashValue(h, value)
		}
		return nil
	})
	h.Sum(d.sum[:0])
	return d, err
}

// hashValue adds a value with its kind and length, so that no two different rows have the same bytes.
func hashValue(h hash.Hash, value any) {
	var b []byte
	switch value := value.(type) {
	case nil:
		b = []byte{'n'}
	case int64:
		b = binary.BigEndian.AppendUint64([]byte{'i'}, uint64(value)) //nolint:gosec // only its bits
	case string:
		b = append(binary.BigEndian.AppendUint64([]byte{'t'}, uint64(len(value))), value...)
	case []byte:
		b = append(binary.BigEndian.AppendUint64([]byte{'b'}, uint64(len(value))), value...)
	}
	_, _ = h.Write(b)
}
