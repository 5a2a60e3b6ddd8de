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

// refreshQueue holds the leads that wait to be read, by company. A lead is in it at most once, with all requested
// parts, and is not added again while it is being read: if the lender hangs on one lead, only one worker is blocked.
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
	return &refreshQueue{wake: make(chan struct{}, 1), waiting: make(map[heloc.AppID]refreshRequest),
		reading: make(map[heloc.AppID]extraParts)}
}

// add adds a lead to the queue without waiting. If the queue of the company is full, the request is dropped and the
// sweep picks the lead up.
func (r *refreshQueue) add(one refreshRequest) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if before, ok := r.waiting[one.app]; ok {
		one.parts |= before.parts
		if before.asked || !one.asked {
			before.parts = one.parts
			r.waiting[one.app] = before
			return
		}
		r.turns.Remove(before.turn(), one.app) // now a user asks
		delete(r.waiting, one.app)
	} else if parts, ok := r.reading[one.app]; ok && parts.covers(one.parts) {
		return
	}
	if r.turns.LenOf(one.turn()) >= maxPerTurn {
		return
	}
	r.turns.Add(one.turn(), one.app)
	r.waiting[one.app] = one
	wakeUp(r.wake)
}

// length returns how many leads wait to be read.
func (r *refreshQueue) length() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.waiting)
}

// next returns the lead whose turn it is and marks it as being read; ok is false when none waits.
func (r *refreshQueue) next() (one refreshRequest, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	app, ok := r.turns.Next()
	if !ok {
		return one, false
	}
	one = r.waiting[app]
	delete(r.waiting, app)
	r.reading[app] |= one.parts
	if r.turns.Len() > 0 {
		wakeUp(r.wake) // another worker
	}
	return one, true
}

// done ends the reading of a lead.
func (r *refreshQueue) done(app heloc.AppID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.reading, app)
}
