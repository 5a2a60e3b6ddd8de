package sqldb

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
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

func TestPostgres_ServerSilent_ConnectionGivenUp(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]time.Duration{"": connectWait, "?connect_timeout=3": 3 * time.Second} {
		p, err := newPostgres("postgres://u@localhost/portal" + query)
		if err != nil || p.config.ConnectTimeout != want {
			t.Errorf("%q: got %v, %v, want %v", query, p.config.ConnectTimeout, err, want)
		}
	}
}

func TestPostgres_UnreadableURL_ErrorWithoutPassword(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"postgres://u:secret@host:port/x", "postgres://u:secret@localhost/x?sslmode=never"} {
		if _, err := Connect(t.Context(), address); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: got %v, want an error without the password", address, err)
		}
	}
	if got := AddressForDisplay("postgres://u:secret@localhost/x?password=secret"); strings.Contains(got, "secret") ||
		!strings.Contains(got, "localhost/x") {
		t.Errorf("got %q", got)
	}
}

func TestPostgres_ServerErrors_UnavailableOrBusy(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]struct{ unavailable, busy bool }{
		"57P01":             {unavailable: true}, // the server stops
		"57P02":             {unavailable: true}, // another process of the server crashed
		"57P03":             {unavailable: true}, // the server starts
		"53100":             {unavailable: true}, // its disk is full
		"53300":             {unavailable: true}, // too many connections
		"08006":             {unavailable: true},
		readOnlyTransaction: {unavailable: true},
		idleInTransaction:   {unavailable: true},
		lockNotAvailable:    {unavailable: true, busy: true},
		uniqueViolation:     {},
		"42P01":             {}, // no such table
	} {
		err := fmt.Errorf("commit: %w", &pgconn.PgError{Code: code})
		if got := (postgres{}).isUnavailable(err); got != want.unavailable {
			t.Errorf("%s: got unavailable %v", code, got)
		}
		if got := (postgres{}).isBusy(err); got != want.busy {
			t.Errorf("%s: got busy %v", code, got)
		}
	}
}
