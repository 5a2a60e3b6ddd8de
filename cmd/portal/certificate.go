package main

import (
	"crypto/tls"
	"log/slog"
	"os"
	"sync"
	"time"
)

// recheckInterval is how long the portal waits before it checks the certificate files again. A renewed certificate is
// used within a minute, and a flood of handshakes costs no more than a mutex each.
const recheckInterval = time.Minute

// certificates holds the portal's certificate and key and reloads them when the files have changed. If the new files
// do not fit together, as during a replacement, the previous pair remains in use and the error is logged once.
type certificates struct {
	cert, key string
	now       func() time.Time
	log       *slog.Logger

	mu        sync.Mutex
	current   *tls.Certificate
	loaded    fileStates // of current
	lastError string     // why the present files cannot be used; "" when they can
	lastCheck time.Time
}

// fileStates holds the times and sizes of the two files, which show whether either has changed.
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

// getCertificate returns the certificate for a handshake.
func (c *certificates) getCertificate(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := c.now(); now.Sub(c.lastCheck) >= recheckInterval {
		c.lastCheck = now
		c.reloadIfChanged()
	}
	return c.current, nil
}

// expires returns when the certificate in use expires.
func (c *certificates) expires() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.current.Leaf.NotAfter
}

// reloadIfChanged reloads the pair when the files have changed, and logs the outcome.
func (c *certificates) reloadIfChanged() {
	changed, err := c.reload()
	switch {
	case err != nil && err.Error() != c.lastError:
		c.lastError = err.Error()
		c.log.Error("the new certificate files cannot be used; the previous certificate stays in use",
			"until", c.current.Leaf.NotAfter, "cause", c.lastError)
	case err == nil && changed:
		c.log.Info("the certificate was reloaded", "until", c.current.Leaf.NotAfter)
	}
	if err == nil {
		c.lastError = ""
	}
}

// reload reads the files unless they are unchanged.
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

// fileStates returns the current state of the files.
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
