package web_test

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/account"
	"hearthline/internal/pubsub"
	"hearthline/web/webtest"
)

// countingStream is the receiving end of a stream: it counts flushes, of which each event has one.
type countingStream struct {
	header  http.Header
	flushes *atomic.Int64
}

func (c *countingStream) Header() http.Header         { return c.header }
func (c *countingStream) Write(b []byte) (int, error) { return len(b), nil }
func (c *countingStream) WriteHeader(int)             {}
func (c *countingStream) Flush()                      { c.flushes.Add(1) }

// BenchmarkEvents opens many event streams, each of another user, and reports the memory of each, and how long a change
// of their company takes until it has reached the last one. PORTAL_BENCH_STREAMS says how many there are.
func BenchmarkEvents(b *testing.B) {
	n, err := strconv.Atoi(cmp.Or(os.Getenv("PORTAL_BENCH_STREAMS"), "2000"))
	if err != nil {
		b.Fatal(err)
	}
	h := webtest.New(b, webtest.Options{NoJobs: true, NoSync: true})
	maya := h.People["maya"].Actor
	tokens := make([]string, n)
	for i := range tokens {
		user := access.User{Actor: access.Actor{UserID: fmt.Sprintf("user-%d", i), Name: "Name",
			Email: fmt.Sprintf("u%d@summit.test", i), Role: access.Manager, BrokerID: maya.BrokerID,
			Organization: maya.Organization}}
		h.Must(h.Store.AddUser(b.Context(), user, "no hash"))
		now := time.Now()
		var hash string
		tokens[i], hash = account.NewToken()
		h.Must(h.Store.AddSession(b.Context(), access.Session{
			IDHash: hash, UserID: user.UserID, Created: now, LastSeen: now, Expires: now.Add(time.Hour), Level: 2,
			ElevatedAt: now, Proof: access.ByPasskey, Role: user.Role,
		}))
	}
	heap := func() uint64 {
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc + m.StackInuse
	}
	before := heap()
	ctx, leave := context.WithCancel(b.Context())
	var streams sync.WaitGroup
	var flushes atomic.Int64
	for _, token := range tokens {
		streams.Go(func() {
			r := httptest.NewRequest(http.MethodGet, "/events", nil).WithContext(ctx)
			r.Host = "localhost"
			r.Header.Set("Sec-Fetch-Site", "same-origin")
			r.AddCookie(&http.Cookie{Name: "sid", Value: token})
			w := &countingStream{header: http.Header{}, flushes: &flushes}
			h.Server.ServeHTTP(w, r)
		})
	}
	reached := func(want int) {
		for flushes.Load() < int64(want) {
			runtime.Gosched()
		}
	}
	reached(n)
	b.Logf("%d streams: %.1f kB each", n, float64(heap()-before)/float64(n)/1000)
	var all []time.Duration
	for i := 0; b.Loop(); i++ {
		flushes.Store(0)
		began := time.Now()
		h.DeskDeps.Hub.Publish(pubsub.Event{App: "00000000-0000-4000-8000-000000000003", Revision: int64(i)},
			pubsub.Company(access.CompanyOf(maya.BrokerID, "")))
		reached(n)
		all = append(all, time.Since(began))
	}
	slices.Sort(all)
	b.Logf("a change reached all %d after %s (median), %s (longest)", n, all[len(all)/2], all[len(all)-1])
	leave()
	streams.Wait()
}
