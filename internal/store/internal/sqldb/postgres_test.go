package sqldb

import (
	"errors"
	"fmt"
	"net"
	"os"
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

// TestImpatientConn_ServerSilent_ReadFails uses a server that accepts a connection and freezes.
func TestImpatientConn_ServerSilent_ReadFails(t *testing.T) {
	t.Parallel()
	frozen, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = frozen.Close() }()
	dial := func(silence time.Duration) net.Conn {
		c, err := impatientDial(new(net.Dialer).DialContext, silence)(t.Context(), "tcp", frozen.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Close() })
		return c
	}
	read := func(c net.Conn) error { _, err := c.Read(make([]byte, 1)); return err }

	if err := read(dial(time.Millisecond)); !(postgres{}).isUnavailable(err) {
		t.Errorf("got %v, want the database unavailable", err)
	}

	// The driver ends the wait of a canceled request, even when it reads again.
	c := dial(time.Hour)
	ended := make(chan error, 1)
	go func() { ended <- errors.Join(read(c), read(c)) }()
	if err := c.SetDeadline(time.Unix(1, 0)); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("got %v, want the deadline of the driver", err)
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
