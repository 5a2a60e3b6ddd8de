package lendersync

import (
	"sync"
	"time"

	"hearthline/internal/partner"
)

// LenderHealth remembers whether the lender answers. The zero value has heard nothing bad.
type LenderHealth struct {
	mu        sync.Mutex
	downSince time.Time
	failures  int
}

// downAfter is how many failed tries in a row make the lender silent.
const downAfter = 2

// Observe is told of every try by the client. An answer below 500 is a sign of life.
func (p *LenderHealth) Observe(c partner.Call) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if c.Status > 0 && c.Status < 500 {
		p.failures, p.downSince = 0, time.Time{}
		return
	}
	if p.failures == 0 {
		p.downSince = c.At
	}
	p.failures++
}

// DownSince is since when the lender has not answered; zero while it does.
func (p *LenderHealth) DownSince() time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.failures < downAfter {
		return time.Time{}
	}
	return p.downSince
}
