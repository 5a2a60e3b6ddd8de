package pubsub

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
)

// fakeChannel connects relays as a database does.
type fakeChannel struct {
	mu        sync.Mutex
	listeners map[*func(string)]context.CancelFunc
	sent      []string
	refuses   bool
}

func (c *fakeChannel) Announce(_ context.Context, text string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.refuses || len(text) > 7999 {
		return errors.New("the connection is lost")
	}
	c.sent = append(c.sent, text)
	for heard := range c.listeners {
		(*heard)(text)
	}
	return nil
}

func (c *fakeChannel) Listen(ctx context.Context, began func(), heard func(string)) error {
	ctx, cancel := context.WithCancel(ctx)
	c.mu.Lock()
	if c.listeners == nil {
		c.listeners = map[*func(string)]context.CancelFunc{}
	}
	c.listeners[&heard] = cancel
	c.mu.Unlock()
	began()
	<-ctx.Done()
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.listeners, &heard)
	return errors.New("the connection is lost")
}

// disconnect ends all connections.
func (c *fakeChannel) disconnect() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, cancel := range c.listeners {
		cancel()
	}
}

func (c *fakeChannel) refuse(refuses bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.refuses = refuses
}

// replicas starts hubs that are connected by a channel.
func replicas(t *testing.T, c *fakeChannel, n int) []*Hub {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	t.Cleanup(func() { stop(); running.Wait() })
	hubs := make([]*Hub, n)
	for i := range hubs {
		hubs[i] = &Hub{}
		r := NewRelay(hubs[i], c, fmt.Sprint("process-", i), slog.New(slog.DiscardHandler))
		running.Go(func() { r.Run(ctx) })
	}
	synctest.Wait()
	return hubs
}

func received(events <-chan Event) (all []Event) {
	synctest.Wait()
	for len(events) > 0 {
		all = append(all, <-events)
	}
	return all
}

func TestRelay_Announcement_ReachesOtherProcessesOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		hubs := replicas(t, &fakeChannel{}, 3)
		here, _ := hubs[0].Subscribe("a", Everyone())
		there, _ := hubs[1].Subscribe("a", "b", Everyone())
		others, _ := hubs[2].Subscribe("c")
		hubs[0].Publish(Event{}, "a", "b")
		hubs[0].Publish(Event{Inbox: true}, "b")
		want := "[{ 0 false} { 0 false} { 0 true}]"
		if got := fmt.Sprint(append(received(here), received(there)...)); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		if got := received(others); len(got) != 0 {
			t.Errorf("got %v on another topic", got)
		}
	})
}

// TestRelay_Lead_ReceivedFromDatabase: what the database announces reaches the pages of the processes that did not
// change the lead, and no process announces a lead itself.
func TestRelay_Lead_ReceivedFromDatabase(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := &fakeChannel{}
		hubs := replicas(t, c, 2)
		here, _ := hubs[0].Subscribe(Company("B1"))
		there, _ := hubs[1].Subscribe(Company("B1"), Originator("o1"))
		hubs[0].Publish(Event{App: "x", Revision: 7}, Company("B1"), Originator("o1"))
		if got := received(there); len(got) != 0 || len(c.sent) != 0 {
			t.Errorf("the process announced %v, and %v arrived", c.sent, got)
		}
		if err := c.Announce(t.Context(),
			`{"from" : "process-0", "app" : "x", "revision" : 7, "topics" : ["originator:o1","company:B1"]}`); err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(received(here), received(there)); got != "[{x 7 false}] [{x 7 false}]" {
			t.Errorf("got %s, want the lead once in each process", got)
		}
	})
}

func TestRelay_ConnectionLost_PagesResync(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := &fakeChannel{}
		hubs := replicas(t, c, 2)
		there, _ := hubs[1].Subscribe("a", Everyone())
		c.disconnect()
		synctest.Wait()
		hubs[0].Publish(Event{Inbox: true}, "a")
		if got := received(there); len(got) != 0 {
			t.Fatalf("got %v without a connection", got)
		}
		sleep(t.Context(), 2*relayRetry)
		if got := received(there); len(got) != 1 || !got[0].Resync() {
			t.Errorf("connected again: got %v, want a resync", got)
		}
	})
}

func TestRelay_SendingFails_PagesResyncLater(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := &fakeChannel{}
		hubs := replicas(t, c, 2)
		there, _ := hubs[1].Subscribe("a", Everyone())
		c.refuse(true)
		hubs[0].Publish(Event{Inbox: true}, "a")
		synctest.Wait()
		c.refuse(false)
		sleep(t.Context(), 2*relayRetry)
		if got := received(there); len(got) != 1 || !got[0].Resync() {
			t.Errorf("got %v, want a resync", got)
		}
	})
}

func TestRelay_ManyAtOnce_PagesResync(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := &fakeChannel{}
		hubs := replicas(t, c, 2)
		there, _ := hubs[1].Subscribe("a", Everyone())
		for range 3 * relayKeeps {
			hubs[0].Publish(Event{Inbox: true}, "a")
		}
		if got := received(there); len(got) == 0 || !slices.ContainsFunc(got, Event.Resync) {
			t.Errorf("got %v, want a resync", got)
		}
		hubs[0].Publish(Event{Inbox: true}, strings.Repeat("t", 9000))
		sleep(t.Context(), 2*relayRetry)
		if got := received(there); len(got) != 1 || !got[0].Resync() {
			t.Errorf("one that is too large: got %v, want a resync", got)
		}
	})
}

func TestRelay_UnreadableText_Ignored(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := &fakeChannel{}
		hubs := replicas(t, c, 1)
		here, _ := hubs[0].Subscribe("a", Everyone())
		for _, text := range []string{"", "{", `{"from":"process-0","lost":true}`, `[]`} {
			if err := c.Announce(t.Context(), text); err != nil {
				t.Fatal(err)
			}
		}
		if got := received(here); len(got) != 0 {
			t.Errorf("got %v", got)
		}
	})
}
