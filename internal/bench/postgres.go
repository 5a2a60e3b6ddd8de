package bench

import (
	"context"
	"errors"
	"reflect"

	"github.com/jackc/pgx/v5"

	"hearthline/internal/store"
)

// postgres is a database of a server.
type postgres struct{ conn *pgx.Conn }

func openPostgres(ctx context.Context, address string) (postgres, error) {
	conn, err := pgx.Connect(ctx, address)
	return postgres{conn}, err
}

func (p postgres) close() error { return p.conn.Close(context.Background()) }

func (p postgres) exec(ctx context.Context, statement string) error {
	_, err := p.conn.Exec(ctx, statement)
	return err
}

// dropSchema keeps the indexes of primary and unique keys.
func (p postgres) dropSchema(ctx context.Context) (restore []string, err error) {
	statements := func(query string) (all []string, err error) {
		rows, err := p.conn.Query(ctx, query)
		if err != nil {
			return nil, err
		}
		return pgx.CollectRows(rows, pgx.RowTo[string])
	}
	const index = ` FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid JOIN pg_namespace n ON n.oid = t.relnamespace
		WHERE n.nspname = current_schema() AND t.relname IN (` + tables + `)
			AND NOT EXISTS (SELECT 1 FROM pg_constraint c WHERE c.conindid = i.indexrelid) ORDER BY 1`
	const triggers = ` FROM pg_trigger g JOIN pg_class t ON t.oid = g.tgrelid JOIN pg_namespace n ON n.oid = t.relnamespace
		WHERE n.nspname = current_schema() AND t.relname IN (` + tables + `) AND NOT g.tgisinternal ORDER BY 1`
	drop, err := statements(`SELECT 'DROP INDEX ' || i.indexrelid::regclass` + index)
	create, err1 := statements(`SELECT pg_get_indexdef(i.indexrelid)` + index)
	stop, err2 := statements(`SELECT DISTINCT 'ALTER TABLE ' || t.oid::regclass || ' DISABLE TRIGGER USER'` + triggers)
	start, err3 := statements(`SELECT DISTINCT 'ALTER TABLE ' || t.oid::regclass || ' ENABLE TRIGGER USER'` + triggers)
	if err := errors.Join(err, err1, err2, err3); err != nil {
		return nil, err
	}
	for _, statement := range append(drop, stop...) {
		if err := p.exec(ctx, statement); err != nil {
			return nil, err
		}
	}
	return append(append(create, start...), `VACUUM (ANALYZE)`), nil // as a server does in time
}

func (p postgres) columns(ctx context.Context, table string) ([]string, error) {
	rows, err := p.conn.Query(ctx, `SELECT column_name FROM information_schema.columns
		WHERE table_schema = current_schema() AND table_name = $1 ORDER BY ordinal_position`, table)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

func (p postgres) insert(ctx context.Context, table string, columns []string, rows [][]any) error {
	for _, row := range rows {
		for i, value := range row {
			row[i] = plain(value)
		}
	}
	_, err := p.conn.CopyFrom(ctx, pgx.Identifier{table}, columns, pgx.CopyFromRows(rows))
	return err
}

// plain returns a value without its name: a text, a number, or bytes. A boolean is 0 or 1.
func plain(value any) any {
	switch v := reflect.ValueOf(value); v.Kind() {
	case reflect.Bool:
		if v.Bool() {
			return int64(1)
		}
		return int64(0)
	case reflect.String:
		return v.String()
	case reflect.Int, reflect.Int64, reflect.Int32, reflect.Int16, reflect.Int8:
		return v.Int()
	default:
		return value
	}
}

func (p postgres) lastAudit(ctx context.Context) (last store.AuditEntry, err error) {
	err = p.conn.QueryRow(ctx, `SELECT seq, mac FROM audit ORDER BY seq DESC LIMIT 1`).Scan(&last.Seq, &last.MAC)
	if errors.Is(err, pgx.ErrNoRows) {
		err = nil
	}
	return last, err
}
