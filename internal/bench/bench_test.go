package bench

import (
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/store"
	"hearthline/internal/store/storetest"
	"hearthline/internal/vault"
)

// TestFill_EqualsRowsOfTheStore compares a data set with the same rows written as the portal writes them, with all
// triggers: every table is the same, and so is the schema.
func TestFill_EqualsRowsOfTheStore(t *testing.T) {
	t.Parallel()
	v, err := vault.InMemory()
	if err != nil {
		t.Fatal(err)
	}
	d := Data{Leads: 200, Company: access.Owner{BrokerID: "B1", Organization: "Evergreen"},
		Originators: []heloc.OriginatorID{"o1", "o2", "o3"}, Unassigned: true, Now: time.Now()}
	d.Audit = 100
	bulk, normal := storetest.NewFile(t), storetest.NewFile(t)
	Fill(t, bulk, v, d)
	s, err := store.Open(t.Context(), normal, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range d.Leads {
		if err := s.Write(t.Context(), func(tx *store.Tx) error { return addNormally(t, tx, v, d, i) }); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if s, err = store.Open(t.Context(), bulk, store.Options{MAC: v.MAC, VerifyMAC: v.VerifyMAC}); err != nil {
		t.Fatal(err)
	}
	if _, rows, ok, err := s.BrokenAudit(t.Context()); err != nil || !ok || rows != d.Audit {
		t.Errorf("got an audit with %d rows, intact %v, %v, want %d intact", rows, ok, err, d.Audit)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for name, query := range map[string]string{
		"leads": `SELECT app, company, originator, former_originator, lane, status_key, due_sort, status_changes_at,
			created_at, changed_at, revision, attempt, reached, passed_steps, started_on FROM leads`,
		"events":      `SELECT app, at, kind, step_before, step_after, company, stayed_millis FROM lead_events`,
		"tokens":      `SELECT company, token, created_at, app, key_id FROM lead_tokens`,
		"dates":       `SELECT app, kind, day, ahead, originator, company FROM lead_dates`,
		"details":     `SELECT app, part, version, fetched_at FROM lead_parts`,
		"step_visits": `SELECT * FROM step_visits`,
		"schema":      `SELECT type, name, sql FROM sqlite_master`,
	} {
		got, want := rowsOf(t, bulk, query), rowsOf(t, normal, query)
		if len(want) == 0 || !slices.Equal(got, want) {
			t.Errorf("%s: got %d rows, want these %d:\n%s\nwant\n%s",
				name, len(got), len(want), firstOf(got, want), firstOf(want, got))
		}
	}
}

func addNormally(t *testing.T, tx *store.Tx, v *vault.Vault, d Data, i int) error {
	t.Helper()
	l, err := d.lead(v, i)
	if err != nil {
		return err
	}
	if err := tx.AddLead(t.Context(), &l, d.Now); err != nil {
		return err
	}
	for _, e := range d.events(i, l) {
		if err := tx.AddEvent(t.Context(), e); err != nil {
			return err
		}
	}
	parts, err := d.details(v, i)
	if err != nil {
		return err
	}
	for _, p := range parts {
		if err := tx.SavePart(t.Context(), p); err != nil {
			return err
		}
	}
	tokens := store.Tokens{KeyID: v.TokenKey()}
	for _, term := range d.borrower(i).terms() {
		tokens.Values = append(tokens.Values, v.Token(l.Company, term.Field, term.Text))
	}
	return tx.AddTokens(t.Context(), l.App, tokens)
}

// rowsOf returns the rows of a query as sorted text.
func rowsOf(t *testing.T, path, query string) (all []string) {
	t.Helper()
	db, err := sql.Open("sqlite3", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	rows, err := db.QueryContext(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	for rows.Next() {
		values, pointers := make([]any, len(columns)), make([]any, len(columns))
		for i := range values {
			pointers[i] = &values[i]
		}
		if err := rows.Scan(pointers...); err != nil {
			t.Fatal(err)
		}
		all = append(all, fmt.Sprintf("%v", values))
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	slices.Sort(all)
	return all
}

// firstOf returns the first rows of one list that the other lacks.
func firstOf(list, other []string) string {
	var missing []string
	for _, row := range list {
		if !slices.Contains(other, row) && len(missing) < 5 {
			missing = append(missing, row)
		}
	}
	return strings.Join(missing, "\n")
}

// BenchmarkFill prints how long a data set takes and how large it is.
func BenchmarkFill(b *testing.B) {
	v, err := vault.InMemory()
	if err != nil {
		b.Fatal(err)
	}
	for _, n := range Sizes(b) {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				path := NewFile(b)
				Fill(b, path, v, Data{Leads: n, Company: access.Owner{BrokerID: "B1"},
					Originators: []heloc.OriginatorID{"o1", "o2"}, Unassigned: true, Now: time.Now()})
				PrintSizes(b, path, "lead_tokens", "lead_events", "lead_parts")
			}
		})
	}
}

// TestFill_Postgres_EqualsSQLite compares the same data set in both databases: how many rows each table has.
func TestFill_Postgres_EqualsSQLite(t *testing.T) {
	t.Parallel()
	v, err := vault.InMemory()
	if err != nil {
		t.Fatal(err)
	}
	d := Data{Leads: 150, Company: access.Owner{BrokerID: "B1", Organization: "Evergreen"},
		Originators: []heloc.OriginatorID{"o1", "o2", "o3"}, Unassigned: true, Now: time.Now(), Audit: 20}
	file, server := storetest.NewFile(t), storetest.NewPostgres(t)
	Fill(t, file, v, d)
	Fill(t, server, v, d)
	want, got := storetest.Rows(t, file), storetest.Rows(t, server)
	for table, rows := range want {
		if len(got[table]) != len(rows) {
			t.Errorf("%s: got %d rows, want %d:\n%s\nwant\n%s",
				table, len(got[table]), len(rows), firstOf(got[table], rows), firstOf(rows, got[table]))
		}
	}
	s, err := store.Open(t.Context(), server, store.Options{MAC: v.MAC, VerifyMAC: v.VerifyMAC})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	if _, rows, ok, err := s.BrokenAudit(t.Context()); err != nil || !ok || rows != d.Audit {
		t.Errorf("got an audit with %d rows, intact %v, %v, want %d intact", rows, ok, err, d.Audit)
	}
}
