package sandbox

import (
	"sync"
	"time"
)

// call is one line of the ledger: what was asked and how it was answered. Never a
// body, a key, or a query, which may name an e-mail address or an account.
type call struct {
	At     time.Time `json:"at"`
	Method string    `json:"method"`
	Path   string    `json:"path"`
	Status int       `json:"status"`            // 0: the connection closed without an answer
	HadKey *bool     `json:"keyCame,omitempty"` // pre-qualification only, which asks for none
}

// maxCalls bounds the ledger; older calls fall out.
const maxCalls = 1000

type calls struct {
	mu     sync.Mutex
	buffer []call
	next   int
}

func newCalls() *calls { return &calls{} }

func (c *calls) add(one call) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.buffer) < maxCalls {
		c.buffer = append(c.buffer, one)
		return
	}
	c.buffer[c.next] = one
	c.next = (c.next + 1) % maxCalls
}

// list gives the calls, oldest first.
func (c *calls) list() []call {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := make([]call, 0, len(c.buffer))
	all = append(all, c.buffer[c.next:]...)
	return append(all, c.buffer[:c.next]...)
}
