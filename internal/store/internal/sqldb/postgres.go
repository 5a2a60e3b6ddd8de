package sqldb

import (
	"context"
	"crypto/rand"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/jmoiron/sqlx"

	"hearthline/migrations"
)

// postgres is a database that several processes use.
type postgres struct {
	config  *pgx.ConnConfig
	texts   *sync.Map // queries as PostgreSQL reads them, by their text
	process string    // of this store in announcements
}

func newPostgres(address string) (postgres, error) {
	config, err := pgx.ParseConfig(withTLS(address))
	if err != nil {
		return postgres{}, errors.New("store: the URL of the database cannot be read") // the error could repeat the password
	}
	if config.RuntimeParams["application_name"] == "" {
		config.RuntimeParams["application_name"] = "hearthline"
	}
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = connectWait
	}
	// Compiling a query, or starting processes that share its work, takes longer than any query of a page.
	for name, value := range map[string]string{"jit": "off", "max_parallel_workers_per_gather": "0"} {
		if config.RuntimeParams[name] == "" {
			config.RuntimeParams[name] = value
		}
	}
	return postgres{config, &sync.Map{}, rand.Text()}, nil
}

// withTLS adds to a URL that says nothing about TLS that the server must prove its name, unless it runs on this
// machine.
func withTLS(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	q := u.Query()
	ip := net.ParseIP(u.Hostname())
	local := u.Hostname() == "" || u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
	if q.Has("sslmode") || local && !q.Has("host") || strings.HasPrefix(q.Get("host"), "/") {
		return address
	}
	q.Set("sslmode", "verify-full")
	u.RawQuery = q.Encode()
	return u.String()
}

// How long the portal waits for a new connection and for other writers, and how long the database waits for a portal
// that has stopped in the middle of a transaction.
const (
	connectWait  = 10 * time.Second
	writeWait    = 5 * time.Second
	idleWait     = 30 * time.Second
	readersLimit = 16

	// silence is how long the database may send nothing while a statement of the portal waits for it. A server that has
	// frozen keeps its connections open, and nothing else would end the wait.
	silence = 20 * time.Second
)

func (p postgres) open(ctx context.Context) (write, read *sqlx.DB, err error) {
	p.config = p.config.Copy()
	p.config.DialFunc = impatientDial(p.config.DialFunc, silence)
	if write, err = p.connect(ctx, 1, map[string]string{
		"lock_timeout":                        millis(writeWait),
		"idle_in_transaction_session_timeout": millis(idleWait),
	}); err != nil {
		return nil, nil, err
	}
	reading := map[string]string{"default_transaction_read_only": "on"}
	if p.config.RuntimeParams[planSetting] == "" {
		reading[planSetting] = "force_generic_plan"
	}
	if read, err = p.connect(ctx, readersLimit, reading); err != nil {
		return nil, nil, errors.Join(err, write.Close())
	}
	return write, read, nil
}

// planSetting says when a connection plans a prepared statement. By default PostgreSQL plans the queries of a large
// table again each time, with their values, which takes longer than they do.
const planSetting = "plan_cache_mode"

func millis(d time.Duration) string { return fmt.Sprintf("%dms", d.Milliseconds()) }

func (p postgres) connect(ctx context.Context, limit int, settings map[string]string) (*sqlx.DB, error) {
	config := p.config.Copy()
	for name, value := range settings {
		config.RuntimeParams[name] = value
	}
	db := sqlx.NewDb(stdlib.OpenDB(*config, stdlib.OptionAfterConnect(func(_ context.Context, c *pgx.Conn) error {
		acceptTypes(c.TypeMap())
		return nil
	})), "pgx")
	db.SetMaxOpenConns(limit)
	db.SetMaxIdleConns(limit)
	if err := db.PingContext(ctx); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

func (p postgres) hasData(ctx context.Context) (filled bool, err error) {
	db, err := p.connect(ctx, 1, nil)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return filled, db.GetContext(ctx, &filled, `SELECT to_regclass('leads') IS NOT NULL`)
}

func (postgres) dialect() migrations.Dialect { return migrations.Postgres }

// migrate uses another connection, because the server can be silent for a long time while it changes a large table.
func (p postgres) migrate(ctx context.Context, _ *sqlx.DB) (err error) {
	db, err := p.connect(ctx, 2, nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return migrations.Postgres.Up(ctx, db.DB)
}

func (p postgres) sql(query string) string {
	if text, ok := p.texts.Load(query); ok {
		return text.(string)
	}
	text := sqlx.Rebind(sqlx.DOLLAR, query)
	p.texts.Store(query, text)
	return text
}

func (postgres) snapshot() *sql.TxOptions {
	return &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true}
}

// waitForOtherWriters takes a lock that ends with the transaction. Later statements of the transaction see everything
// that was committed before, because each has its own snapshot.
func (postgres) waitForOtherWriters(ctx context.Context, tx *sqlx.Tx) error {
	_, err := tx.ExecContext(ctx, `SELECT pg_advisory_xact_lock($1)`, int64(migrations.WritersLock))
	return err
}

const uniqueViolation = "23505"

func (postgres) isUniqueViolation(err error) bool {
	e, ok := errors.AsType[*pgconn.PgError](err)
	return ok && e.Code == uniqueViolation
}

func (postgres) isBusy(err error) bool {
	e, ok := errors.AsType[*pgconn.PgError](err)
	return ok && e.Code == lockNotAvailable
}

// isUnavailable returns true for connection errors, and for errors that mean that the server is starting,
// stopping, out of resources, waiting for a lock, or a replica.
func (postgres) isUnavailable(err error) bool {
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		is := func(class string) bool { return strings.HasPrefix(e.Code, class) }
		return slices.ContainsFunc([]string{"08", "53", "57P", "58", lockNotAvailable, readOnlyTransaction,
			idleInTransaction}, is)
	}
	if _, ok := errors.AsType[*pgconn.ConnectError](err); ok {
		return true
	}
	if _, ok := errors.AsType[net.Error](err); ok {
		return true
	}
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, driver.ErrBadConn) ||
		errors.Is(err, net.ErrClosed) || strings.HasSuffix(err.Error(), "conn closed")
}

const (
	lockNotAvailable    = "55P03"
	readOnlyTransaction = "25006"
	idleInTransaction   = "25P03" // the server has ended the connection of a process that was suspended
)

func (postgres) backup(context.Context, string, func(context.Context, *DB) error) error {
	return ErrOwnBackup
}

// scrub does nothing: PostgreSQL's vacuum reuses the space of deleted rows, and its log is the administrator's.
func (postgres) scrub(context.Context) error { return nil }

// keepIdle turns off the timeouts of a transaction, because the other side of a copy can take a long time.
func (postgres) keepIdle(ctx context.Context, tx *sqlx.Tx) error {
	for _, setting := range []string{"idle_in_transaction_session_timeout", "statement_timeout"} {
		if _, err := tx.ExecContext(ctx, `SET LOCAL `+setting+` = 0`); err != nil {
			return err
		}
	}
	return nil
}

// inUse looks for other connections with the portal's name. One that was just closed is listed for a moment.
func (p postgres) inUse(ctx context.Context) (used bool, err error) {
	db, err := p.connect(ctx, 1, nil)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	for range 20 {
		if err := db.GetContext(ctx, &used, `SELECT count(*) > 0 FROM pg_stat_activity WHERE datname = current_database()
			AND application_name = current_setting('application_name') AND pid <> pg_backend_pid()`); err != nil || !used {
			return used, err
		}
		select {
		case <-ctx.Done():
			return used, ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
	return true, nil
}

// announcements is the name of the channel of announcements.
const announcements = "hearthline"

func (postgres) shared() bool { return true }

func (p postgres) name() string { return p.process }

func (postgres) announce(ctx context.Context, db sqlx.ExecerContext, text string) error {
	_, err := db.ExecContext(ctx, `SELECT pg_notify($1, $2)`, announcements, text)
	return err
}

// listen uses its own connection, because announcements arrive on the connection that listens.
func (p postgres) listen(ctx context.Context, began func(), heard func(text string)) (err error) {
	c, err := pgx.ConnectConfig(ctx, p.config.Copy())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.Close(context.WithoutCancel(ctx))) }()
	if _, err := c.Exec(ctx, `LISTEN `+announcements); err != nil {
		return err
	}
	began()
	for {
		n, err := c.WaitForNotification(ctx)
		if err != nil {
			return err
		}
		heard(n.Payload)
	}
}

// acceptTypes lets a connection store booleans in columns of numbers, as SQLite does.
func acceptTypes(m *pgtype.Map) {
	m.TryWrapEncodePlanFuncs = append([]pgtype.TryWrapEncodePlanFunc{wrapBool}, m.TryWrapEncodePlanFuncs...)
}

// values removes from texts the bytes that PostgreSQL refuses, which the lender or a browser could send.
func (postgres) values(args []any) []any {
	for i, arg := range args {
		v := reflect.ValueOf(arg)
		if v.Kind() != reflect.String {
			continue
		}
		if text := v.String(); strings.Contains(text, "\x00") || !utf8.ValidString(text) {
			args = slices.Clone(args)
			args[i] = StorableText(text)
		}
	}
	return args
}

// StorableText removes from a text what PostgreSQL refuses.
func StorableText(text string) string {
	return strings.ToValidUTF8(strings.ReplaceAll(text, "\x00", ""), "")
}

// wrapBool writes booleans as 0 or 1 where a column has numbers.
func wrapBool(value any) (plan pgtype.WrappedEncodePlanNextSetter, next any, ok bool) {
	b, ok := value.(bool)
	if !ok {
		return nil, nil, false
	}
	return &boolPlan{}, numberOf(b), true
}

func numberOf(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

type boolPlan struct{ next pgtype.EncodePlan }

func (p *boolPlan) SetNext(next pgtype.EncodePlan) { p.next = next }

func (p *boolPlan) Encode(value any, buf []byte) ([]byte, error) {
	b, ok := value.(bool)
	if !ok {
		return nil, fmt.Errorf("store: got a %T, want a bool", value)
	}
	return p.next.Encode(numberOf(b), buf)
}
