package filelock

import (
	"bufio"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// childEnv names the file that a child process of a test locks.
const childEnv = "FILELOCK_TEST_PATH"

func TestMain(m *testing.M) {
	if path := os.Getenv(childEnv); path != "" {
		l, err := Acquire(path, "child")
		if err != nil {
			os.Exit(1)
		}
		os.Stdout.WriteString("locked\n")
		_, _ = io.Copy(io.Discard, os.Stdin) // until it is killed
		_ = l.Release()
	}
	os.Exit(m.Run())
}

func mustAcquire(t *testing.T, path string) *Held {
	t.Helper()
	l, err := Acquire(path, "test")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func wantHeld(t *testing.T, err error, purpose string, pid int) {
	t.Helper()
	held, ok := errors.AsType[*HeldError](err)
	if !ok || held.Purpose != purpose || held.PID != pid {
		t.Errorf("got %v, want that %s, process %d, has it", err, purpose, pid)
	}
}

func TestAcquire_Held_RefusedUntilReleased(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "portal.db")
	first := mustAcquire(t, path)
	_, err := Acquire(path, "other")
	wantHeld(t, err, "test", os.Getpid())
	link := filepath.Join(t.TempDir(), "link")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	_, err = Acquire(link, "other")
	wantHeld(t, err, "test", os.Getpid())
	if err := first.Release(); err != nil {
		t.Fatal(err)
	}
	if err := mustAcquire(t, link).Release(); err != nil {
		t.Fatal(err)
	}
}

// TestAcquire_AsRoot_LockOfDatabaseOwner: the portal's user can still use what root locks or creates.
func TestAcquire_AsRoot_LockOfDatabaseOwner(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only root can give files away")
	}
	path := filepath.Join(t.TempDir(), "portal.db")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(path, 10001, 10001); err != nil {
		t.Skip(err)
	}
	if err := mustAcquire(t, path).Release(); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path + suffix)
	if err != nil {
		t.Fatal(err)
	}
	if owner := info.Sys().(*syscall.Stat_t).Uid; owner != 10001 {
		t.Errorf("the lock belongs to user %d, want 10001", owner)
	}
}

func TestAcquire_HolderKilled_Acquired(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "portal.db")
	child := exec.CommandContext(t.Context(), os.Args[0]) //nolint:gosec // this test's own program
	child.Env = append(os.Environ(), childEnv+"="+path)
	if _, err := child.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := child.StdoutPipe()
	if err == nil {
		err = child.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	_, err = Acquire(path, "test")
	wantHeld(t, err, "child", child.Process.Pid)
	wantHeld(t, HeldFor(path, "child"), "child", child.Process.Pid)
	if err := HeldFor(path, "restore"); err != nil {
		t.Errorf("for another purpose: got %v", err)
	}
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = child.Wait()
	if err := HeldFor(path, "child"); err != nil {
		t.Errorf("after its end: got %v", err)
	}
	if err := mustAcquire(t, path).Release(); err != nil {
		t.Fatal(err)
	}
}
