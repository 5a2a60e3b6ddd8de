package watch

import (
	"sync"

	"hearthline/internal/heloc"
)

// line is where leads wait to be read. A lead stands in it once, with all parts that
// were wished for, and does not join it again while it is being read: a lender that
// hangs over one lead holds one worker, not all of them.
type line struct {
	next chan heloc.AppID

	mu      sync.Mutex
	waiting map[heloc.AppID]extra
	reading map[heloc.AppID]extra
}

const queueSize = 1024

func newLine() *line {
	return &line{next: make(chan heloc.AppID, queueSize), waiting: make(map[heloc.AppID]extra), reading: make(map[heloc.AppID]extra)}
}

// join puts a lead into the line without ever waiting; beyond its length the wish is
// left to the sweep.
func (l *line) join(one wish) {
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

// take begins the reading of a lead that came out of next.
func (l *line) take(app heloc.AppID) wish {
	l.mu.Lock()
	defer l.mu.Unlock()
	one := wish{app, l.waiting[app]}
	delete(l.waiting, app)
	l.reading[app] |= one.parts
	return one
}

// done ends it.
func (l *line) done(app heloc.AppID) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.reading, app)
}
