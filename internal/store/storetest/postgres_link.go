package storetest

import (
	"bytes"
	"context"
	"net"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
)

// PostgresLink is a TCP proxy in front of PostgreSQL that a test can interrupt. The zero value delivers everything.
type PostgresLink struct {
	network, server string

	mu    sync.Mutex
	fate  func(sent []byte) fate // of what a client sends; nil delivers it
	conns map[net.Conn]struct{}
}

// fate is what happens to a message that a client sends.
type fate int

const (
	delivered   fate = iota
	undelivered      // the connection ends before the server receives it
	unanswered       // the connection ends when the server has answered it
)

// Through returns the address of a database through the link, which works until the test ends.
func (l *PostgresLink) Through(t testing.TB, address string) string {
	t.Helper()
	config, err := pgconn.ParseConfig(address)
	if err != nil {
		t.Fatal(err)
	}
	l.network, l.server = pgconn.NetworkAddress(config.Host, config.Port)
	l.conns = map[net.Conn]struct{}{}
	listener, err := new(net.ListenConfig).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	all.Go(func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			all.Go(func() { l.serve(client) })
		}
	})
	t.Cleanup(func() {
		_ = listener.Close()
		l.Break()
		all.Wait()
	})
	u := url.URL{Scheme: "postgres", User: url.UserPassword(config.User, config.Password),
		Host: listener.Addr().String(), Path: "/" + config.Database, RawQuery: "sslmode=disable"}
	return u.String()
}

// Break ends all connections, and every new one at the first message that it sends, until Restore.
func (l *PostgresLink) Break() {
	l.decide(func([]byte) fate { return undelivered })
	l.mu.Lock()
	defer l.mu.Unlock()
	for c := range l.conns {
		_ = c.Close()
	}
}

// BreakAfter is Break after clients have sent n more messages.
func (l *PostgresLink) BreakAfter(n int) {
	l.decide(func([]byte) fate {
		if n--; n >= 0 {
			return delivered
		}
		return undelivered
	})
}

// BreakCommits ends each connection that commits a transaction, until Restore: before the server receives the commit,
// or after it has committed.
func (l *PostgresLink) BreakCommits(received bool) {
	commit := []byte("Q\x00\x00\x00\x0bcommit\x00")
	l.decide(func(sent []byte) fate {
		switch {
		case !bytes.HasPrefix(sent, commit):
			return delivered
		case received:
			return unanswered
		default:
			return undelivered
		}
	})
}

// Restore delivers everything again.
func (l *PostgresLink) Restore() { l.decide(nil) }

func (l *PostgresLink) decide(f func(sent []byte) fate) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.fate = f
}

func (l *PostgresLink) fateOf(sent []byte) fate {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.fate == nil {
		return delivered
	}
	return l.fate(sent)
}

// hold registers a connection so that Break ends it.
func (l *PostgresLink) hold(c net.Conn) (release func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.conns[c] = struct{}{}
	return func() {
		_ = c.Close()
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.conns, c)
	}
}

// serve connects a client to the server until one of them ends the connection, or the link does.
func (l *PostgresLink) serve(client net.Conn) {
	defer l.hold(client)()
	server, err := new(net.Dialer).DialContext(context.Background(), l.network, l.server)
	if err != nil {
		return
	}
	defer l.hold(server)()
	var silent atomic.Bool // the client gets no more answers
	var answers sync.WaitGroup
	answers.Go(func() {
		defer func() { _ = client.Close() }()
		for chunk := make([]byte, 64<<10); ; {
			n, err := server.Read(chunk)
			if err != nil || silent.Load() {
				return
			}
			if _, err := client.Write(chunk[:n]); err != nil {
				return
			}
		}
	})
	defer answers.Wait()
	defer func() { _ = server.Close() }()
	for chunk := make([]byte, 64<<10); ; {
		n, err := client.Read(chunk)
		if err != nil {
			return
		}
		switch l.fateOf(chunk[:n]) {
		case undelivered:
			return
		case unanswered:
			silent.Store(true)
		}
		if _, err := server.Write(chunk[:n]); err != nil {
			return
		}
	}
}
