package lendersync

import (
	"sync"

	"hearthline/internal/heloc"
	"hearthline/internal/partner"
)

// refreshRequest requests that a lead be read again, including some parts regardless of their age.
type refreshRequest struct {
	app     heloc.AppID
	parts   extraParts
	company string
	asked   bool // by a user, rather than because the lead is due
}

// turn is whose turn it is to be read: a company has one for what its users ask for and one for what is due, so a user
// does not wait for the due leads of any company.
func (r refreshRequest) turn() string {
	if r.asked {
		return "asked " + r.company
	}
	return "due " + r.company
}

// caller is for whom the lead is read.
func (r refreshRequest) caller() partner.Caller {
	return partner.Caller{Company: r.company, Background: !r.asked}
}

// refreshQueue holds the leads that wait to be read, by company. A lead is in it at most once, with all requested parts,
// and is not added again while it is being read: if the lender hangs on one lead, only one worker is blocked.
type refreshQueue struct {
	wake chan struct{} // something was added

	mu      sync.Mutex
	turns   partner.Turns[heloc.AppID]
	waiting map[heloc.AppID]refreshRequest
	reading map[heloc.AppID]extraParts
}

// maxPerTurn is how many leads of a company wait of each kind. More than a few seconds of work is not needed: what is
// due is found again.
const maxPerTurn = 256

func newRefreshQueue() *refreshQueue {
	return &refreshQueue{wake: make(chan struct{}, 1), waiting: make(map[heloc.AppID]refreshRequest), reading: make(map[heloc.AppID]extraParts)}
}

// add adds a lead to the queue without waiting. If the queue of the company is full, the request is dropped and the sweep
// picks the lead up.
func (l *refreshQueue) add(one refreshRequest) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if before, ok := l.waiting[one.app]; ok {
		one.parts |= before.parts
		if before.asked || !one.asked {
			before.parts = one.parts
			l.waiting[one.app] = before
			return
		}
		l.turns.Remove(before.turn(), one.app) // now a user asks
		delete(l.waiting, one.app)
	} else if parts, ok := l.reading[one.app]; ok && parts.covers(one.parts) {
		return
	}
	if l.turns.LenOf(one.turn()) >= maxPerTurn {
		return
	}
	l.turns.Add(one.turn(), one.app)
	l.waiting[one.app] = one
	wakeUp(l.wake)
}

// length returns how many leads wait to be read.
func (l *refreshQueue) length() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.waiting)
}

// next returns the lead whose turn it is and marks it as being read; ok is false when none waits.
func (l *refreshQueue) next() (one refreshRequest, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	app, ok := l.turns.Next()
	if !ok {
		return one, false
	}
	one = l.waiting[app]
	delete(l.waiting, app)
	l.reading[app] |= one.parts
	if l.turns.Len() > 0 {
		wakeUp(l.wake) // another worker
	}
	return one, true
}

// done ends the reading of a lead.
func (l *refreshQueue) done(app heloc.AppID) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.reading, app)
}
