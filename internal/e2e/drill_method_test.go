package e2e

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// standby is a second server that confirms every commit before it counts.
type standby struct {
	*clusters
	first, second *cluster
}

func newStandby(cs *clusters) drillMethod {
	return &standby{cs, cs.newCluster("first", "5501"), &cluster{cs, "second", "5502"}}
}

func (m *standby) primary() *cluster { return m.first }
func (*standby) complete() bool      { return true }

func (m *standby) keep() {
	m.run("pg_basebackup", "-h", m.home, "-p", m.first.port, "-U", "portal", "-D", m.second.data(), "-R", "-X", "stream", "-C", "-S", "standby", "-c", "fast")
	m.second.configure("cluster_name = 'standby'")
	m.second.start()
	m.first.text(`ALTER SYSTEM SET synchronous_standby_names = 'standby'`)
	m.first.text(`SELECT pg_reload_conf()`)
	awaitSynchronous(m.first)
}

func awaitSynchronous(c *cluster) {
	c.t.Helper()
	waitFor(c.t, time.Minute, "commits are confirmed by a second machine", func() bool {
		return c.text(`SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'`) == "1"
	})
}

func (m *standby) restore() (*cluster, position) {
	m.run("pg_ctl", "-D", m.second.data(), "-w", "-s", "promote")
	return m.second, unknownPosition
}

// logArchive keeps a copy of the data, and every segment of the log as soon as it is full or some seconds old.
type logArchive struct {
	*clusters
	first   *cluster
	archive string
}

func newLogArchive(cs *clusters) drillMethod {
	m := &logArchive{cs, nil, filepath.Join(cs.home, "archive")}
	m.first = cs.newCluster("first", "5501", "archive_mode = on", "archive_timeout = 5s",
		"archive_command = 'test ! -f "+m.archive+"/%f && cp %p "+m.archive+"/%f.part && mv "+m.archive+"/%f.part "+m.archive+"/%f'")
	m.run("sh", "-c", "mkdir "+m.archive)
	return m
}

func (m *logArchive) primary() *cluster { return m.first }
func (*logArchive) complete() bool      { return false }

func (m *logArchive) keep() {
	m.run("pg_basebackup", "-h", m.home, "-p", m.first.port, "-U", "portal", "-D", filepath.Join(m.home, "base"), "-X", "none", "-c", "fast")
}

func (m *logArchive) restore() (*cluster, position) {
	until := archivedUntil(m.t, m.archive)
	return restoreBase(m.clusters, m.archive), until
}

// restoreBase starts a server with the copy of the data and everything that the archive has of the log.
func restoreBase(cs *clusters, archive string) *cluster {
	cs.t.Helper()
	c := &cluster{cs, "second", "5502"}
	cs.run("pg_verifybackup", "-n", filepath.Join(cs.home, "base"))
	cs.run("sh", "-c", "cp -a base second && touch second/recovery.signal")
	c.configure("restore_command = 'cp "+archive+"/%f %p'", "archive_mode = off", "synchronous_standby_names = ''")
	c.run("sh", "-c", "rm -f second/postgresql.auto.conf && touch second/postgresql.auto.conf")
	c.start()
	waitFor(cs.t, time.Minute, "the server has recovered", func() bool { return c.text(`SELECT pg_is_in_recovery()`) == "f" })
	return c
}

// logStream keeps a copy of the data, and receives the log as it is written, before a commit counts.
type logStream struct {
	*clusters
	first    *cluster
	archive  string
	receiver *exec.Cmd
}

func newLogStream(cs *clusters) drillMethod {
	m := &logStream{cs, cs.newCluster("first", "5501"), filepath.Join(cs.home, "archive"), nil}
	m.run("sh", "-c", "mkdir "+m.archive)
	return m
}

func (m *logStream) primary() *cluster { return m.first }
func (*logStream) complete() bool      { return true }

func (m *logStream) keep() {
	connection := []string{"-h", m.home, "-p", m.first.port, "-U", "portal", "-D", m.archive, "-S", "archive"}
	m.run("pg_receivewal", append(connection, "--create-slot")...)
	m.receiver = m.command("pg_receivewal", append(connection, "--synchronous")...)
	if err := m.receiver.Start(); err != nil {
		m.t.Fatal(err)
	}
	m.t.Cleanup(m.stopReceiver)
	m.first.text(`ALTER SYSTEM SET synchronous_standby_names = 'pg_receivewal'`)
	m.first.text(`SELECT pg_reload_conf()`)
	awaitSynchronous(m.first)
	m.run("pg_basebackup", "-h", m.home, "-p", m.first.port, "-U", "portal", "-D", filepath.Join(m.home, "base"), "-X", "none", "-c", "fast")
}

func (m *logStream) stopReceiver() {
	if m.receiver != nil {
		_ = m.receiver.Process.Signal(syscall.SIGTERM)
		_ = m.receiver.Wait()
		m.receiver = nil
	}
}

func (m *logStream) restore() (*cluster, position) {
	m.stopReceiver()
	// The newest segment is not full, and counts all the same.
	m.run("sh", "-c", `for f in "$1"/*.partial; do mv "$f" "${f%.partial}"; done`, "sh", m.archive)
	return restoreBase(m.clusters, m.archive), unknownPosition
}

// dump keeps a dump.
type dump struct {
	*clusters
	first *cluster
	until position
}

func newDump(cs *clusters) drillMethod { return &dump{cs, cs.newCluster("first", "5501"), 0} }

func (m *dump) primary() *cluster { return m.first }
func (*dump) complete() bool      { return false }

func (m *dump) keep() {
	var err error
	if m.until, err = parsePosition(m.first.text(`SELECT pg_current_wal_flush_lsn()`)); err != nil {
		m.t.Fatal(err)
	}
	m.run("pg_dump", "-h", m.home, "-p", m.first.port, "-U", "portal", "-d", "portal", "-Fc", "-f", filepath.Join(m.home, "portal.dump"))
}

func (m *dump) restore() (*cluster, position) {
	c := m.newCluster("second", "5502")
	c.start()
	m.run("createdb", "-h", m.home, "-p", c.port, "-U", "portal", "portal")
	m.run("pg_restore", "-h", m.home, "-p", c.port, "-U", "portal", "-d", "portal", "--exit-on-error", "--single-transaction", filepath.Join(m.home, "portal.dump"))
	return c, m.until
}

func TestArchivedUntil_CountsCompleteSegmentsOnly(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"00000001000000000000000A", "000000010000000000000009", "00000001000000000000000B.partial", "00000001000000000000000A.00000028.backup", "00000002.history"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, fs.FileMode(0o600)); err != nil {
			t.Fatal(err)
		}
	}
	want, err := parsePosition("0/B00000")
	if got := archivedUntil(t, dir); err != nil || got != want {
		t.Errorf("got %x, %v, want %x", got, err, want)
	}
}
