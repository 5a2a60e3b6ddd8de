// Package filelock lets one process at a time use a file, with an operating-system lock on a second file beside
// it. The lock ends with the process that holds it, however the process ends, so a killed process never blocks the
// next one. The lock file stays: deleting it would let two processes lock two files of the same name.
package filelock

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// suffix follows the name of a file in the name of its lock file.
const suffix = ".lock"

// Held is a lock that this process holds. Release releases it.
type Held struct{ file *os.File }

// HeldError is returned for a file that another process has locked.
type HeldError struct {
	Purpose string // as given by that process; empty if unknown
	PID     int    // of that process; 0 if it is not known
}

func (e *HeldError) Error() string {
	if e.PID == 0 {
		return "another process uses it"
	}
	return fmt.Sprintf("%s (process %d) uses it", e.Purpose, e.PID)
}

// ErrLocked is returned by Lock when another process has the lock.
var ErrLocked = errors.New("another process uses it")

// Acquire locks the file at path. The file need not exist, but its folder must. Other processes
// can read the purpose. Acquire does not wait: it returns a *HeldError when another process has locked the file.
func Acquire(path, purpose string) (*Held, error) {
	locked := path
	path, err := lockPath(path)
	if err != nil {
		return nil, err
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600) //nolint:gosec // the operator names it
	if err != nil {
		return nil, err
	}
	InheritOwner(file, locked)
	err = Lock(file)
	if errors.Is(err, ErrLocked) {
		err = read(path)
	}
	if err == nil {
		err = write(file, fmt.Sprintf("%d %s\n", os.Getpid(), purpose))
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &Held{file}, nil
}

// Release ends the lock.
func (h *Held) Release() error { return errors.Join(write(h.file, ""), Unlock(h.file), h.file.Close()) }

// HeldFor returns a *HeldError when another process holds the file for the given purpose. It takes no lock, so
// it never keeps a process from starting.
func HeldFor(path, purpose string) error {
	path, err := lockPath(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	held := read(path)
	if held.Purpose != purpose {
		return nil
	}
	// The process holds the lock, or was killed.
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	if err = Lock(file); err == nil {
		err = Unlock(file)
	}
	if errors.Is(err, ErrLocked) {
		err = held
	}
	return errors.Join(err, file.Close())
}

// lockPath returns the path of a file's lock file. Links to the same file share it.
func lockPath(path string) (string, error) {
	real, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		if real, err = filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
			real = filepath.Join(real, filepath.Base(path))
		}
	}
	return real + suffix, err
}

// read returns what the lock holder wrote. It is empty just after the lock was taken.
func read(path string) *HeldError {
	held := &HeldError{}
	text, err := os.ReadFile(path) //nolint:gosec // the operator names it
	if err != nil {
		return held
	}
	pid, purpose, _ := strings.Cut(strings.TrimSpace(string(text)), " ")
	if number, err := strconv.Atoi(pid); err == nil {
		held.Purpose, held.PID = purpose, number
	}
	return held
}

func write(file *os.File, text string) error {
	if err := file.Truncate(0); err != nil {
		return err
	}
	_, err := file.WriteAt([]byte(text), 0)
	return err
}

// Lock locks an open file itself until it is closed. It does not wait: it returns ErrLocked when another process
// holds the lock.
func Lock(file *os.File) error {
	for {
		switch err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); {
		case errors.Is(err, syscall.EINTR):
		case errors.Is(err, syscall.EWOULDBLOCK):
			return ErrLocked
		default:
			return err
		}
	}
}

// Unlock releases the lock even if a child process that is just starting still has the file open.
func Unlock(file *os.File) error { return syscall.Flock(int(file.Fd()), syscall.LOCK_UN) }

// InheritOwner gives a file that root created to the owner of the file beside it or, if there is
// none, of the folder: the portal may run as a non-root user. If the owner cannot be changed, root keeps the file.
func InheritOwner(file *os.File, beside string) {
	if os.Geteuid() != 0 {
		return
	}
	info, err := os.Stat(beside) //nolint:gosec // the operator names it
	if err != nil {
		info, err = os.Stat(filepath.Dir(beside)) //nolint:gosec // the operator names it
	}
	if err != nil {
		return
	}
	if owner, ok := info.Sys().(*syscall.Stat_t); ok {
		_ = file.Chown(int(owner.Uid), int(owner.Gid))
	}
}
