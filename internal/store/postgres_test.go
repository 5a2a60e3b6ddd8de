package store

import (
	"strings"
	"testing"

	"github.com/jmoiron/sqlx"
)

func TestPostgres_TLS_RequiredExceptOnThisMachine(t *testing.T) {
	t.Parallel()
	for address, verified := range map[string]bool{
		"postgres://u@db.bank.test/portal":                     true,
		"postgres://u@10.0.0.5:5432/portal?application_name=x": true,
		"postgres://u@/portal?host=db.bank.test":               true,
		"postgres://u@db.bank.test/portal?sslmode=require":     false, // as the administrator wrote
		"postgres://u@localhost/portal":                        false,
		"postgres://u@127.0.0.1:5432/portal":                   false,
		"postgres://u@/portal?host=/run/postgresql":            false,
	} {
		if got := strings.Contains(withTLS(address), "sslmode=verify-full"); got != verified {
			t.Errorf("%s: got %s", address, withTLS(address))
		}
	}
}

func TestPostgres_UnreadableURL_ErrorWithoutPassword(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"postgres://u:secret@host:port/x", "postgres://u:secret@localhost/x?sslmode=never"} {
		if _, err := Open(t.Context(), address, Options{}); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: got %v, want an error without the password", address, err)
		}
	}
	if got := AddressForDisplay("postgres://u:secret@localhost/x?password=secret"); strings.Contains(got, "secret") || !strings.Contains(got, "localhost/x") {
		t.Errorf("got %q", got)
	}
}

// Hints for SQLite are removed, and nothing else is changed.
func TestPostgres_SQL_WithoutHints(t *testing.T) {
	t.Parallel()
	e, err := newPostgres("postgres://u@localhost/x")
	if err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string]string{
		`SELECT 1 FROM a INDEXED BY a_b WHERE x = ? AND y IN (?, ?)`:      `SELECT 1 FROM a WHERE x = $1 AND y IN ($2, $3)`,
		`SELECT 1 FROM a NOT INDEXED WHERE x = ?`:                         `SELECT 1 FROM a WHERE x = $1`,
		`SELECT 1 FROM a CROSS JOIN b ON b.x = a.x CROSS JOIN c d ON 1=1`: `SELECT 1 FROM a JOIN b ON b.x = a.x JOIN c d ON 1=1`,
		`SELECT 1 FROM (SELECT 2) f CROSS JOIN leads WHERE leads.x = f.y`: `SELECT 1 FROM (SELECT 2) f CROSS JOIN leads WHERE leads.x = f.y`,
		`SELECT 1 FROM a WHERE x || '' = ? AND y || '' IN (?)`:            `SELECT 1 FROM a WHERE x = $1 AND y IN ($2)`,
		`SELECT a || '' || b FROM a WHERE '' || x = ?`:                    `SELECT a || '' || b FROM a WHERE '' || x = $1`,
	} {
		for range 2 {
			if got := e.sql(query); got != want {
				t.Errorf("%s: got %s", query, got)
			}
		}
	}
	if e.sql("?") != sqlx.Rebind(sqlx.DOLLAR, "?") {
		t.Error("arguments are not numbered")
	}
}
