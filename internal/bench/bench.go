// Package bench builds the data sets of benchmarks, up to a million leads in a few minutes. Only tests import it.
//
//	bench.go   a data set, and writing it in bulk
//	rows.go    what its rows contain
package bench

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	_ "github.com/mattn/go-sqlite3" // the database that is written
	"github.com/oklog/ulid/v2"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/internal/vault"
	"hearthline/migrations"
)

// Data describes a data set: leads of one company, each with two events, search tokens and the details of the lender.
type Data struct {
	Leads       int
	Company     access.Owner         // whose broker company or organization has the leads
	Originators []heloc.OriginatorID // have the leads in turns
	Unassigned  bool                 // every twentieth lead has lost its originator
	NoDetails   bool
	Audit       int // rows that are added to the audit
	Now         time.Time
}

// AddPeople adds n originators of a company to the directory, each with an account, and returns them.
func AddPeople(t testing.TB, s *store.Store, company access.Owner, n int) []heloc.OriginatorID {
	t.Helper()
	ids := make([]heloc.OriginatorID, n)
	if err := s.Write(t.Context(), func(tx *store.Tx) error {
		for i := range ids {
			ids[i] = heloc.OriginatorID(fmt.Sprintf("0f0e0d0c-0000-4000-8000-%012d", 1000+i))
			o := heloc.Originator{ID: ids[i], Email: fmt.Sprint(i, "@bench.test"), FirstName: "Ann", LastName: fmt.Sprint("Originator", i), Organization: company.Organization}
			if company.BrokerID != "" {
				o.Broker = &heloc.BrokerCompany{ID: company.BrokerID, Name: "Summit"}
			}
			if err := tx.SaveOriginator(t.Context(), o, time.Now()); err != nil {
				return err
			}
			u := access.User{Actor: access.Actor{
				UserID: fmt.Sprint("bench-", i), Name: o.FirstName + " " + o.LastName, Email: o.Email, Role: access.Originator,
				OriginatorUUID: string(o.ID), BrokerID: company.BrokerID, Organization: company.Organization,
			}}
			if err := tx.AddUser(t.Context(), u, "none"); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return ids
}

// Fill adds a data set to the SQLite file of a store that nobody uses meanwhile. It drops the indexes and triggers of the
// tables, which cost a millisecond for each lead, writes the rows, computes the counts of the triggers and creates both again.
func Fill(t testing.TB, path string, v *vault.Vault, d Data) {
	t.Helper()
	if store.IsPostgres(path) {
		t.Skip("data sets are written to SQLite files")
	}
	db, err := sqlx.Open("sqlite3", "file:"+path+"?_synchronous=OFF&_busy_timeout=5000&_cache_size=-400000&_txlock=immediate&_stmt_cache_size=20")
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	f := filler{ctx: t.Context(), db: db, vault: v, d: d}
	if err := errors.Join(f.fill(), db.Close()); err != nil {
		t.Fatal(err)
	}
}

type filler struct {
	ctx    context.Context
	db     *sqlx.DB
	vault  *vault.Vault
	d      Data
	tokens []token
	words  map[heloc.Term]int64 // the tokens of words that many leads share
}

// token is a search token of a lead; at is the lead's number.
type token struct {
	value int64
	at    int
}

// leadsAtOnce is the number of leads in a transaction.
const leadsAtOnce = 10_000

func (f *filler) fill() error {
	f.words = map[heloc.Term]int64{}
	restore, err := f.dropSchema()
	if err != nil {
		return err
	}
	for from := 0; from < f.d.Leads; from += leadsAtOnce {
		if err := f.addLeads(from, min(f.d.Leads, from+leadsAtOnce)); err != nil {
			return err
		}
	}
	if err := f.addTokens(); err != nil {
		return err
	}
	if err := f.addAudit(); err != nil {
		return err
	}
	return f.exec(append(migrations.CountStatements(), restore...)...)
}

// addAudit continues the audit.
func (f *filler) addAudit() error {
	if f.d.Audit == 0 {
		return nil
	}
	tx, err := f.db.BeginTxx(f.ctx, nil)
	if err != nil {
		return err
	}
	var last store.AuditEntry
	if err := tx.GetContext(f.ctx, &last, `SELECT seq, mac FROM audit ORDER BY seq DESC LIMIT 1`); err != nil && !errors.Is(err, sql.ErrNoRows) {
		return errors.Join(err, tx.Rollback())
	}
	rows, head := f.d.audit(f.vault, last, f.d.Audit)
	err = insertRows(f.ctx, tx, "audit", rows)
	if err == nil {
		_, err = tx.ExecContext(f.ctx, `INSERT INTO settings (name, value) VALUES ('audit.head', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value`, head)
	}
	if err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

// dropSchema drops the triggers and indexes of the tables, and returns the statements that create them again.
func (f *filler) dropSchema() (restore []string, err error) {
	var all []struct {
		Type string `db:"type"`
		Name string `db:"name"`
		SQL  string `db:"sql"`
	}
	if err := f.db.SelectContext(f.ctx, &all, `SELECT type, name, sql FROM sqlite_master WHERE type IN ('index', 'trigger') AND sql IS NOT NULL
		AND tbl_name IN ('leads', 'lead_events', 'lead_stays', 'search_tokens', 'lead_dates') ORDER BY type, name`); err != nil {
		return nil, err
	}
	for _, o := range all {
		if err := f.exec(`DROP ` + o.Type + ` ` + o.Name); err != nil {
			return nil, err
		}
		restore = append(restore, o.SQL)
	}
	return restore, nil
}

func (f *filler) exec(statements ...string) error {
	for _, statement := range statements {
		if _, err := f.db.ExecContext(f.ctx, statement); err != nil {
			return fmt.Errorf("%s: %w", statement, err)
		}
	}
	return nil
}

// addLeads writes some leads with their events, dates and details.
func (f *filler) addLeads(from, to int) error {
	var leads []lead.Row
	var events []lead.Event
	var dates []lead.Date
	var parts []store.SealedPart
	for i := from; i < to; i++ {
		b := f.d.borrower(i)
		l, err := f.d.lead(f.vault, i)
		if err != nil {
			return err
		}
		complete(&l, f.d.Now)
		leads, dates = append(leads, l), append(dates, l.Dates()...)
		for _, e := range f.d.events(i, l) {
			e.ID = ulid.MustNew(uint64(e.At), ulid.DefaultEntropy()).String()
			events = append(events, e)
		}
		if !f.d.NoDetails {
			p, err := f.d.details(f.vault, i)
			if err != nil {
				return err
			}
			parts = append(parts, p)
		}
		for n, t := range b.terms() {
			f.tokens = append(f.tokens, token{f.token(l.Company, t, n), i})
		}
	}
	tx, err := f.db.BeginTxx(f.ctx, nil)
	if err != nil {
		return err
	}
	err = errors.Join(insertRows(f.ctx, tx, "leads", leads), insertRows(f.ctx, tx, "lead_events", events), insertRows(f.ctx, tx, "lead_dates", dates), insertRows(f.ctx, tx, "lead_parts", parts))
	if err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

// complete sets the columns that the store sets when it adds a lead.
func complete(l *lead.Row, now time.Time) {
	l.CreatedAt, l.ChangedAt, l.Revision, l.Attempt = store.Millis(now), store.Millis(now), 1, 1
	l.UpdateStatus(now)
}

// token returns the search token of a term. Words are kept; the terms from n = 9 on are almost all different.
func (f *filler) token(company string, t heloc.Term, n int) int64 {
	value, ok := f.words[t]
	if !ok {
		value = f.vault.Token(company, t.Field, t.Text)
		if n < 9 {
			f.words[t] = value
		}
	}
	return value
}

// searchLead and searchToken are the rows of the store's tables for searches.
type (
	searchLead struct {
		N   int         `db:"n"`
		App heloc.AppID `db:"lead_uuid"`
	}
	searchToken struct {
		Token int64 `db:"token"`
		Lead  int   `db:"lead"`
		KeyID int64 `db:"under"`
	}
)

// addTokens writes the search tokens in the order of their index.
func (f *filler) addTokens() error {
	slices.SortFunc(f.tokens, func(a, b token) int { return cmp.Or(cmp.Compare(a.value, b.value), cmp.Compare(a.at, b.at)) })
	f.tokens = slices.Compact(f.tokens)
	leads := make([]searchLead, f.d.Leads)
	for i := range leads {
		leads[i] = searchLead{N: i + 1, App: App(i)}
	}
	tx, err := f.db.BeginTxx(f.ctx, nil)
	if err != nil {
		return err
	}
	if err := insertRows(f.ctx, tx, "search_leads", leads); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	for page := range slices.Chunk(f.tokens, 500_000) {
		rows := make([]searchToken, len(page))
		for i, t := range page {
			rows[i] = searchToken{t.value, t.at + 1, f.vault.TokenKey()}
		}
		tx, err := f.db.BeginTxx(f.ctx, nil)
		if err != nil {
			return err
		}
		if err := insertRows(f.ctx, tx, "search_tokens", rows); err != nil {
			return errors.Join(err, tx.Rollback())
		}
		if err := tx.Commit(); err != nil {
			return err
		}
	}
	return nil
}

// insertRows inserts structs whose fields name their columns, as many with each statement as SQLite has parameters for.
func insertRows[R any](ctx context.Context, tx *sqlx.Tx, table string, rows []R) error {
	columns, err := columnsOf(ctx, tx, table)
	if err != nil {
		return err
	}
	var fields [][]int
	byName := tx.Mapper.TypeMap(reflect.TypeFor[R]()).Names
	columns = slices.DeleteFunc(columns, func(c string) bool { return byName[c] == nil }) // the others have defaults
	for _, c := range columns {
		fields = append(fields, byName[c].Index)
	}
	const maxParameters = 30_000
	one := "(" + strings.Repeat("?, ", len(columns)-1) + "?)"
	args := make([]any, 0, maxParameters)
	for page := range slices.Chunk(rows, min(200, maxParameters/len(columns))) {
		args = args[:0]
		for i := range page {
			row := reflect.ValueOf(&page[i]).Elem()
			for _, index := range fields {
				args = append(args, row.FieldByIndex(index).Interface())
			}
		}
		query := `INSERT INTO ` + table + ` (` + strings.Join(columns, ", ") + `) VALUES ` + strings.Repeat(one+", ", len(page)-1) + one
		if _, err := tx.ExecContext(ctx, query, args...); err != nil {
			return fmt.Errorf("%s: %w", table, err)
		}
	}
	return nil
}

func columnsOf(ctx context.Context, tx *sqlx.Tx, table string) ([]string, error) {
	rows, err := tx.QueryContext(ctx, `SELECT * FROM `+table+` LIMIT 0`)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	columns, err := rows.Columns()
	return columns, errors.Join(err, rows.Err())
}
