package storetest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// postgresServer is a PostgreSQL server in which tests create databases.
type postgresServer struct {
	address string     // of the administrative database
	restart io.Writer  // a line restarts the server; nil for one that this process did not start
	mu      sync.Mutex // creating a database is heavy, and a pool of connections could not cross the bubbles of synctest
	created int
}

var errNoPostgres = errors.New("there is no PostgreSQL: " +
	"install it, or set PORTAL_TEST_POSTGRES_URL to a server in which this user may create databases")

// startedPostgres returns the server of this process: the one that PORTAL_TEST_POSTGRES_URL names, or one that
// it starts and that ends with it.
var startedPostgres = sync.OnceValues(func() (*postgresServer, error) {
	s := &postgresServer{address: os.Getenv("PORTAL_TEST_POSTGRES_URL")}
	if s.address == "" {
		var err error
		if s.address, s.restart, err = startPostgres(); err != nil {
			return nil, err
		}
	}
	return s, nil
})

// requirePostgres skips a test when there is no PostgreSQL, or fails it when PORTAL_TEST_REQUIRE says so.
func requirePostgres(t testing.TB) *postgresServer {
	t.Helper()
	s, err := startedPostgres()
	switch {
	case err == nil:
		return s
	case !errors.Is(err, errNoPostgres), slices.Contains(strings.Split(os.Getenv("PORTAL_TEST_REQUIRE"), ","), "postgres"):
		t.Fatal(err)
	default:
		t.Skip(err)
	}
	return nil
}

// kept are open until this process ends; what the garbage collector frees it closes, which would end the server.
var kept []io.Closer

// startPostgres starts a server that listens on a socket in its own folder, and that does not wait for the disk. A
// shell watches over it, which restarts it for every line it reads, and ends it and deletes its folder when this
// process has ended in any way.
func startPostgres() (address string, restart io.Writer, err error) {
	programs := postgresPrograms()
	if programs == "" {
		return "", nil, errNoPostgres
	}
	dir, err := os.MkdirTemp(temporaryFolder(), "hearthline-postgres-")
	if err != nil {
		return "", nil, err
	}
	const script = `trap '' INT
"$1/initdb" -D "$2/data" -U portal -A trust -E UTF8 --locale=C --no-sync >"$2/log" 2>&1 &&
"$1/pg_ctl" -D "$2/data" -l "$2/log" -w -s -o "-k '$2' -c listen_addresses= \
-c fsync=off -c full_page_writes=off -c synchronous_commit=off -c max_connections=500 -c wal_level=minimal \
-c max_wal_senders=0 -c shared_buffers=64MB -c autovacuum=off" start >>"$2/log" 2>&1 &&
echo started
exec >&-
while read -r _; do "$1/pg_ctl" -D "$2/data" -m immediate -w -s restart >>"$2/log" 2>&1; done
"$1/pg_ctl" -D "$2/data" -m immediate -s stop >>"$2/log" 2>&1
rm -rf "$2"`
	shell := exec.CommandContext(context.Background(), //nolint:gosec // the arguments are folders that this file chose
		"sh", "-c", script, "sh", programs, dir)
	shell.Dir = dir
	if os.Getuid() == 0 { // the server refuses to run as root
		if shell.SysProcAttr, err = asPostgres(dir); err != nil {
			return "", nil, err
		}
	}
	untilEnd, err := shell.StdinPipe()
	if err != nil {
		return "", nil, err
	}
	kept = append(kept, untilEnd)
	said, err := shell.StdoutPipe()
	if err != nil {
		return "", nil, err
	}
	if err := shell.Start(); err != nil {
		return "", nil, err
	}
	if answer, err := io.ReadAll(said); err != nil || string(answer) != "started\n" {
		log, _ := os.ReadFile(filepath.Join(dir, "log"))
		return "", nil, fmt.Errorf("PostgreSQL does not start (%w): %s", err, log)
	}
	return "postgres://portal@/postgres?host=" + url.QueryEscape(dir), untilEnd, nil
}

// postgresPrograms returns the folder of the server's programs, the newest version; empty without any.
func postgresPrograms() string {
	folders, _ := filepath.Glob("/usr/lib/postgresql/*/bin")
	slices.SortFunc(folders, func(a, b string) int { return versionOf(b) - versionOf(a) })
	for _, folder := range folders {
		if _, err := os.Stat(filepath.Join(folder, "initdb")); err == nil {
			return folder
		}
	}
	if path, err := exec.LookPath("initdb"); err == nil {
		return filepath.Dir(path)
	}
	return ""
}

func versionOf(folder string) int {
	n, _ := strconv.Atoi(filepath.Base(filepath.Dir(folder)))
	return n
}

// asPostgres gives a folder to the system's user for PostgreSQL, and runs a command as that user.
func asPostgres(dir string) (*syscall.SysProcAttr, error) {
	u, err := user.Lookup("postgres")
	if err != nil {
		return nil, errNoPostgres
	}
	uid, err1 := strconv.ParseUint(u.Uid, 10, 32)
	gid, err2 := strconv.ParseUint(u.Gid, 10, 32)
	if err := errors.Join(err1, err2, os.Chown(dir, int(uid), int(gid))); err != nil {
		return nil, err
	}
	return &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}, nil
}

// CrashPostgres ends the server of this process without any warning, as a power failure does, and starts it again. No
// other test may use it. Transactions that were committed with synchronous_commit are kept.
func CrashPostgres(t testing.TB) {
	t.Helper()
	s := requirePostgres(t)
	if s.restart == nil {
		t.Fatal("the server of PORTAL_TEST_POSTGRES_URL is not ours to crash")
	}
	const began = `SELECT to_char(pg_postmaster_start_time(), 'HH24MISSUS')`
	before := Texts(t, s.address, began)
	if _, err := io.WriteString(s.restart, "restart\n"); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		after, err := s.text(began)
		switch {
		case err == nil && after != before[0]:
			return
		case time.Now().After(end):
			t.Fatalf("PostgreSQL did not start again: %v", err)
		}
	}
}

// text returns the text that a query selects.
func (s *postgresServer) text(query string) (text string, err error) {
	ctx := context.Background()
	c, err := pgx.Connect(ctx, s.address)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, c.Close(ctx)) }()
	return text, c.QueryRow(ctx, query).Scan(&text)
}

// create creates a database, empty or as a copy of another, and returns its address.
func (s *postgresServer) create(copyOf string) (address string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.created++
	name := fmt.Sprintf("test_%d_%d", os.Getpid(), s.created)
	statement := `CREATE DATABASE ` + name
	if copyOf != "" {
		// a third of the time of a copy through the log
		statement += ` TEMPLATE ` + databaseName(copyOf) + ` STRATEGY FILE_COPY`
	}
	if err := s.exec(statement); err != nil {
		return "", err
	}
	u, err := url.Parse(s.address)
	if err != nil {
		return "", err
	}
	u.Path = "/" + name
	return u.String(), nil
}

func (s *postgresServer) drop(address string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.exec(`DROP DATABASE ` + databaseName(address) + ` WITH (FORCE)`)
}

func (s *postgresServer) exec(statement string) (err error) {
	ctx := context.Background() // not of a test, which ends before its database
	c, err := pgx.Connect(ctx, s.address)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.Close(ctx)) }()
	_, err = c.Exec(ctx, statement)
	return err
}

func databaseName(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return strings.TrimPrefix(u.Path, "/")
}
