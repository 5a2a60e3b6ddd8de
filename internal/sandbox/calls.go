package sandbox

import (
	"sync"
	"time"
)

// call is one entry of the call log: the request and its status. It never contains a body, a
// key, or a query, which may contain an email or an account.
type call struct {
	At     time.Time `json:"at"`
	Method string    `json:"method"`
	Path   string    `json:"path"`
	Status int       `json:"status"`            // 0: the connection closed without a response
	HadKey *bool     `json:"keyCame,omitempty"` // pre-qualification only, which requires no key
}

// maxCalls limits the call log; older calls are dropped.
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

// list returns the calls, oldest first.
func (c *calls) list() []call {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := make([]call, 0, len(c.buffer))
	all = append(all, c.buffer[c.next:]...)
	return append(all, c.buffer[:c.next]...)
}
