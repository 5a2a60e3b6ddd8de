package storetest

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// PostgresPrograms returns the folder of PostgreSQL's programs, for a test that starts a server itself. Without any it
// skips the test, or fails it when PORTAL_TEST_REQUIRE says so.
func PostgresPrograms(t testing.TB) string {
	t.Helper()
	folder := postgresPrograms()
	if folder != "" {
		return folder
	}
	if slices.Contains(strings.Split(os.Getenv("PORTAL_TEST_REQUIRE"), ","), "postgres") {
		t.Fatal(errNoPostgres)
	}
	t.Skip(errNoPostgres)
	return ""
}

// AsPostgres makes a command run as the system's user for PostgreSQL and gives that user a folder, if this process is
// root, which the server refuses to run as.
func AsPostgres(t testing.TB, c *exec.Cmd, dir string) {
	t.Helper()
	if os.Getuid() != 0 {
		return
	}
	attributes, err := asPostgres(dir)
	if err != nil {
		t.Fatal(err)
	}
	c.SysProcAttr = attributes
}
