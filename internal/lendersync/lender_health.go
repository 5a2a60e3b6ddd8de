package lendersync

import (
	"sync"
	"time"

	"hearthline/internal/partner"
)

// LenderHealth records whether the lender responds, and whether it accepts the portal's key. The zero value assumes
// that it does.
type LenderHealth struct {
	mu        sync.Mutex
	downSince time.Time
	failures  int
	refusal   partner.KeyRefusal
	changed   func() // called without the lock when the lender went down or is back; nil for nobody
}

// downAfter is how many failed calls in a row mean that the lender is down.
const downAfter = 2

// Observe receives every call from the client. A status below 500 means that the lender responds. A call that its
// caller canceled says nothing about the lender.
func (p *LenderHealth) Observe(c partner.Call) {
	if c.Canceled {
		return
	}
	p.mu.Lock()
	before, changed := p.down(), p.changed
	switch {
	case c.Status > 0 && c.Status < 500:
		p.failures, p.downSince = 0, time.Time{}
	case p.failures == 0:
		p.failures, p.downSince = 1, c.At
	default:
		p.failures++
	}
	p.observeKey(c)
	now := p.down()
	p.mu.Unlock()
	if now != before && changed != nil {
		changed()
	}
}

// observeKey records whether the lender accepted the key of a call. Only success shows that it did: a lender may refuse
// a request for another reason before it looks at the key. The caller holds the lock.
func (p *LenderHealth) observeKey(c partner.Call) {
	switch {
	case !c.WithKey:
	case partner.RefusesKey(c.Status):
		p.refusal.Status, p.refusal.Last = c.Status, c.At
		if p.refusal.Since.IsZero() {
			p.refusal.Since = c.At
		}
	case c.Status >= 200 && c.Status < 300:
		p.refusal.Since = time.Time{}
	}
}

// KeyRefusal returns how the lender last refused the portal's key; zero if it never did.
func (p *LenderHealth) KeyRefusal() partner.KeyRefusal {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.refusal
}

// down reports whether the lender counts as down. The caller holds the lock.
func (p *LenderHealth) down() bool { return p.failures >= downAfter }

// notify sets what is called when the lender went down or is back. It must not block.
func (p *LenderHealth) notify(changed func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.changed = changed
}

// DownSince returns since when the lender has not responded; zero while it responds.
func (p *LenderHealth) DownSince() time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.down() {
		return time.Time{}
	}
	return p.downSince
}
