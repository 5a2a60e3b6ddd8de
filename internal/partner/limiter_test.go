package partner

import (
	"context"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"hearthline/internal/heloc"
)

func noWait(Wait) {}

func TestLimiter_OneCaller_LimitedToRate(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for _, tt := range []struct {
			perSecond, calls int
			want             time.Duration
		}{{10, 30, 2 * time.Second}, {0, 1000, 0}} {
			b, began := newLimiter(tt.perSecond, noWait), time.Now()
			ctx, stop := context.WithTimeout(t.Context(), time.Minute)
			defer stop()
			for range tt.calls {
				if err := b.wait(ctx, Caller{}); err != nil {
					t.Fatal(err)
				}
			}
			if got := time.Since(began); got != tt.want {
				t.Errorf("%d calls at %d a second took %v, want %v after the burst", tt.calls, tt.perSecond, got, tt.want)
			}
		}
	})
}

// sent is a call that the limiter has admitted.
type sent struct {
	Caller
	at, waited time.Duration // since the start
}

// load sends calls through a limiter in a synctest bubble and records them.
type load struct {
	*limiter
	began time.Time
	all   sync.WaitGroup
	mu    sync.Mutex
	sent  []sent
	gone  int // calls that were given up
}

func newLoad(perSecond int) *load {
	return &load{limiter: newLimiter(perSecond, noWait), began: time.Now()}
}

// call makes one call and returns how long it waited.
func (l *load) call(ctx context.Context, c Caller) time.Duration {
	began := time.Now()
	err := l.wait(ctx, c)
	l.mu.Lock()
	defer l.mu.Unlock()
	if err != nil {
		l.gone++
	} else {
		l.sent = append(l.sent, sent{c, time.Since(l.began), time.Since(began)})
	}
	return time.Since(began)
}

// repeat keeps so many calls waiting until the context ends.
func (l *load) repeat(ctx context.Context, c Caller, atOnce int) {
	for range atOnce {
		l.all.Go(func() {
			for ctx.Err() == nil {
				l.call(ctx, c)
			}
		})
	}
}

func (l *load) count(c Caller) (n int) {
	for _, s := range l.sent {
		if s.Caller == c {
			n++
		}
	}
	return n
}

// Company A sends a hundred calls at once, and B, C and D one at a time. Each gets the same share, so B does not wait
// for A's calls.
func TestLimiter_BusyCompany_OthersWaitOneTurn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const perSecond, companies = 10, 4
		l := newLoad(perSecond)
		ctx, stop := context.WithTimeout(t.Context(), time.Minute)
		defer stop()
		l.repeat(ctx, Caller{Company: "A"}, 100)
		for _, name := range []string{"B", "C", "D"} {
			l.repeat(ctx, Caller{Company: name}, 1)
		}
		l.all.Wait()
		for _, s := range l.sent {
			if limit := companies * time.Second / perSecond; s.Company != "A" && s.waited > limit {
				t.Fatalf("%s waited %v, want at most %v: one turn of each company", s.Company, s.waited, limit)
			}
		}
		for _, name := range []string{"A", "B", "C", "D"} {
			if got, want := l.count(Caller{Company: name}), perSecond*60/companies; got < want-5 || got > want+15 {
				t.Errorf("%s sent %d calls in a minute, want about %d", name, got, want)
			}
		}
	})
}

// TestLimiter_BusyUser_LeavesRateForColleagues has one user send a hundred calls at once: a colleague waits for one
// of them, other companies wait no longer than before, and a user who is alone gets the whole rate.
func TestLimiter_BusyUser_LeavesRateForColleagues(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := newLoad(10)
		ctx, stop := context.WithTimeout(t.Context(), time.Minute)
		defer stop()
		olivia, marcus, piotr := Caller{User: "olivia", Company: "A"}, Caller{User: "marcus", Company: "A"},
			Caller{User: "piotr", Company: "B"}
		l.repeat(ctx, olivia, 100)
		l.repeat(ctx, marcus, 1)
		l.repeat(ctx, piotr, 1)
		l.repeat(ctx, Caller{Company: "A", Background: true}, 10)
		l.all.Wait()
		for _, s := range l.sent {
			if limit := time.Second; s.Caller == marcus && s.waited > limit {
				t.Fatalf("Marcus waited %v for Olivia's calls, want at most %v", s.waited, limit)
			}
		}
		if got, want := l.count(marcus), l.count(olivia); got < want-20 || got > want+20 {
			t.Errorf("Marcus sent %d calls in a minute, Olivia %d, want about the same", got, want)
		}
		if got, want := l.count(piotr), l.count(olivia)+l.count(marcus); got < want-20 || got > want+20 {
			t.Errorf("company B sent %d calls in a minute, A's users %d, want about the same", got, want)
		}
		alone, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		l.sent = nil
		l.repeat(alone, olivia, 5)
		l.all.Wait()
		if got := l.count(olivia); got < 590 {
			t.Errorf("alone, Olivia sent %d calls in a minute, want about 600", got)
		}
	})
}

// The processes that share the key together stay within its rate.
func TestShareRate_SeveralProcesses_PartEach(t *testing.T) {
	t.Parallel()
	c, err := New(Config{BaseURL: "https://lender.test", APIKeys: func() []string { return []string{"key"} }, Rate: 10})
	if err != nil {
		t.Fatal(err)
	}
	for processes, want := range map[int]float64{2: 5, 4: 2.5, 1: 10, 30: 10.0 / 30} {
		c.ShareRate(processes)
		if got := float64(c.limiter.bucket.Limit()); got != want {
			t.Errorf("%d processes: %v a second, want %v", processes, got, want)
		}
		if c.limiter.bucket.Burst() < 1 {
			t.Errorf("%d processes: nothing can be sent", processes)
		}
	}
}

func TestLimiter_InteractiveAndBackground_ThreeQuartersAndOne(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := newLoad(10)
		ctx, stop := context.WithTimeout(t.Context(), time.Minute)
		defer stop()
		user, sweep := Caller{Company: "A"}, Caller{Company: "A", Background: true}
		l.repeat(ctx, sweep, 50)
		l.repeat(ctx, user, 50)
		l.all.Wait()
		if got, total := l.count(sweep), len(l.sent); got < total/4-5 || got > total/4+15 {
			t.Errorf("the background sent %d of %d calls, want about a quarter", got, total)
		}
		// Alone, the background has the whole rate.
		alone, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		l.sent = nil
		l.repeat(alone, sweep, 1)
		l.all.Wait()
		if got := l.count(sweep); got < 590 {
			t.Errorf("alone, the background sent %d calls in a minute, want about 600", got)
		}
	})
}

// The property of the queue, with random arrivals of several companies of which one floods it: whatever the others do,
// a company's call waits for a number of turns that depends on how many companies there are and on the company's own
// earlier calls. Callers give up at random.
func TestLimiter_RandomArrivals_WaitBoundedByCompanies(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20) {
		t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) { randomArrivals(t, rand.New(rand.NewPCG(seed, seed))) })
		})
	}
}

func randomArrivals(t *testing.T, random *rand.Rand) {
	t.Helper()
	perSecond, companies := 1+random.IntN(20), 2+random.IntN(8)
	l := newLoad(perSecond)
	turn := time.Second / time.Duration(perSecond)
	starved := 100 * time.Duration(companies) * turn
	flood, stop := context.WithCancel(t.Context())
	l.repeat(flood, Caller{Company: "flood"}, 50)
	l.repeat(flood, Caller{Company: "flood", Background: true}, 50)
	var few sync.WaitGroup
	for i := range companies {
		for _, c := range []Caller{{Company: strconv.Itoa(i)}, {Company: strconv.Itoa(i), Background: true}} {
			pauses, patience := make([]time.Duration, 30), make([]time.Duration, 30)
			for k := range pauses {
				pauses[k], patience[k] = time.Duration(random.Int64N(int64(20*turn))), starved
				if random.IntN(4) == 0 {
					patience[k] = time.Duration(random.Int64N(int64(10 * turn)))
				}
			}
			few.Go(func() { // one call at a time, as of one user
				for k := 0; k < len(pauses); k++ {
					time.Sleep(pauses[k])
					ctx, cancel := context.WithTimeout(flood, patience[k])
					if waited := l.call(ctx, c); waited >= starved {
						t.Errorf("%+v starved: waited %v", c, waited)
						k = len(pauses)
					}
					cancel()
				}
			})
		}
	}
	few.Wait()
	took := time.Since(l.began)
	stop()
	l.all.Wait()

	all := time.Duration(companies + 1)
	for _, s := range l.sent {
		limit := all*turn*(interactiveTurns+1)/interactiveTurns + 2*turn
		if s.Background {
			limit = all*turn*(interactiveTurns+1) + 2*turn
		}
		if s.Company != "flood" && s.waited > limit {
			t.Errorf("%+v waited %v of %d companies at %d a second, want at most %v",
				s.Caller, s.waited, companies, perSecond, limit)
		}
	}
	at := make([]time.Duration, len(l.sent))
	for i, s := range l.sent {
		at[i] = s.at
	}
	slices.Sort(at)
	// More than the burst in no time, or more than the rate over any time, is too much.
	for i := perSecond; i < len(at); i++ {
		if got, least := at[i]-at[i-perSecond], turn; got < least-time.Microsecond {
			t.Fatalf("%d calls within %v at %d a second", perSecond+1, got, perSecond)
		}
	}
	if got, most := len(at), perSecond+int(took/turn)+1; got > most || got < most-perSecond-2 {
		t.Errorf("%d calls in %v at %d a second, want %d", got, took, perSecond, most)
	}
	if q := l.queued(); q != (QueueStats{}) || len(l.interactive.waiting)+len(l.background.waiting) != 0 {
		t.Errorf("something still waits: %+v", q)
	}
	if l.gone == 0 {
		t.Error("nobody gave up, so this proves nothing")
	}
}

// A call that was given up uses no part of the rate.
func TestLimiter_CallerGivesUp_UsesNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var waits []Wait
		b := newLimiter(1, func(w Wait) {
			mu.Lock()
			defer mu.Unlock()
			waits = append(waits, w)
		})
		if err := b.wait(t.Context(), Caller{}); err != nil { // the burst
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancelCause(t.Context())
		var all sync.WaitGroup
		for range 100 {
			all.Go(func() {
				if err := b.wait(ctx, Caller{Company: "A"}); err == nil {
					t.Error("a call of a caller who gave up was sent")
				}
			})
		}
		synctest.Wait()
		if got, want := b.queued(), (QueueStats{Interactive: 100, Companies: 1}); got != want {
			t.Errorf("got %+v, want %+v", got, want)
		}
		time.Sleep(time.Second / 2)
		if got := b.queued().Oldest; got != time.Second/2 {
			t.Errorf("the oldest waits %v, want 500ms", got)
		}
		cancel(context.Canceled)
		all.Wait()
		if err := b.wait(ctx, Caller{}); err == nil {
			t.Error("a call was sent after its context had ended")
		}
		began := time.Now()
		last, stop := context.WithTimeout(t.Context(), time.Minute)
		defer stop()
		if err := b.wait(last, Caller{Company: "B"}); err != nil || time.Since(began) != time.Second/2 {
			t.Errorf("the next call waited %v (%v), want the rest of the second", time.Since(began), err)
		}
		if n := len(waits); n != 102 || waits[0].Duration != 0 || !waits[0].Sent || waits[5].Sent ||
			waits[5].Duration != time.Second/2 {
			t.Errorf("%d waits were reported, want 102 with what became of each: %+v", n, waits[:min(n, 6)])
		}
	})
}

// The turn of a call whose caller gives up at the same moment is another's.
func TestLimiter_CallerGivesUpAtItsTurn_AnotherIsSent(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newLimiter(1, noWait)
		mine := &waiter{Caller: Caller{Company: "A"}, since: time.Now(), ready: make(chan struct{})}
		other := &waiter{Caller: Caller{Company: "B", Background: true}, since: time.Now(), ready: make(chan struct{})}
		b.background.Add("B", other)
		b.leave(mine) // it was taken already
		select {
		case <-other.ready:
		default:
			t.Error("the turn was lost")
		}
		b.leave(mine) // nobody waits
	})
}

func TestLimiter_RateRaised_WaitingCallsUseIt(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newLimiter(1, noWait)
		b.setRate(0.001, 1)
		_ = b.wait(t.Context(), Caller{})
		began := time.Now()
		done := make(chan error)
		ctx, stop := context.WithTimeout(t.Context(), time.Minute)
		defer stop()
		go func() { done <- b.wait(ctx, Caller{}) }()
		synctest.Wait()
		b.setRate(10, 1)
		if err := <-done; err != nil || time.Since(began) > time.Second {
			t.Errorf("waited %v (%v), want the new rate", time.Since(began), err)
		}
	})
}

// Calls of the client wait for their company's turn, and a second try with the next key counts too.
func TestClient_BusyCompany_OtherCompanyIsServed(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var keys []string
	lender := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		keys = append(keys, r.Header.Get("apikey"))
		if r.Header.Get("apikey") == "old" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		_, _ = w.Write([]byte(`{"data":{"documents":[]}}`))
	}))
	defer lender.Close()
	c, err := New(Config{BaseURL: lender.URL, APIKeys: func() []string { return []string{"old", "new"} }, Rate: 2})
	if err != nil {
		t.Fatal(err)
	}
	c.limiter.setRate(1e-9, 2)
	app := heloc.AppID("0b2ff5a8-5c2e-4c55-9a5e-7a2f3b1f0001")
	if _, err := c.Documents(t.Context(), app); err != nil { // both keys: the whole burst
		t.Fatal(err)
	}
	if want := []string{"old", "new"}; !slices.Equal(keys, want) {
		t.Fatalf("sent with %v, want %v", keys, want)
	}
	if got := c.limiter.bucket.Tokens(); got > 0.1 {
		t.Fatalf("%v calls are left, want none: each sending counts", got)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var all sync.WaitGroup
	for _, caller := range []Caller{{Company: "A"}, {Company: "B", Background: true}, {}} {
		all.Go(func() {
			if _, err := c.Documents(WithCaller(ctx, caller), app); ResultOf(WriteResult{}, err).Reach != heloc.ReachNothing {
				t.Errorf("%+v: got %v, want an error of a call that was not sent", caller, err)
			}
		})
	}
	for c.Queue().Interactive+c.Queue().Background < 3 {
		time.Sleep(time.Millisecond) // until all wait; nothing depends on how long that takes
	}
	if q := c.Queue(); q.Interactive != 2 || q.Background != 1 || q.Companies != 3 {
		t.Errorf("got %+v, want two calls that users wait for and one in the background", q)
	}
	cancel()
	all.Wait()
}
