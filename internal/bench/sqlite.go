package bench

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"slices"
	"strings"

	"github.com/jmoiron/sqlx"
	_ "github.com/mattn/go-sqlite3" // the database that is written

	"hearthline/internal/store"
)

// sqlite is a database in a file.
type sqlite struct {
	path string
	db   *sqlx.DB
}

func openSQLite(path string) (sqlite, error) {
	db, err := sqlx.Open("sqlite3",
		"file:"+path+"?_synchronous=OFF&_busy_timeout=5000&_cache_size=-400000&_txlock=immediate&_stmt_cache_size=20")
	if err != nil {
		return sqlite{}, err
	}
	db.SetMaxOpenConns(1)
	return sqlite{path, db}, nil
}

// close also waits until the file is on the disk, so that the first checkpoint of a measured store does not.
func (s sqlite) close() error {
	if err := s.db.Close(); err != nil {
		return err
	}
	f, err := os.OpenFile(s.path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

func (s sqlite) exec(ctx context.Context, statement string) error {
	_, err := s.db.ExecContext(ctx, statement)
	return err
}

// dropSchema drops the triggers too.
func (s sqlite) dropSchema(ctx context.Context) (restore []string, err error) {
	var all []struct {
		Type string `db:"type"`
		Name string `db:"name"`
		SQL  string `db:"sql"`
	}
	if err := s.db.SelectContext(ctx, &all, `SELECT type, name, sql FROM sqlite_master WHERE type IN ('index', 'trigger')
		AND sql IS NOT NULL
		AND tbl_name IN (`+tables+`) ORDER BY type, name`); err != nil {
		return nil, err
	}
	for _, o := range all {
		if err := s.exec(ctx, `DROP `+o.Type+` `+o.Name); err != nil {
			return nil, err
		}
		restore = append(restore, o.SQL)
	}
	return restore, nil
}

func (s sqlite) columns(ctx context.Context, table string) (columns []string, err error) {
	return columns, s.db.SelectContext(ctx, &columns, `SELECT name FROM pragma_table_info(?) ORDER BY cid`, table)
}

// insert writes as many rows with each statement as there may be parameters.
func (s sqlite) insert(ctx context.Context, table string, columns []string, rows [][]any) error {
	tx, err := s.db.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	const maxParameters = 30_000
	one := "(" + strings.Repeat("?, ", len(columns)-1) + "?)"
	for page := range slices.Chunk(rows, min(200, maxParameters/len(columns))) {
		query := `INSERT INTO ` + table + ` (` + strings.Join(columns, ", ") + `)
			VALUES ` + strings.Repeat(one+", ", len(page)-1) + one
		if _, err := tx.ExecContext(ctx, query, slices.Concat(page...)...); err != nil {
			return errors.Join(err, tx.Rollback())
		}
	}
	return tx.Commit()
}

func (s sqlite) lastAudit(ctx context.Context) (last store.AuditEntry, err error) {
	err = s.db.GetContext(ctx, &last, `SELECT seq, mac FROM audit ORDER BY seq DESC LIMIT 1`)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return last, err
}
