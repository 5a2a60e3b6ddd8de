package pubsub

import (
	"context"
	"encoding/json"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"
)

// Channel carries texts between the processes on a database. What is sent while nobody listens is lost.
type Channel interface {
	Announce(ctx context.Context, text string) error
	Listen(ctx context.Context, began func(), heard func(text string)) error
}

// Relay passes the announcements of this process's hub to the hubs of the other processes, and theirs to this one. It
// carries only ids, no content. The store announces leads in the transaction of the change (LeadAnnouncement),
// because a process can end right after it; the relay only receives those announcements. Create it with NewRelay.
type Relay struct {
	hub     *Hub
	channel Channel
	name    string // of this process
	log     *slog.Logger
	waiting chan announcement
	lost    atomic.Bool // announcements were not sent
}

// announcement is what one text carries.
type announcement struct {
	From     string   `json:"from"`
	Lost     bool     `json:"lost,omitempty"` // announcements are missing: everything may be out of date
	App      string   `json:"app,omitempty"`  // only in those of the store
	Revision int64    `json:"revision,omitempty"`
	Inbox    bool     `json:"inbox,omitempty"`
	Topics   []string `json:"topics,omitempty"`
}

const (
	relayKeeps   = 1000            // announcements that wait while the channel is slow
	relayRetry   = time.Second     // between attempts to listen
	relayTimeout = 5 * time.Second // for sending
)

func (a announcement) text() string {
	text, err := json.Marshal(a)
	if err != nil {
		return ""
	}
	return string(text)
}

// LeadAnnouncement returns the text with which a process announces a changed lead to the others, in the transaction
// of the change; from is the process's name on the channel.
func LeadAnnouncement(from string, e Event, topics []string) string {
	return announcement{From: from, App: e.App, Revision: e.Revision, Topics: topics}.text()
}

// NewRelay connects a hub with the others on a channel. name identifies this process on it.
func NewRelay(hub *Hub, channel Channel, name string, log *slog.Logger) *Relay {
	r := &Relay{hub: hub, channel: channel, name: name, log: log, waiting: make(chan announcement, relayKeeps)}
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
	select {
	case r.waiting <- announcement{From: r.name, Inbox: e.Inbox, Topics: topics}:
	default:
		r.lost.Store(true)
	}
}

func (r *Relay) sendLoop(ctx context.Context) {
	for {
		a := announcement{From: r.name, Lost: r.lost.Swap(false)}
		if !a.Lost {
			select {
			case <-ctx.Done():
				return
			case a = <-r.waiting:
			}
		}
		sending, cancel := context.WithTimeout(ctx, relayTimeout)
		err := r.channel.Announce(sending, a.text())
		cancel()
		if err != nil {
			// The others have lost their connection too, or will; they resync when they listen again.
			r.lost.Store(true)
			if ctx.Err() == nil {
				r.log.Warn("changes could not be announced to the other processes", "cause", err.Error())
			}
			if !sleep(ctx, relayRetry) {
				return
			}
		}
	}
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
	var a announcement
	if err := json.Unmarshal([]byte(text), &a); err != nil || a.From == r.name {
		return
	}
	if a.Lost {
		r.hub.deliver(Event{}, Everyone())
		return
	}
	r.hub.deliver(Event{a.App, a.Revision, a.Inbox}, a.Topics...)
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
