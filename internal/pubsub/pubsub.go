// Package pubsub notifies open pages that something changed, and nothing more.
//
// An Event announces a change without its content: it names a lead and its revision, and the page fetches what it may
// see through its own route. Topics keep announcements inside the portal's boundaries: there is one for each
// originator, one for each company, one for each user's inbox, and one for what concerns everyone.
package pubsub

import "sync"

// Event is one announcement. An event with neither App nor Inbox means that announcements were lost and everything on
// the page may be out of date.
type Event struct {
	App      string // appUuid
	Revision int64
	Inbox    bool // a user's inbox has something new, or fewer unread items
}

// Resync reports whether announcements were lost before this one.
func (e Event) Resync() bool { return e.App == "" && !e.Inbox }

// Originator returns the topic of one originator's leads.
func Originator(id string) string { return "originator:" + id }

// Company returns the topic of a company's leads.
func Company(id string) string { return "company:" + id }

// Person returns the topic of one user's inbox.
func Person(id string) string { return "person:" + id }

// Everyone returns the topic of what concerns every page, such as whether the lender responds.
func Everyone() string { return "everyone" }

// bufferSize is how many announcements a slow subscriber may leave unread.
const bufferSize = 64

// Hub delivers announcements to subscribers. The zero value is ready to use.
type Hub struct {
	mu        sync.Mutex
	topics    map[string]map[*subscriber]struct{}
	published uint64
	relay     func(e Event, topics []string) // to the hubs of other processes; nil without any
}

// subscriber is one listener. The hub's lock protects it.
type subscriber struct {
	events   chan Event
	notified uint64 // the last announcement that it got, because it may listen to several topics of one
}

// Subscribe listens to topics until cancel is called, which closes the channel.
func (h *Hub) Subscribe(topics ...string) (events <-chan Event, cancel func()) {
	s := &subscriber{events: make(chan Event, bufferSize)}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.topics == nil {
		h.topics = make(map[string]map[*subscriber]struct{})
	}
	for _, t := range topics {
		if h.topics[t] == nil {
			h.topics[t] = make(map[*subscriber]struct{})
		}
		h.topics[t][s] = struct{}{}
	}
	return s.events, sync.OnceFunc(func() { h.unsubscribe(s, topics) })
}

func (h *Hub) unsubscribe(s *subscriber, topics []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, t := range topics {
		delete(h.topics[t], s)
		if len(h.topics[t]) == 0 {
			delete(h.topics, t)
		}
	}
	close(s.events)
}

// Publish announces a change to the subscribers of the topics, once to each. It never blocks: a subscriber whose
// buffer is full gets a resync event.
func (h *Hub) Publish(e Event, topics ...string) {
	h.deliver(e, topics...)
	h.mu.Lock()
	relay := h.relay
	h.mu.Unlock()
	if relay != nil {
		relay(e, topics)
	}
}

// deliver announces a change to the subscribers of this hub.
func (h *Hub) deliver(e Event, topics ...string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.published++
	for _, t := range topics {
		for s := range h.topics[t] {
			if s.notified == h.published {
				continue
			}
			s.notified = h.published
			trySend(s.events, e)
		}
	}
}

func trySend(c chan Event, e Event) {
	select {
	case c <- e:
		return
	default:
	}
	for range bufferSize {
		select {
		case <-c:
		default:
		}
	}
	select {
	case c <- Event{}:
	default:
	}
}
