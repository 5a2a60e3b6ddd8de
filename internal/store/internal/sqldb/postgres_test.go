package sqldb

import (
	"strings"
	"testing"
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
		if _, err := Connect(t.Context(), address); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: got %v, want an error without the password", address, err)
		}
	}
	if got := AddressForDisplay("postgres://u:secret@localhost/x?password=secret"); strings.Contains(got, "secret") ||
		!strings.Contains(got, "localhost/x") {
		t.Errorf("got %q", got)
	}
}
