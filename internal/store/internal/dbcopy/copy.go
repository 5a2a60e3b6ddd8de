// Package dbcopy copies all rows of a database into an empty one of either kind, and compares them. It reads the
// tables from the schema, so a new table is copied without another line of code.
package dbcopy

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"reflect"

	"golang.org/x/sync/errgroup"

	"hearthline/internal/store/internal/sqldb"
)

// Options configure Copy.
type Options struct {
	Batch    int                                    // rows of one transaction; 0 for the usual number
	Progress func(table string, copied, rows int64) // called after each transaction; nil for none
}

// Table is a table with the number of its rows.
type Table struct {
	Name string
	Rows int64
}

// Why a database is not copied.
var (
	ErrUnfinished     = errors.New("a copy into this database is not finished; run the same portal migrate --to again")
	ErrTargetNotEmpty = errors.New("the new database is not empty, and a copy never overwrites anything: " +
		"choose an empty one")
	ErrSourceChanged = errors.New("the new database has the beginning of a copy of another database, " +
		"or of this one before it was changed: delete the new database and start the copy again")
	ErrSourceInUse = errors.New("the old database is in use: stop the portal and run the command again")
	ErrOtherSchema = errors.New("the new database has other tables than the old one: choose an empty one")
)

// unfinishedCopy is the table that a database has until everything is copied into it. It names what is copied.
const unfinishedCopy = "unfinished_copy"

// seeded are the tables that have rows in an empty database too, because the migrations write them.
var seeded = map[string]bool{"installation": true}

// copying is one run of Copy.
type copying struct {
	source   *sqldb.Held
	database *sqldb.DB  // the target
	target   sqldb.Conn // and its readers
	tables   []table
	rows     map[string]int64 // of the source, by table
	sourceID string
	Options
}

// Copy copies everything into an empty database, and then checks that the two are identical. Nobody can write to the
// source during the copy, and nobody should write to it afterward, because those changes would not be in the copy.
// verify checks the copy before it is complete. After a failure at any moment the next call continues; until then
// Unfinished returns what is copied into the target.
func Copy(ctx context.Context, from, to *sqldb.DB, options Options,
	verify func(ctx context.Context) error) (copied []Table, err error) {
	source, err := sqldb.Hold(ctx, from)
	if err != nil {
		return nil, errors.Join(ErrSourceInUse, err)
	}
	defer func() { err = errors.Join(err, source.Release()) }()
	c := &copying{source: source, database: to, target: sqldb.Readers(to), Options: options}
	if c.Batch == 0 {
		c.Batch = copyBatch
	}
	if c.Progress == nil {
		c.Progress = func(string, int64, int64) {}
	}
	if err := c.describeSource(ctx); err != nil {
		return nil, err
	}
	if err := c.begin(ctx); err != nil {
		return nil, err
	}
	for _, step := range []func(context.Context) error{c.copyTables, c.compare, verify, c.checkSource, c.finish} {
		if err := step(ctx); errors.Is(err, ErrSourceChanged) {
			return nil, err
		} else if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrUnfinished, err)
		}
	}
	for _, t := range c.tables {
		copied = append(copied, Table{t.name, c.rows[t.name]})
	}
	return copied, nil
}

// checkSource returns an error when others may have written to the source.
func (c *copying) checkSource(ctx context.Context) error {
	if err := c.source.Check(ctx); err != nil {
		return fmt.Errorf("the connection to the old database was lost, so it may have been changed: "+
			"run the command again (%w)", err)
	}
	return nil
}

// describeSource lists what will be copied.
func (c *copying) describeSource(ctx context.Context) (err error) {
	if c.tables, err = tablesIn(ctx, c.source.Conn); err != nil {
		return err
	}
	if c.rows, err = countRows(ctx, c.source.Conn, c.tables); err != nil {
		return err
	}
	head, _, err := sqldb.Find[string](ctx, c.source.Conn, `SELECT mac FROM audit ORDER BY seq DESC LIMIT 1`)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(fmt.Appendln(nil, c.tables, c.rows, head))
	c.sourceID = hex.EncodeToString(sum[:])
	return nil
}

func countRows(ctx context.Context, c sqldb.Conn, tables []table) (map[string]int64, error) {
	counts := map[string]int64{}
	for _, t := range tables {
		n, err := sqldb.Get[int64](ctx, c, `SELECT count(*) FROM `+quoted(t.name))
		if err != nil {
			return nil, err
		}
		counts[t.name] = n
	}
	return counts, nil
}

// Unfinished returns the id of the source that is being copied into a database; empty if there is none.
func Unfinished(ctx context.Context, c sqldb.Conn) (sourceID string, err error) {
	n, err := sqldb.Get[int](ctx, c, c.Dialect().HasTable(), unfinishedCopy)
	if err != nil || n == 0 {
		return "", err
	}
	return sqldb.Get[string](ctx, c, `SELECT source FROM `+unfinishedCopy)
}

// begin prepares the target, unless an earlier call did.
func (c *copying) begin(ctx context.Context) error {
	switch begun, err := Unfinished(ctx, c.target); {
	case err != nil || begun == c.sourceID:
		return err
	case begun != "":
		return ErrSourceChanged
	}
	if err := sqldb.Migrate(ctx, c.database); err != nil {
		return err
	}
	tables, err := tablesIn(ctx, c.target)
	if err != nil {
		return err
	}
	if !reflect.DeepEqual(tables, c.tables) {
		return ErrOtherSchema
	}
	rows, err := countRows(ctx, c.target, tables)
	if err != nil {
		return err
	}
	for name, n := range rows {
		if n > 0 && !seeded[name] {
			return ErrTargetNotEmpty
		}
	}
	return sqldb.Write(ctx, c.database, func(tx sqldb.Conn) error {
		for name := range seeded {
			if _, err := tx.Exec(ctx, `DELETE FROM `+name); err != nil {
				return err
			}
		}
		if _, err := tx.Exec(ctx, `CREATE TABLE `+unfinishedCopy+` (source TEXT NOT NULL)`); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `INSERT INTO `+unfinishedCopy+` (source) VALUES (?)`, c.sourceID)
		return err
	})
}

// copyTables copies the rows of every table after those that the target has. Rows are copied in the order of their
// keys, each batch in one transaction, and no trigger writes any, so the last key in the target says how far the copy
// is.
func (c *copying) copyTables(ctx context.Context) error {
	copied, err := countRows(ctx, c.target, c.tables)
	if err != nil {
		return err
	}
	for _, t := range c.tables {
		if err := c.copyTable(ctx, t, copied[t.name]); err != nil {
			return err
		}
	}
	return nil
}

// copyTable copies the rest of a table's rows; the target already has the first ones.
func (c *copying) copyTable(ctx context.Context, t table, copied int64) error {
	last, err := lastKey(ctx, c.target, t)
	if err != nil {
		return err
	}
	for copied < c.rows[t.name] {
		n, key, err := c.copyRows(ctx, t, last)
		if err != nil {
			return err
		}
		if n == 0 {
			return fmt.Errorf("%s: %w", t.name, ErrSourceChanged) // the target has rows that the source does not have
		}
		copied, last = copied+n, key
		c.Progress(t.name, copied, c.rows[t.name])
	}
	return nil
}

// compare returns an error unless both databases have the same rows.
func (c *copying) compare(ctx context.Context) error {
	for _, t := range c.tables {
		var source, target digest
		both, ctx := errgroup.WithContext(ctx)
		both.Go(func() (err error) { source, err = digestOf(ctx, c.source.Conn, t); return err })
		both.Go(func() (err error) { target, err = digestOf(ctx, c.target, t); return err })
		if err := both.Wait(); err != nil {
			return err
		}
		if source != target {
			return fmt.Errorf("the rows of %s differ in the two databases (%d and %d): %w",
				t.name, source.rows, target.rows, ErrSourceChanged)
		}
	}
	return nil
}

// finish makes the target a complete database, which Open accepts.
func (c *copying) finish(ctx context.Context) error {
	return sqldb.Write(ctx, c.database, func(tx sqldb.Conn) error {
		if end := dialectOf(tx).endCopy; end != "" {
			if _, err := tx.Exec(ctx, end); err != nil {
				return err
			}
		}
		_, err := tx.Exec(ctx, `DROP TABLE `+unfinishedCopy)
		return err
	})
}
