package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"reflect"

	"github.com/jmoiron/sqlx"
	"golang.org/x/sync/errgroup"
)

// CopyOptions configure CopyTo.
type CopyOptions struct {
	Batch    int                                    // rows of one transaction; 0 for the usual number
	Progress func(table string, copied, rows int64) // called after each transaction; nil for none
}

// Copied is what CopyTo has copied.
type Copied struct {
	Tables []CopiedTable // in the order of copying
	Audit  int           // verified rows of the audit
}

// CopiedTable is a table with the number of its rows.
type CopiedTable struct {
	Name string
	Rows int64
}

// Why a database is not copied.
var (
	ErrUnfinishedCopy = errors.New("a copy into this database is not finished; run the same portal migrate --to again")
	ErrTargetNotEmpty = errors.New("the new database is not empty, and a copy never overwrites anything: choose an empty one")
	ErrSourceChanged  = errors.New("the new database has the beginning of a copy of another database, or of this one before it was changed: delete the new database and start the copy again")
	ErrSourceInUse    = errors.New("the old database is in use: stop the portal and run the command again")
	ErrOtherSchema    = errors.New("the new database has other tables than the old one: choose an empty one")
	ErrAuditBroken    = errors.New("the audit log does not verify: see portal audit verify")
)

// unfinishedCopy is the table that a database has until everything is copied into it. It names what is copied.
const unfinishedCopy = "unfinished_copy"

// seeded are the tables that have rows in an empty database too, because the migrations write them.
var seeded = map[string]bool{"installation": true}

// copying is one run of CopyTo.
type copying struct {
	source   *heldSource
	target   *Store
	tables   []table
	rows     map[string]int64 // of the source, by table
	sourceID string
	batch    int
	progress func(table string, copied, rows int64)
}

// CopyTo copies everything into an empty database of either kind, and checks that both are the same then. Meanwhile
// nobody writes to this store; nobody should afterwards, because those changes are not in the copy. After a failure at
// any moment the next call continues; until then Open returns ErrUnfinishedCopy for the target.
func (s *Store) CopyTo(ctx context.Context, address string, options CopyOptions) (copied Copied, err error) {
	if err := s.verifyAudit(ctx, &copied); err != nil {
		return Copied{}, err
	}
	target, err := connect(ctx, address, s.Options)
	if err != nil {
		return Copied{}, fmt.Errorf("the new database %s cannot be opened: %w", AddressForDisplay(address), err)
	}
	defer func() { err = errors.Join(err, target.Close()) }()
	source, err := s.hold(ctx)
	if err != nil {
		return Copied{}, err
	}
	defer func() { err = errors.Join(err, source.release()) }()
	c := &copying{source: source, target: target, batch: options.Batch, progress: options.Progress}
	if c.batch == 0 {
		c.batch = copyBatch
	}
	if c.progress == nil {
		c.progress = func(string, int64, int64) {}
	}
	if err := c.describeSource(ctx); err != nil {
		return Copied{}, err
	}
	if err := c.begin(ctx); err != nil {
		return Copied{}, err
	}
	verify := func(ctx context.Context) error { return target.verifyAudit(ctx, &copied) }
	for _, step := range []func(context.Context) error{c.copyTables, c.compare, verify, source.stillHeld, c.finish} {
		if err := step(ctx); errors.Is(err, ErrSourceChanged) {
			return Copied{}, err
		} else if err != nil {
			return Copied{}, fmt.Errorf("%w: %w", ErrUnfinishedCopy, err)
		}
	}
	for _, t := range c.tables {
		copied.Tables = append(copied.Tables, CopiedTable{t.name, c.rows[t.name]})
	}
	return copied, nil
}

func (s *Store) verifyAudit(ctx context.Context, copied *Copied) error {
	_, rows, ok, err := s.BrokenAudit(ctx)
	if err == nil && !ok {
		err = ErrAuditBroken
	}
	copied.Audit = rows
	return err
}

// heldSource is one state of a database to which nobody writes meanwhile.
type heldSource struct {
	queries
	snapshot, lock *sqlx.Tx
}

func (s *Store) hold(ctx context.Context) (*heldSource, error) {
	lock, err := s.write.BeginTxx(ctx, nil)
	if err != nil {
		return nil, errors.Join(ErrSourceInUse, err)
	}
	if err := s.engine.waitForOtherWriters(ctx, lock); err != nil {
		return nil, errors.Join(ErrSourceInUse, err, lock.Rollback())
	}
	snapshot, err := s.read.BeginTxx(ctx, s.engine.snapshot())
	if err != nil {
		return nil, errors.Join(fmt.Errorf("store: %w", err), lock.Rollback())
	}
	h := &heldSource{queries{db: snapshot, engine: s.engine, Options: s.Options}, snapshot, lock}
	if err := errors.Join(s.engine.keepIdle(ctx, lock), s.engine.keepIdle(ctx, snapshot)); err != nil {
		return nil, errors.Join(fmt.Errorf("store: %w", err), h.release())
	}
	return h, nil
}

// stillHeld returns an error when the connection that holds the lock was lost, because others may have written since.
func (h *heldSource) stillHeld(ctx context.Context) error {
	if _, err := h.lock.ExecContext(ctx, `SELECT 1`); err != nil {
		return fmt.Errorf("the connection to the old database was lost, so it may have been changed: run the command again (%w)", err)
	}
	return nil
}

func (h *heldSource) release() error {
	return errors.Join(ignoreTxDone(h.snapshot.Rollback()), ignoreTxDone(h.lock.Rollback()))
}

// describeSource lists what will be copied.
func (c *copying) describeSource(ctx context.Context) (err error) {
	if c.tables, err = c.source.tables(ctx); err != nil {
		return err
	}
	if c.rows, err = c.source.countRows(ctx, c.tables); err != nil {
		return err
	}
	head, err := c.source.AuditHead(ctx)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(fmt.Append(nil, c.tables, c.rows, head))
	c.sourceID = hex.EncodeToString(sum[:])
	return nil
}

func (q queries) countRows(ctx context.Context, tables []table) (map[string]int64, error) {
	counts := map[string]int64{}
	for _, t := range tables {
		var n int64
		if err := q.get(ctx, &n, `SELECT count(*) FROM `+quoted(t.name)); err != nil {
			return nil, err
		}
		counts[t.name] = n
	}
	return counts, nil
}

// unfinishedCopyOf returns what is copied into this database; empty when nothing is.
func (q queries) unfinishedCopyOf(ctx context.Context) (sourceID string, err error) {
	var n int
	if err := q.get(ctx, &n, q.engine.dialect().HasTable(), unfinishedCopy); err != nil || n == 0 {
		return "", err
	}
	return sourceID, q.get(ctx, &sourceID, `SELECT source FROM `+unfinishedCopy)
}

// begin prepares the target, unless an earlier call did.
func (c *copying) begin(ctx context.Context) error {
	switch begun, err := c.target.unfinishedCopyOf(ctx); {
	case err != nil || begun == c.sourceID:
		return err
	case begun != "":
		return ErrSourceChanged
	}
	if err := c.target.engine.dialect().Up(ctx, c.target.write.DB); err != nil {
		return err
	}
	tables, err := c.target.tables(ctx)
	if err != nil {
		return err
	}
	if !reflect.DeepEqual(tables, c.tables) {
		return ErrOtherSchema
	}
	rows, err := c.target.countRows(ctx, tables)
	if err != nil {
		return err
	}
	for name, n := range rows {
		if n > 0 && !seeded[name] {
			return ErrTargetNotEmpty
		}
	}
	return c.target.Write(ctx, func(tx *Tx) error {
		if err := tx.engine.beginCopy(ctx, tx.db); err != nil {
			return fmt.Errorf("store: %w", err)
		}
		for name := range seeded {
			if _, err := tx.exec(ctx, `DELETE FROM `+name); err != nil {
				return err
			}
		}
		if _, err := tx.exec(ctx, `CREATE TABLE `+unfinishedCopy+` (source TEXT NOT NULL)`); err != nil {
			return err
		}
		_, err = tx.exec(ctx, `INSERT INTO `+unfinishedCopy+` (source) VALUES (?)`, c.sourceID)
		return err
	})
}

// copyTables copies the rows of every table after those that the target has. Rows are copied in the order of their keys,
// each batch in one transaction, and no trigger writes any, so the last key in the target says how far the copy is.
func (c *copying) copyTables(ctx context.Context) error {
	copied, err := c.target.countRows(ctx, c.tables)
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

// copyTable copies the rows of a table of which the target has the first ones.
func (c *copying) copyTable(ctx context.Context, t table, copied int64) error {
	last, err := c.target.lastKey(ctx, t)
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
		c.progress(t.name, copied, c.rows[t.name])
	}
	return nil
}

// compare returns an error unless both databases have the same rows.
func (c *copying) compare(ctx context.Context) error {
	for _, t := range c.tables {
		var source, target digest
		both, ctx := errgroup.WithContext(ctx)
		both.Go(func() (err error) { source, err = c.source.digest(ctx, t); return err })
		both.Go(func() (err error) { target, err = c.target.digest(ctx, t); return err })
		if err := both.Wait(); err != nil {
			return err
		}
		if source != target {
			return fmt.Errorf("the rows of %s differ in the two databases (%d and %d): %w", t.name, source.rows, target.rows, ErrSourceChanged)
		}
	}
	return nil
}

// finish makes the target a complete database, which Open accepts.
func (c *copying) finish(ctx context.Context) error {
	return c.target.Write(ctx, func(tx *Tx) error {
		if err := tx.engine.endCopy(ctx, tx.db); err != nil {
			return fmt.Errorf("store: %w", err)
		}
		_, err := tx.exec(ctx, `DROP TABLE `+unfinishedCopy)
		return err
	})
}
