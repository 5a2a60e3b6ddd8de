package lendersync

import (
	"sync"

	"hearthline/internal/heloc"
)

// refreshQueue holds the leads that wait to be read. A lead is in it at most once, with all requested parts, and is
// not added again while it is being read: if the lender hangs on one lead, only one worker is blocked.
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

// add adds a lead to the queue without waiting. If the queue is full, the request is dropped and the sweep picks the
// lead up.
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

// length returns how many leads wait to be read.
func (l *refreshQueue) length() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.waiting)
}

// begin marks a lead that was received from next as being read.
func (l *refreshQueue) begin(app heloc.AppID) refreshRequest {
	l.mu.Lock()
	defer l.mu.Unlock()
	one := refreshRequest{app, l.waiting[app]}
	delete(l.waiting, app)
	l.reading[app] |= one.parts
	return one
}

// done ends the reading of a lead.
func (l *refreshQueue) done(app heloc.AppID) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.reading, app)
}
