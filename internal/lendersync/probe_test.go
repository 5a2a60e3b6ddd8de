package lendersync

import (
	"testing"
	"testing/synctest"
	"time"

	"hearthline/internal/partner"
	"hearthline/internal/pubsub"
)

func TestLenderHealth_TwoFailures_DownUntilResponse(t *testing.T) {
	t.Parallel()
	at := time.Unix(1_790_000_000, 0)
	call := func(status int) partner.Call { return partner.Call{Status: status, At: at} }
	for _, tt := range []struct {
		name  string
		calls []partner.Call
		down  bool
	}{
		{"no call", nil, false},
		{"one failure", []partner.Call{call(503)}, false},
		{"two failures", []partner.Call{call(0), call(502)}, true},
		{"a response between", []partner.Call{call(503), call(404), call(503)}, false},
		{"a response after", []partner.Call{call(503), call(503), call(200)}, false},
		{"canceled by us", []partner.Call{{Canceled: true, At: at}, {Canceled: true, At: at}}, false},
	} {
		h := &LenderHealth{}
		for _, c := range tt.calls {
			h.Observe(c)
		}
		if got := !h.DownSince().IsZero(); got != tt.down {
			t.Errorf("%s: got down %v, want %v", tt.name, got, tt.down)
		}
	}
}

// TestLenderHealth_KeyRefused_UntilAccepted: a refusal of the key is known until a call with the key succeeds, and when
// it was last is known after that.
func TestLenderHealth_KeyRefused_UntilAccepted(t *testing.T) {
	t.Parallel()
	first := time.Unix(1_790_000_000, 0)
	later := first.Add(time.Hour)
	call := func(status int, at time.Time) partner.Call {
		return partner.Call{Status: status, At: at, WithKey: true}
	}
	for _, tt := range []struct {
		name  string
		calls []partner.Call
		want  partner.KeyRefusal
	}{
		{"no call", nil, partner.KeyRefusal{}},
		{"refused", []partner.Call{call(200, first), call(401, first)},
			partner.KeyRefusal{Status: 401, Since: first, Last: first}},
		{"refused again", []partner.Call{call(401, first), call(403, later)},
			partner.KeyRefusal{Status: 403, Since: first, Last: later}},
		{"no answer after", []partner.Call{call(401, first), call(0, later), call(503, later), call(404, later)},
			partner.KeyRefusal{Status: 401, Since: first, Last: first}},
		{"accepted after", []partner.Call{call(401, first), call(200, later)}, partner.KeyRefusal{Status: 401, Last: first}},
		{"refused without the key", []partner.Call{{Status: 401, At: first}}, partner.KeyRefusal{}},
		{"answered without the key", []partner.Call{call(401, first), {Status: 200, At: later}},
			partner.KeyRefusal{Status: 401, Since: first, Last: first}},
	} {
		h := &LenderHealth{}
		for _, c := range tt.calls {
			h.Observe(c)
		}
		if got := h.KeyRefusal(); got != tt.want {
			t.Errorf("%s: got %+v, want %+v", tt.name, got, tt.want)
		}
	}
}

// Sending is paused while the lender is down. With no lead that is due, only the probe notices that it is back.
func TestProbe_NoLeadDue_LenderReturnNoticedAndAnnounced(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{loops: true}, func(t *testing.T, g *harness) {
		events, leave := g.hub.Subscribe(pubsub.Everyone())
		defer leave()
		announced := func() bool {
			synctest.Wait()
			select {
			case e := <-events:
				return e.Resync()
			default:
				return false
			}
		}
		g.must(g.lender.SetFaults(faultsDown()))
		_, _ = g.client.Originators(t.Context(), partner.OriginatorQuery{Limit: 1})
		if g.lenderHealth.DownSince().IsZero() || !announced() {
			t.Fatal("the outage is not known or not announced")
		}
		time.Sleep(time.Minute)
		if announced() {
			t.Error("an outage that lasts is announced again")
		}
		g.must(g.lender.SetFaults(noFaults()))
		time.Sleep(20 * time.Second)
		if since := g.lenderHealth.DownSince(); !since.IsZero() || !announced() {
			t.Errorf("twenty seconds after the lender is back: down since %v, or not announced", since)
		}
		g.transport.set(nil, nil)
		time.Sleep(time.Minute)
		if n := g.transport.count("/loan-originator"); n > 2 { // the directory is read again after a failed read
			t.Errorf("got %d calls in a minute to a lender that responds, want no probes", n)
		}
	})
}
