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

func (s *standby) primary() *cluster { return s.first }
func (*standby) complete() bool      { return true }

func (s *standby) keep() {
	s.run("pg_basebackup", "-h", s.home, "-p", s.first.port, "-U", "portal", "-D", s.second.data(), "-R", "-X", "stream",
		"-C", "-S", "standby", "-c", "fast")
	s.second.configure("cluster_name = 'standby'")
	s.second.start()
	s.first.text(`ALTER SYSTEM SET synchronous_standby_names = 'standby'`)
	s.first.text(`SELECT pg_reload_conf()`)
	awaitSynchronous(s.first)
}

func awaitSynchronous(c *cluster) {
	c.t.Helper()
	waitFor(c.t, time.Minute, "commits are confirmed by a second machine", func() bool {
		return c.text(`SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'`) == "1"
	})
}

func (s *standby) restore() (*cluster, position) {
	s.run("pg_ctl", "-D", s.second.data(), "-w", "-s", "promote")
	return s.second, unknownPosition
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
		"archive_command = 'test ! -f "+m.archive+"/%f && cp %p "+m.archive+"/%f.part && mv "+m.archive+"/%f.part "+
			m.archive+"/%f'")
	m.run("sh", "-c", "mkdir "+m.archive)
	return m
}

func (l *logArchive) primary() *cluster { return l.first }
func (*logArchive) complete() bool      { return false }

func (l *logArchive) keep() {
	l.run("pg_basebackup", "-h", l.home, "-p", l.first.port, "-U", "portal", "-D", filepath.Join(l.home, "base"), "-X",
		"none", "-c", "fast")
}

func (l *logArchive) restore() (*cluster, position) {
	until := archivedUntil(l.t, l.archive)
	return restoreBase(l.clusters, l.archive), until
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
	waitFor(cs.t, time.Minute, "the server has recovered", func() bool {
		return c.text(`SELECT pg_is_in_recovery()`) == "f"
	})
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

func (l *logStream) primary() *cluster { return l.first }
func (*logStream) complete() bool      { return true }

func (l *logStream) keep() {
	connection := []string{"-h", l.home, "-p", l.first.port, "-U", "portal", "-D", l.archive, "-S", "archive"}
	l.run("pg_receivewal", append(connection, "--create-slot")...)
	l.receiver = l.command("pg_receivewal", append(connection, "--synchronous")...)
	if err := l.receiver.Start(); err != nil {
		l.t.Fatal(err)
	}
	l.t.Cleanup(l.stopReceiver)
	l.first.text(`ALTER SYSTEM SET synchronous_standby_names = 'pg_receivewal'`)
	l.first.text(`SELECT pg_reload_conf()`)
	awaitSynchronous(l.first)
	l.run("pg_basebackup", "-h", l.home, "-p", l.first.port, "-U", "portal", "-D", filepath.Join(l.home, "base"), "-X",
		"none", "-c", "fast")
}

func (l *logStream) stopReceiver() {
	if l.receiver != nil {
		_ = l.receiver.Process.Signal(syscall.SIGTERM)
		_ = l.receiver.Wait()
		l.receiver = nil
	}
}

func (l *logStream) restore() (*cluster, position) {
	l.stopReceiver()
	// The newest segment is not full, and counts all the same.
	l.run("sh", "-c", `for f in "$1"/*.partial; do mv "$f" "${f%.partial}"; done`, "sh", l.archive)
	return restoreBase(l.clusters, l.archive), unknownPosition
}

// dump keeps a dump.
type dump struct {
	*clusters
	first *cluster
	until position
}

func newDump(cs *clusters) drillMethod { return &dump{cs, cs.newCluster("first", "5501"), 0} }

func (d *dump) primary() *cluster { return d.first }
func (*dump) complete() bool      { return false }

func (d *dump) keep() {
	var err error
	if d.until, err = parsePosition(d.first.text(`SELECT pg_current_wal_flush_lsn()`)); err != nil {
		d.t.Fatal(err)
	}
	d.run("pg_dump", "-h", d.home, "-p", d.first.port, "-U", "portal", "-d", "portal", "-Fc", "-f",
		filepath.Join(d.home, "portal.dump"))
}

func (d *dump) restore() (*cluster, position) {
	c := d.newCluster("second", "5502")
	c.start()
	d.run("createdb", "-h", d.home, "-p", c.port, "-U", "portal", "portal")
	d.run("pg_restore", "-h", d.home, "-p", c.port, "-U", "portal", "-d", "portal", "--exit-on-error",
		"--single-transaction", filepath.Join(d.home, "portal.dump"))
	return c, d.until
}

func TestArchivedUntil_CountsCompleteSegmentsOnly(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"00000001000000000000000A", "000000010000000000000009",
		"00000001000000000000000B.partial", "00000001000000000000000A.00000028.backup", "00000002.history"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, fs.FileMode(0o600)); err != nil {
			t.Fatal(err)
		}
	}
	want, err := parsePosition("0/B00000")
	if got := archivedUntil(t, dir); err != nil || got != want {
		t.Errorf("got %x, %v, want %x", got, err, want)
	}
}
