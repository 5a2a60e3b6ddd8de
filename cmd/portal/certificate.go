package main

import (
	"crypto/tls"
	"log/slog"
	"os"
	"sync"
	"time"
)

// lookPause is how long a pair of files is not looked at again: a renewed certificate counts
// within a minute, and no handshake of a flood costs more than a lock.
const lookPause = time.Minute

// certificates is the portal's certificate with its key, read again when the files have
// changed. A pair that does not fit, as in the moment of its replacement, leaves the one of
// before in use and is said once.
type certificates struct {
	cert, key string
	now       func() time.Time
	log       *slog.Logger

	mu     sync.Mutex
	pair   *tls.Certificate
	used   files  // of pair
	said   string // why the present files are of no use, when they are not
	looked time.Time
}

// files tell by their times and sizes whether either of two has changed.
type files [2]struct {
	at   time.Time
	size int64
}

// openCertificates reads the pair for the first time.
func openCertificates(cert, key string, now func() time.Time, log *slog.Logger) (*certificates, error) {
	c := &certificates{cert: cert, key: key, now: now, log: log, looked: now()}
	if _, err := c.read(); err != nil {
		return nil, err
	}
	return c, nil
}

// present is the pair to show in a handshake.
func (c *certificates) present(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := c.now(); now.Sub(c.looked) >= lookPause {
		c.looked = now
		c.look()
	}
	return c.pair, nil
}

// look reads the pair again when it has changed.
func (c *certificates) look() {
	changed, err := c.read()
	switch {
	case err != nil && err.Error() != c.said:
		c.said = err.Error()
		c.log.Error("the certificate's files have changed and are of no use; the one of before stays", "until", c.pair.Leaf.NotAfter, "cause", c.said)
	case err == nil && changed:
		c.log.Info("the certificate was read again", "until", c.pair.Leaf.NotAfter)
	}
	if err == nil {
		c.said = ""
	}
}

// read takes the files in, unless they are as they were.
func (c *certificates) read() (changed bool, err error) {
	at, err := c.stand()
	if err != nil || at == c.used {
		return false, err
	}
	pair, err := tls.LoadX509KeyPair(c.cert, c.key)
	if err != nil {
		return false, err
	}
	c.pair, c.used = &pair, at
	return true, nil
}

// stand is how the files are at present.
func (c *certificates) stand() (at files, err error) {
	for i, path := range []string{c.cert, c.key} {
		info, err := os.Stat(path)
		if err != nil {
			return files{}, err
		}
		at[i].at, at[i].size = info.ModTime(), info.Size()
	}
	return at, nil
}
