package webtest

import (
	"context"
	"encoding/json"
	"sync"

	"hearthline/internal/push"
)

// FakePusher receives what browsers are told instead of their push services.
type FakePusher struct {
	mu   sync.Mutex
	sent []Pushed
	Err  error // what Send returns
}

// Pushed is one notification of a browser.
type Pushed struct {
	To                    push.Subscription `json:"-"`
	Title, Body, URL, Tag string
	Raw                   string `json:"-"`
}

// PublicKey implements notify.Pusher.
func (*FakePusher) PublicKey() string { return "BPublicKeyOfTheTests" }

// Send implements notify.Pusher.
func (f *FakePusher) Send(_ context.Context, to push.Subscription, m push.Message) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.Err != nil {
		return f.Err
	}
	p := Pushed{To: to, Raw: string(m.Payload)}
	err := json.Unmarshal(m.Payload, &p)
	f.sent = append(f.sent, p)
	return err
}

// Sent returns what was sent, oldest first.
func (f *FakePusher) Sent() []Pushed {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]Pushed(nil), f.sent...)
}

// DeliverNotices tells users what is due, as the background jobs do.
func (h *Harness) DeliverNotices() {
	h.T.Helper()
	for more := true; more; {
		var err error
		if more, err = h.Notify.Deliver(h.T.Context()); err != nil {
			h.T.Fatal(err)
		}
	}
}
