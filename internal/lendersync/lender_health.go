package lendersync

import (
	"context"
	"sync"
	"time"

	"hearthline/internal/partner"
	"hearthline/internal/pubsub"
	"hearthline/internal/trace"
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
func (l *LenderHealth) Observe(c partner.Call) {
	if c.Canceled {
		return
	}
	l.mu.Lock()
	before, changed := l.down(), l.changed
	switch {
	case c.Status > 0 && c.Status < 500:
		l.failures, l.downSince = 0, time.Time{}
	case l.failures == 0:
		l.failures, l.downSince = 1, c.At
	default:
		l.failures++
	}
	l.observeKey(c)
	now := l.down()
	l.mu.Unlock()
	if now != before && changed != nil {
		changed()
	}
}

// observeKey records whether the lender accepted the key of a call. Only success shows that it did: a lender may refuse
// a request for another reason before it looks at the key. The caller holds the lock.
func (l *LenderHealth) observeKey(c partner.Call) {
	switch {
	case !c.WithKey:
	case partner.RefusesKey(c.Status):
		l.refusal.Status, l.refusal.Last = c.Status, c.At
		if l.refusal.Since.IsZero() {
			l.refusal.Since = c.At
		}
	case c.Status >= 200 && c.Status < 300:
		l.refusal.Since = time.Time{}
	}
}

// KeyRefusal returns how the lender last refused the portal's key; zero if it never did.
func (l *LenderHealth) KeyRefusal() partner.KeyRefusal {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.refusal
}

// down reports whether the lender counts as down. The caller holds the lock.
func (l *LenderHealth) down() bool { return l.failures >= downAfter }

// notify sets what is called when the lender went down or is back. It must not block.
func (l *LenderHealth) notify(changed func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.changed = changed
}

// DownSince returns since when the lender has not responded; zero while it responds.
func (l *LenderHealth) DownSince() time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.down() {
		return time.Time{}
	}
	return l.downSince
}

// healthChanged announces to every open page that the lender went down or is back, and starts the probes.
func (s *Service) healthChanged() {
	s.Hub.Publish(pubsub.Event{}, pubsub.Everyone())
	wakeUp(s.lenderChanged)
}

// probeLoop asks a lender that is down for one entry of its directory, until it responds. Without it, nobody would
// notice its return while sending is paused and no lead is due. The directory is neutral: a single lead that the
// lender cannot return would keep everything paused.
func (s *Service) probeLoop(ctx context.Context) {
	for s.waitOrWake(ctx, probeEvery, s.lenderChanged) {
		if s.LenderHealth.DownSince().IsZero() {
			continue
		}
		// The client reports the result to LenderHealth.
		traced, span := trace.StartWork(ctx, "probe lender")
		_, _ = s.Lender.Originators(traced, partner.OriginatorQuery{Limit: 1})
		span.End()
	}
}
