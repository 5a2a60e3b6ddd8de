package partner

import (
	"io"
	"sync"
)

// wipingBody is a private copy of a request's bytes that is wiped when the transport closes
// it. The transport may still be reading when the call has already returned, so it must not
// share the caller's bytes, which are wiped then.
type wipingBody struct {
	mu     sync.Mutex
	bytes  []byte
	offset int
}

func newWipingBody(b []byte) *wipingBody { return &wipingBody{bytes: append([]byte(nil), b...)} }

func (b *wipingBody) Read(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.offset == len(b.bytes) {
		return 0, io.EOF
	}
	n := copy(p, b.bytes[b.offset:])
	b.offset += n
	return n, nil
}

func (b *wipingBody) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	clear(b.bytes)
	b.bytes, b.offset = nil, 0
	return nil
}
