package main

import (
	"crypto/tls"
	"log/slog"
	"os"
	"sync"
	"time"
)

// recheckInterval is how long a pair of files is not looked at again: a renewed certificate counts
// within a minute, and no handshake of a flood costs more than a lock.
const recheckInterval = time.Minute

// certificates is the portal's certificate with its key, read again when the files have
// changed. A pair that does not fit, as in the moment of its replacement, leaves the one of
// before in use and is said once.
type certificates struct {
	cert, key string
	now       func() time.Time
	log       *slog.Logger

	mu        sync.Mutex
	current   *tls.Certificate
	loaded    fileStates // of pair
	lastError string     // why the present files are of no use, when they are not
	lastCheck time.Time
}

// fileStates tell by their times and sizes whether either of two has changed.
type fileStates [2]struct {
	at   time.Time
	size int64
}

// openCertificates reads the pair for the first time.
func openCertificates(cert, key string, now func() time.Time, log *slog.Logger) (*certificates, error) {
	c := &certificates{cert: cert, key: key, now: now, log: log, lastCheck: now()}
	if _, err := c.reload(); err != nil {
		return nil, err
	}
	return c, nil
}

// getCertificate is the pair to show in a handshake.
func (c *certificates) getCertificate(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := c.now(); now.Sub(c.lastCheck) >= recheckInterval {
		c.lastCheck = now
		c.reloadIfChanged()
	}
	return c.current, nil
}

// reloadIfChanged reads the pair again when it has changed.
func (c *certificates) reloadIfChanged() {
	changed, err := c.reload()
	switch {
	case err != nil && err.Error() != c.lastError:
		c.lastError = err.Error()
		c.log.Error("the certificate's files have changed and are of no use; the one of before stays", "until", c.current.Leaf.NotAfter, "cause", c.lastError)
	case err == nil && changed:
		c.log.Info("the certificate was read again", "until", c.current.Leaf.NotAfter)
	}
	if err == nil {
		c.lastError = ""
	}
}

// reload takes the files in, unless they are as they were.
func (c *certificates) reload() (changed bool, err error) {
	at, err := c.fileStates()
	if err != nil || at == c.loaded {
		return false, err
	}
	pair, err := tls.LoadX509KeyPair(c.cert, c.key)
	if err != nil {
		return false, err
	}
	c.current, c.loaded = &pair, at
	return true, nil
}

// fileStates is how the files are at present.
func (c *certificates) fileStates() (at fileStates, err error) {
	for i, path := range []string{c.cert, c.key} {
		info, err := os.Stat(path)
		if err != nil {
			return fileStates{}, err
		}
		at[i].at, at[i].size = info.ModTime(), info.Size()
	}
	return at, nil
}
