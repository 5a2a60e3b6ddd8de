package e2e

import (
	"bytes"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"hearthline/internal/store/storetest"
)

// clusters are the PostgreSQL servers of a drill, with everything that they write, in one folder.
type clusters struct {
	t        *testing.T
	programs string
	home     string
}

func newClusters(t *testing.T) *clusters {
	t.Helper()
	cs := &clusters{t: t, programs: storetest.PostgresPrograms(t)}
	var err error
	if cs.home, err = os.MkdirTemp("", "drill-"); err != nil { // a short path, because the name of a socket has a limit
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			logs, _ := filepath.Glob(filepath.Join(cs.home, "*.log"))
			for _, path := range logs {
				text, _ := os.ReadFile(path)
				t.Logf("%s\n%s", filepath.Base(path), text[max(0, len(text)-3000):])
			}
		}
		if err := os.RemoveAll(cs.home); err != nil {
			t.Error(err)
		}
	})
	return cs
}

// command is one of PostgreSQL's programs, or a shell, as the user of the server.
func (c *clusters) command(name string, args ...string) *exec.Cmd {
	c.t.Helper()
	if name != "sh" {
		name = filepath.Join(c.programs, name)
	}
	made := exec.Command(name, args...)
	made.Dir = c.home
	storetest.AsPostgres(c.t, made, c.home)
	return made
}

// run runs a program until it ends.
func (c *clusters) run(name string, args ...string) string {
	c.t.Helper()
	out, err := c.command(name, args...).CombinedOutput()
	if err != nil {
		c.t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
	return string(out)
}

// cluster is one server. Its data, socket and log are named after it.
type cluster struct {
	*clusters
	name, port string
}

// newCluster creates an empty server. Its settings are lines of postgresql.conf.
func (c *clusters) newCluster(name, port string, settings ...string) *cluster {
	c.t.Helper()
	made := &cluster{c, name, port}
	c.run("initdb", "-D", made.data(), "-U", "portal", "-A", "trust", "-E", "UTF8", "--locale=C", "--wal-segsize=1")
	made.configure(settings...)
	return made
}

func (c *cluster) data() string { return filepath.Join(c.home, c.name) }

// configure adds lines to postgresql.conf.
func (c *cluster) configure(settings ...string) {
	c.t.Helper()
	f, err := os.OpenFile(filepath.Join(c.data(), "postgresql.conf"), os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = f.WriteString("\n" + strings.Join(settings, "\n") + "\n")
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		c.t.Fatal(err)
	}
}

// start starts the server and waits until it has recovered what its log says.
func (c *cluster) start() {
	c.t.Helper()
	options := fmt.Sprintf("-c listen_addresses= -c unix_socket_directories='%s' -p %s", c.home, c.port)
	c.run("pg_ctl", "-D", c.data(), "-l", c.data()+".log", "-w", "-t", "120", "-s", "-o", options, "start")
	c.t.Cleanup(func() { // of what the drill did not kill
		if _, err := os.Stat(filepath.Join(c.data(), "postmaster.pid")); err == nil {
			_ = c.command("pg_ctl", "-D", c.data(), "-m", "immediate", "-s", "stop").Run()
		}
	})
}

func (c *cluster) address(database string) string {
	return "postgres://portal@/" + database + "?host=" + url.QueryEscape(c.home) + "&port=" + c.port
}

// text runs a query with psql.
func (c *cluster) text(query string) string {
	c.t.Helper()
	return strings.TrimSpace(c.run("psql", "-h", c.home, "-p", c.port, "-U", "portal", "-d", "postgres", "-AtXqc", query))
}

// destroy kills all processes of the server at once and deletes its data.
func (c *cluster) destroy() {
	c.t.Helper()
	text, err := os.ReadFile(filepath.Join(c.data(), "postmaster.pid"))
	if err != nil {
		c.t.Fatal(err)
	}
	first, _, _ := strings.Cut(string(text), "\n")
	postmaster, err := strconv.Atoi(first)
	if err != nil {
		c.t.Fatal(err)
	}
	children, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", postmaster, postmaster))
	if err != nil {
		c.t.Fatal(err)
	}
	pids := []int{postmaster}
	for field := range bytes.FieldsSeq(children) {
		pid, err := strconv.Atoi(string(field))
		if err != nil {
			c.t.Fatal(err)
		}
		pids = append(pids, pid)
	}
	for _, pid := range pids {
		_ = syscall.Kill(pid, syscall.SIGKILL) // some end by themselves when the first one is gone
	}
	if err := os.RemoveAll(c.data()); err != nil && !errors.Is(err, syscall.ENOTEMPTY) {
		c.t.Fatal(err)
	}
	waitFor(c.t, 30*time.Second, "the server is gone with its data", func() bool {
		return os.RemoveAll(c.data()) == nil && syscall.Kill(postmaster, 0) != nil
	})
}

// position is a place in the log of a server.
type position uint64

// parsePosition reads a place as PostgreSQL writes it, such as 0/16B3748.
func parsePosition(text string) (position, error) {
	high, low, _ := strings.Cut(text, "/")
	h, err1 := strconv.ParseUint(high, 16, 32)
	l, err2 := strconv.ParseUint(low, 16, 32)
	return position(h<<32 | l), errors.Join(err1, err2)
}

// archivedUntil returns where the newest complete segment in an archive ends.
func archivedUntil(t *testing.T, archive string) (end position) {
	t.Helper()
	files, err := os.ReadDir(archive)
	if err != nil {
		t.Fatal(err)
	}
	const segment = 1 << 20 // as initdb was told
	for _, f := range files {
		name := f.Name() // timeline, upper half of the position, number of the segment: 8 digits each
		if len(name) != 24 {
			continue
		}
		high, err1 := strconv.ParseUint(name[8:16], 16, 32)
		number, err2 := strconv.ParseUint(name[16:], 16, 32)
		if err := errors.Join(err1, err2); err != nil {
			t.Fatal(err)
		}
		end = max(end, position(high<<32|(number+1)*segment))
	}
	return end
}
