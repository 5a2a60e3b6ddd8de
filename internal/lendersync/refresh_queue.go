package lendersync

import (
	"sync"

	"hearthline/internal/heloc"
)

// refreshQueue is where leads wait to be read. A lead stands in it once, with all parts that
// were wished for, and does not join it again while it is being read: a lender that
// hangs over one lead holds one worker, not all of them.
type refreshQueue struct {
	next chan heloc.AppID

	mu      sync.Mutex
	waiting map[heloc.AppID]extraParts
	reading map[heloc.AppID]extraParts
}

const queueSize = 1024

func newRefreshQueue() *refreshQueue {
	return &refreshQueue{next: make(chan heloc.AppID, queueSize), waiting: make(map[heloc.AppID]extraParts), reading: make(map[heloc.AppID]extraParts)}
}

// add puts a lead into the line without ever waiting; beyond its length the wish is
// left to the sweep.
func (l *refreshQueue) add(one refreshRequest) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if parts, ok := l.waiting[one.app]; ok {
		l.waiting[one.app] = parts | one.parts
		return
	}
	if parts, ok := l.reading[one.app]; ok && parts.covers(one.parts) {
		return
	}
	select {
	case l.next <- one.app:
		l.waiting[one.app] = one.parts
	default:
	}
}

// begin begins the reading of a lead that came out of next.
func (l *refreshQueue) begin(app heloc.AppID) refreshRequest {
	l.mu.Lock()
	defer l.mu.Unlock()
	one := refreshRequest{app, l.waiting[app]}
	delete(l.waiting, app)
	l.reading[app] |= one.parts
	return one
}

// done ends it.
func (l *refreshQueue) done(app heloc.AppID) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.reading, app)
}
