// Package bench builds the data sets of benchmarks, up to a million leads in a few minutes. Only tests import it.
//
//	bench.go   a data set, and writing it
//	sqlite.go, postgres.go   how each database takes many rows
//	rows.go    what its rows contain
package bench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/jmoiron/sqlx/reflectx"
	"github.com/oklog/ulid/v2"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/internal/vault"
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
			o := heloc.Originator{ID: ids[i], Email: fmt.Sprint(i, "@bench.test"), FirstName: "Ann",
				LastName: fmt.Sprint("Originator", i), Organization: company.Organization}
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

// Fill adds a data set to the database of a store that nobody uses meanwhile. It drops the indexes and stops the
// triggers of the tables, which cost a millisecond for each lead, writes the rows, computes the counts of the
// triggers and restores both.
func Fill(t testing.TB, address string, v *vault.Vault, d Data) {
	t.Helper()
	var db database
	var err error
	if store.IsPostgres(address) {
		db, err = openPostgres(t.Context(), address)
	} else {
		db, err = openSQLite(address)
	}
	if err != nil {
		t.Fatal(err)
	}
	f := filler{ctx: t.Context(), db: db, vault: v, d: d}
	if err := errors.Join(f.fill(), db.close()); err != nil {
		t.Fatal(err)
	}
}

// database is what differs between the databases when many rows are written.
type database interface {
	// dropSchema drops the indexes of the tables with most rows and stops their triggers. It returns the statements that
	// restore both.
	dropSchema(ctx context.Context) (restore []string, err error)
	exec(ctx context.Context, statement string) error
	columns(ctx context.Context, table string) ([]string, error)
	insert(ctx context.Context, table string, columns []string, rows [][]any) error
	// lastAudit returns the newest row of the audit; the zero value if there is none.
	lastAudit(ctx context.Context) (store.AuditEntry, error)
	close() error
}

// tables have most rows of a data set.
const tables = `'leads', 'lead_events', 'step_visits', 'lead_tokens', 'lead_dates'`

type filler struct {
	ctx    context.Context
	db     database
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
	restore, err := f.db.dropSchema(f.ctx)
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
	return f.exec(restore...)
}

// addAudit continues the audit.
func (f *filler) addAudit() error {
	if f.d.Audit == 0 {
		return nil
	}
	last, err := f.db.lastAudit(f.ctx)
	if err != nil {
		return err
	}
	rows, head := f.d.audit(f.vault, last, f.d.Audit)
	return errors.Join(
		insertRows(f, "audit", rows),
		f.db.exec(f.ctx, `INSERT INTO settings (name, value) VALUES ('audit.head', '`+head+`') ON CONFLICT (name) DO UPDATE
			SET value = excluded.value`),
	)
}

func (f *filler) exec(statements ...string) error {
	for _, statement := range statements {
		if err := f.db.exec(f.ctx, statement); err != nil {
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
	var stays []stepVisit
	for i := from; i < to; i++ {
		b := f.d.borrower(i)
		l, err := f.d.lead(f.vault, i)
		if err != nil {
			return err
		}
		complete(&l, f.d.Now)
		happened := f.d.events(i, l)
		stays = append(stays, visits(&l, happened)...)
		leads, dates = append(leads, l), append(dates, l.Dates()...)
		for _, e := range happened {
			e.ID = ulid.MustNew(uint64(e.At), ulid.DefaultEntropy()).String()
			events = append(events, e)
		}
		if !f.d.NoDetails {
			p, err := f.d.details(f.vault, i)
			if err != nil {
				return err
			}
			parts = append(parts, p...)
		}
		for _, t := range b.terms() {
			f.tokens = append(f.tokens, token{f.token(l.Company, t), i})
		}
	}
	return errors.Join(insertRows(f, "leads", leads), insertRows(f, "lead_events", events),
		insertRows(f, "lead_dates", dates), insertRows(f, "lead_parts", parts), insertRows(f, "step_visits", stays))
}

// complete sets the columns that the store sets when it adds a lead.
func complete(l *lead.Row, now time.Time) {
	l.CreatedAt, l.ChangedAt, l.Revision, l.Attempt = store.Millis(now), store.Millis(now), 1, 1
	l.UpdateStatus(now)
}

// token returns the search token of a term. Tokens of names are cached; almost all others are different.
func (f *filler) token(company string, t heloc.Term) int64 {
	value, ok := f.words[t]
	if !ok {
		value = f.vault.Token(company, t.Field, t.Text)
		if t.Field == heloc.TermName {
			f.words[t] = value
		}
	}
	return value
}

// leadToken is a row of the store's search tokens.
type leadToken struct {
	Company   string      `db:"company"`
	Token     int64       `db:"token"`
	CreatedAt int64       `db:"created_at"`
	App       heloc.AppID `db:"app"`
	KeyID     int64       `db:"key_id"`
}

// addTokens writes the search tokens in the order of their index.
func (f *filler) addTokens() error {
	slices.SortFunc(f.tokens, func(a, b token) int {
		return cmp.Or(cmp.Compare(a.value, b.value), cmp.Compare(a.at, b.at))
	})
	f.tokens = slices.Compact(f.tokens)
	company := access.CompanyOf(f.d.Company.BrokerID, f.d.Company.Organization)
	for page := range slices.Chunk(f.tokens, 500_000) {
		rows := make([]leadToken, len(page))
		for i, t := range page {
			rows[i] = leadToken{company, t.value, store.Millis(f.d.Now), App(t.at), f.vault.TokenKey()}
		}
		if err := insertRows(f, "lead_tokens", rows); err != nil {
			return err
		}
	}
	return nil
}

// stepVisit is a row of the time that leads were at their steps.
type stepVisit struct {
	App    heloc.AppID `db:"app"`
	Step   heloc.Step  `db:"step"`
	Millis int64       `db:"millis"`
}

// visits returns the time that a lead spent at the steps that it has left, as the store adds it up with the events.
func visits(l *lead.Row, events []lead.Event) (all []stepVisit) {
	at := map[heloc.Step]int{}
	for _, e := range events {
		bit := lead.StepBit(e.StepBefore)
		if e.StayedMillis <= 0 || bit == 0 {
			continue
		}
		step := cmp.Or(e.StepBefore, heloc.StepUnknown)
		if _, ok := at[step]; !ok {
			at[step] = len(all)
			all = append(all, stepVisit{App: l.App, Step: step})
		}
		all[at[step]].Millis += e.StayedMillis
		l.PassedSteps |= bit
	}
	return all
}

// mapper finds the fields of structs by the columns that they name.
var mapper = reflectx.NewMapper("db")

// insertRows inserts structs whose fields name their columns. Columns without a field have defaults.
func insertRows[R any](f *filler, table string, rows []R) error {
	columns, err := f.db.columns(f.ctx, table)
	if err != nil {
		return err
	}
	byName := mapper.TypeMap(reflect.TypeFor[R]()).Names
	columns = slices.DeleteFunc(columns, func(c string) bool { return byName[c] == nil })
	all := make([][]any, len(rows))
	for i := range rows {
		row := reflect.ValueOf(&rows[i]).Elem()
		for _, c := range columns {
			all[i] = append(all[i], row.FieldByIndex(byName[c].Index).Interface())
		}
	}
	if err := f.db.insert(f.ctx, table, columns, all); err != nil {
		return fmt.Errorf("%s: %w", table, err)
	}
	return nil
}
