package lendersync

import (
	"sync"
	"time"

	"hearthline/internal/partner"
)

// LenderHealth records whether the lender responds. The zero value assumes that it does.
type LenderHealth struct {
	mu        sync.Mutex
	downSince time.Time
	failures  int
}

// downAfter is how many failed calls in a row mean that the lender is down.
const downAfter = 2

// Observe receives every call from the client. A status below 500 means that the lender responds.
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

// DownSince returns since when the lender has not responded; zero while it responds.
func (p *LenderHealth) DownSince() time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.failures < downAfter {
		return time.Time{}
	}
	return p.downSince
}
