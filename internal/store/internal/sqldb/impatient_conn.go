package sqldb

import (
	"context"
	"net"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// impatientDial dials connections whose reads fail when the other side sends nothing for the duration of silence. The
// driver reads only while it waits for the answer to a statement.
func impatientDial(dial pgconn.DialFunc, silence time.Duration) pgconn.DialFunc {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return &impatientConn{Conn: c, silence: silence}, nil
	}
}

// impatientConn limits each read and write, unless the driver has set a deadline, as it does to end a wait
// when the context ends.
type impatientConn struct {
	net.Conn
	silence time.Duration

	mu       sync.Mutex
	deadline time.Time // of the driver
}

func (c *impatientConn) Read(b []byte) (int, error) {
	if err := c.wait(c.Conn.SetReadDeadline); err != nil {
		return 0, err
	}
	return c.Conn.Read(b)
}

func (c *impatientConn) Write(b []byte) (int, error) {
	if err := c.wait(c.Conn.SetWriteDeadline); err != nil {
		return 0, err
	}
	return c.Conn.Write(b)
}

func (c *impatientConn) wait(set func(time.Time) error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.deadline.IsZero() {
		return set(time.Now().Add(c.silence))
	}
	return nil
}

// SetDeadline sets the driver's deadline; the zero time removes it.
func (c *impatientConn) SetDeadline(t time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.deadline = t
	return c.Conn.SetDeadline(t)
}
