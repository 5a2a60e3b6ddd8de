package pubsub

import (
	"strconv"
	"testing"
)

func TestPublish_EachSubscriberOnce(t *testing.T) {
	var h Hub
	mine, leaveMine := h.Subscribe("a", "b")
	other, leaveOther := h.Subscribe("c")
	defer leaveOther()
	h.Publish(Event{App: "x", Revision: 2}, "a", "b")
	if got := <-mine; got.App != "x" || got.Revision != 2 {
		t.Errorf("got %+v", got)
	}
	if len(mine) != 0 || len(other) != 0 {
		t.Errorf("left over: %d mine, %d other", len(mine), len(other))
	}
	leaveMine()
	leaveMine()
	h.Publish(Event{App: "x"}, "a")
	if _, open := <-mine; open {
		t.Error("a subscriber that left still gets events")
	}
}

func TestPublish_SlowSubscriber_Resync(t *testing.T) {
	var h Hub
	events, cancel := h.Subscribe("a")
	defer cancel()
	for i := range bufferSize + 10 {
		h.Publish(Event{App: "x", Revision: int64(i)}, "a")
	}
	resynced := false
	for len(events) > 0 {
		if e := <-events; e.Resync() {
			resynced = true
		}
	}
	if !resynced {
		t.Error("announcements were lost without a resync")
	}
}

// BenchmarkPublish announces to listeners who each listen to their own topic and to a common one: the cost of one
// listener does not depend on how many there are.
func BenchmarkPublish(b *testing.B) {
	for _, n := range []int{100, 1000, 10_000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			var h Hub
			for i := range n {
				_, cancel := h.Subscribe(Person(strconv.Itoa(i)), Everyone())
				defer cancel()
			}
			for b.Loop() {
				h.Publish(Event{App: "x"}, Everyone())
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/listener")
		})
	}
}
