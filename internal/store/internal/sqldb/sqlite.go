package sqldb

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"runtime"
	"slices"

	"github.com/jmoiron/sqlx"
	"github.com/mattn/go-sqlite3"

	"hearthline/migrations"
)

// sqlite is a database in one file: one connection writes, the others read.
type sqlite struct{ path string }

func (s sqlite) open(ctx context.Context) (write, read *sqlx.DB, err error) {
	if err := createPrivateFile(s.path, 0); err != nil {
		return nil, nil, err
	}
	if write, err = s.connect(ctx, false); err != nil {
		return nil, nil, err
	}
	write.SetMaxOpenConns(1)
	if read, err = s.connect(ctx, true); err != nil {
		return nil, nil, errors.Join(err, write.Close())
	}
	read.SetMaxOpenConns(max(4, runtime.NumCPU()))
	read.SetMaxIdleConns(max(4, runtime.NumCPU()))
	return write, read, nil
}

func (s sqlite) connect(ctx context.Context, readOnly bool) (*sqlx.DB, error) {
	q := url.Values{"mode": {"rw"}} // do not recreate a missing file
	for key, value := range map[string]string{
		"_journal_mode": "WAL", "_synchronous": "FULL", "_foreign_keys": "1", "_recursive_triggers": "1",
		"_busy_timeout": "2000", "_txlock": "immediate", "_secure_delete": "1", "_cache_size": "-16000",
		"_stmt_cache_size": "200",
	} {
		q.Set(key, value)
	}
	if readOnly {
		q.Set("_query_only", "1")
		q.Set("_txlock", "deferred")
	}
	return s.dial(ctx, q)
}

// dial opens the file with driver parameters.
func (s sqlite) dial(ctx context.Context, parameters url.Values) (*sqlx.DB, error) {
	db, err := sqlx.Open("sqlite3", "file:"+(&url.URL{Path: s.path}).EscapedPath()+"?"+parameters.Encode())
	if err != nil {
		return nil, err
	}
	if err := db.PingContext(ctx); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

func (s sqlite) hasData(ctx context.Context) (filled bool, err error) {
	info, err := os.Stat(s.path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && info.Size() == 0 {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	db, err := s.dial(ctx, url.Values{"mode": {"rw"}, "_query_only": {"1"}, "_busy_timeout": {"5000"}})
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return filled, db.GetContext(ctx, &filled, `SELECT count(*) > 0 FROM sqlite_master WHERE name = 'leads'`)
}

func (sqlite) dialect() migrations.Dialect { return migrations.SQLite }

func (sqlite) migrate(ctx context.Context, write *sqlx.DB) error {
	return migrations.SQLite.Up(ctx, write.DB)
}

func (sqlite) sql(query string) string { return query }

func (sqlite) values(args []any) []any { return args }

func (sqlite) snapshot() *sql.TxOptions { return nil }

// waitForOtherWriters returns at once: the transaction began with the file's only lock for writing.
func (sqlite) waitForOtherWriters(context.Context, *sqlx.Tx) error { return nil }

func (sqlite) shared() bool { return false }

func (sqlite) name() string { return "" }

func (sqlite) announce(context.Context, sqlx.ExecerContext, string) error { return errNotShared }

func (sqlite) listen(context.Context, func(), func(string)) error { return errNotShared }

var errNotShared = errors.New("store: an SQLite file is used by one portal")

func (sqlite) isUniqueViolation(err error) bool {
	e, ok := errors.AsType[sqlite3.Error](err)
	return ok && (e.ExtendedCode == sqlite3.ErrConstraintUnique || e.ExtendedCode == sqlite3.ErrConstraintPrimaryKey)
}

func (sqlite) isUnavailable(err error) bool {
	e, ok := errors.AsType[sqlite3.Error](err)
	return ok && slices.Contains([]sqlite3.ErrNo{sqlite3.ErrBusy, sqlite3.ErrLocked, sqlite3.ErrFull, sqlite3.ErrIoErr,
		sqlite3.ErrCantOpen, sqlite3.ErrReadonly}, e.Code)
}

// keepIdle does nothing: the file belongs to this process as long as it runs.
func (sqlite) keepIdle(context.Context, *sqlx.Tx) error { return nil }

// inUse opens the file for one process alone, which fails while another connection to it is open.
func (s sqlite) inUse(ctx context.Context) (used bool, err error) {
	db, err := s.dial(ctx, url.Values{"mode": {"rw"}, "_locking_mode": {"EXCLUSIVE"}, "_busy_timeout": {"0"},
		"_txlock": {"exclusive"}})
	if isBusy(err) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	tx, err := db.BeginTxx(ctx, nil)
	if isBusy(err) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	return false, tx.Rollback()
}

func (sqlite) isBusy(err error) bool { return isBusy(err) }

// isBusy reports whether a statement failed because another connection uses the file.
func isBusy(err error) bool {
	failure, ok := errors.AsType[sqlite3.Error](err)
	return ok && failure.Code == sqlite3.ErrBusy
}
