package guard

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"hearthline/internal/access"
	"hearthline/web/page"
)

// sessionBatches look up the sessions of many streams together: when an account changes, all of them need another lookup, and
// each one alone would take as long as a page. Lookups that arrive while a batch is read form the next one.
type sessionBatches struct {
	mu   sync.Mutex
	open *sessionBatch // that more can join; nil for none
	last chan struct{} // closed when the newest batch has been read; nil before the first
}

// sessionBatch is the sessions of one query.
type sessionBatch struct {
	hashes []string
	before chan struct{} // closed when the batch before it has been read; nil for the first
	read   chan struct{} // closed when found and err are known
	found  map[string]access.SessionUser
	err    error
}

// batchTimeout is how long a query may take. It belongs to no request, because many wait for it.
const batchTimeout = 5 * time.Second

// lookUp returns whom a session signs in as of now, which is not before the call.
func (b *sessionBatches) lookUp(ctx context.Context, st *Sessions, idHash string) (page.SessionState, error) {
	batch, first := b.join(idHash)
	if first {
		go b.run(context.WithoutCancel(ctx), st.rows, batch)
	}
	select {
	case <-ctx.Done():
		return page.SessionState{}, context.Cause(ctx)
	case <-batch.read:
	}
	found, ok := batch.found[idHash]
	if batch.err != nil || !ok {
		return page.SessionState{}, batch.err
	}
	state, _ := st.stateOf(found.Session, found.User)
	return state, nil
}

// join adds a session to the open batch; first reports that the batch is new.
func (b *sessionBatches) join(idHash string) (batch *sessionBatch, first bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.open == nil {
		b.open, first = &sessionBatch{before: b.last, read: make(chan struct{})}, true
		b.last = b.open.read
	}
	batch = b.open
	if batch.hashes = append(batch.hashes, idHash); len(batch.hashes) == access.SessionBatch {
		b.open = nil
	}
	return batch, first
}

// run reads a batch after the one before it. Until then more can join.
func (b *sessionBatches) run(ctx context.Context, rows SessionRows, batch *sessionBatch) {
	defer close(batch.read)
	defer func() { // a panic here would end the portal, not a request
		if cause := recover(); cause != nil {
			batch.err = fmt.Errorf("the sessions could not be looked up: %v", cause)
		}
	}()
	if batch.before != nil {
		<-batch.before
	}
	b.mu.Lock()
	if b.open == batch {
		b.open = nil
	}
	b.mu.Unlock()
	ctx, cancel := context.WithTimeoutCause(ctx, batchTimeout, errors.New("the sessions could not be looked up in time"))
	defer cancel()
	batch.found, batch.err = rows.SessionsAmong(ctx, batch.hashes)
}
