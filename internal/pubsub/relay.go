package pubsub

import (
	"context"
	"encoding/json"
	"log/slog"
	"sync"
	"time"
)

// Channel carries texts between the processes on a database. What is sent while nobody listens is lost.
type Channel interface {
	Announce(ctx context.Context, text string) error
	Listen(ctx context.Context, began func(), heard func(text string)) error
}

// Relay passes the announcements of this process's hub to the hubs of the other processes, and theirs to this one. It
// carries only ids, no content. The store announces leads in the transaction of the change (LeadAnnouncement), because a process
// can end right after it; the relay only receives those announcements. Create it with NewRelay.
type Relay struct {
	hub     *Hub
	channel Channel
	name    string // of this process
	limit   int
	log     *slog.Logger

	mu      sync.Mutex
	waiting []relayed
	lost    bool // more waited than the relay keeps
	wake    chan struct{}
}

// relayed is one announcement on its way.
type relayed struct {
	App      string   `json:"a,omitempty"` // only in those of the store
	Revision int64    `json:"r,omitempty"`
	Inbox    bool     `json:"i,omitempty"`
	Topics   []string `json:"t"`
}

// batch is what one text carries.
type batch struct {
	From string    `json:"from"`
	Lost bool      `json:"lost,omitempty"` // announcements are missing: everything may be out of date
	All  []relayed `json:"all,omitempty"`
}

const (
	relayKeeps   = 1000            // announcements that wait while the channel is slow
	relayRetry   = time.Second     // between attempts to listen
	relayTimeout = 5 * time.Second // for sending
)

// LeadAnnouncement returns the text with which a process announces a changed lead to the others, in the transaction of the
// change; from is the process's name on the channel.
func LeadAnnouncement(from string, e Event, topics []string) string {
	text, err := json.Marshal(batch{From: from, All: []relayed{{App: e.App, Revision: e.Revision, Topics: topics}}})
	if err != nil {
		return ""
	}
	return string(text)
}

// NewRelay connects a hub with the others on a channel. name identifies this process on it, and limit is the size in bytes of the
// channel's longest text.
func NewRelay(hub *Hub, channel Channel, name string, limit int, log *slog.Logger) *Relay {
	r := &Relay{hub: hub, channel: channel, name: name, limit: limit, log: log, wake: make(chan struct{}, 1)}
	hub.mu.Lock()
	defer hub.mu.Unlock()
	hub.relay = r.add
	return r
}

// Run relays until the context ends.
func (r *Relay) Run(ctx context.Context) {
	var all sync.WaitGroup
	all.Go(func() { r.sendLoop(ctx) })
	all.Go(func() { r.listenLoop(ctx) })
	all.Wait()
}

// add queues an announcement, unless it is of a lead. It never waits.
func (r *Relay) add(e Event, topics []string) {
	if e.App != "" {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.waiting) >= relayKeeps {
		r.waiting, r.lost = nil, true
	}
	if !r.lost {
		r.waiting = append(r.waiting, relayed{Inbox: e.Inbox, Topics: topics})
	}
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

func (r *Relay) sendLoop(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-r.wake:
		}
		for text := r.next(); text != ""; text = r.next() {
			sending, cancel := context.WithTimeout(ctx, relayTimeout)
			err := r.channel.Announce(sending, text)
			cancel()
			if err != nil && ctx.Err() == nil {
				// The others have lost their connection too, or will; they resync when they listen again.
				r.log.Warn("changes could not be announced to the other processes", "cause", err.Error())
				r.mu.Lock()
				r.waiting, r.lost = nil, true
				r.mu.Unlock()
				if !sleep(ctx, relayRetry) {
					return
				}
			}
		}
	}
}

// next returns the next text to send; empty when nothing waits.
func (r *Relay) next() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	p := batch{From: r.name, Lost: r.lost}
	if len(r.waiting) == 0 && !r.lost {
		return ""
	}
	size, n := len(r.name)+64, 0
	for ; n < len(r.waiting); n++ {
		one, err := json.Marshal(r.waiting[n])
		if err != nil || size+len(one)+1 > r.limit {
			break
		}
		size += len(one) + 1
	}
	if n == 0 && !r.lost { // one that is too large alone
		n, p.Lost = 1, true
	} else {
		p.All = r.waiting[:n]
	}
	r.waiting, r.lost = r.waiting[n:], false
	text, err := json.Marshal(p)
	if err != nil {
		return ""
	}
	return string(text)
}

func (r *Relay) listenLoop(ctx context.Context) {
	for ctx.Err() == nil {
		// What was announced before this process listened is unknown.
		began := func() { r.hub.deliver(Event{}, Everyone()) }
		if err := r.channel.Listen(ctx, began, r.heard); err != nil && ctx.Err() == nil {
			r.log.Warn("the other processes cannot be heard", "cause", err.Error())
		}
		if !sleep(ctx, relayRetry) {
			return
		}
	}
}

// heard delivers what another process announced.
func (r *Relay) heard(text string) {
	var p batch
	if err := json.Unmarshal([]byte(text), &p); err != nil || p.From == r.name {
		return
	}
	if p.Lost {
		r.hub.deliver(Event{}, Everyone())
	}
	for _, one := range p.All {
		r.hub.deliver(Event{one.App, one.Revision, one.Inbox}, one.Topics...)
	}
}

// sleep reports whether the time has passed before the context ended.
func sleep(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}
