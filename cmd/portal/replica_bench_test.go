package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
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
	"hearthline/internal/config"
	"hearthline/internal/lead"
	"hearthline/internal/pubsub"
	"hearthline/internal/store"
	"hearthline/internal/store/storetest"
	"hearthline/web"
)

// eventStream is the receiving end of a live page: it records when it received something.
type eventStream struct {
	header http.Header
	at     atomic.Int64
	count  *atomic.Int64
}

func (e *eventStream) Header() http.Header         { return e.header }
func (e *eventStream) Write(b []byte) (int, error) { return len(b), nil }
func (e *eventStream) WriteHeader(int)             {}
func (e *eventStream) Flush() {
	e.at.Store(time.Now().UnixNano())
	e.count.Add(1)
}

// BenchmarkReplicaEvents opens live pages at two portals on one database, each of another user, and reports their
// memory and how long a change at the first portal takes until pages of both have it. PORTAL_BENCH_STREAMS is how
// many pages there are.
func BenchmarkReplicaEvents(b *testing.B) {
	n, err := strconv.Atoi(cmp.Or(os.Getenv("PORTAL_BENCH_STREAMS"), "2000"))
	if err != nil {
		b.Fatal(err)
	}
	lender := httptest.NewServer(nil)
	b.Cleanup(lender.Close)
	for name, value := range map[string]string{
		"PORTAL_DATABASE_URL": storetest.EmptyPostgres(b), "PARTNER_BASE_URL": lender.URL, "PARTNER_API_KEY": "key",
		"PORTAL_BASE_URL": "http://localhost",
	} {
		b.Setenv(name, value)
	}
	inv, err := config.ParsePortal([]string{"--data", b.TempDir(), "serve"},
		config.IO{Stdout: io.Discard, Stderr: io.Discard, Version: version})
	if err != nil {
		b.Fatal(err)
	}
	var portals [2]*portal
	for i := range portals {
		portals[i], _ = startReplica(b, inv.Config)
	}
	handlers := [2]http.Handler{web.New(portals[0].webDeps()), web.New(portals[1].webDeps())}
	tokens := make([]string, n)
	for i := range tokens {
		user := access.User{Actor: access.Actor{UserID: fmt.Sprintf("user-%d", i), Name: "Name",
			Email: fmt.Sprintf("u%d@summit.test", i), Role: access.Manager, BrokerID: "B1"}}
		now := time.Now()
		var hash string
		tokens[i], hash = account.NewToken()
		if err := portals[0].store.AddUser(b.Context(), user, "no hash"); err != nil {
			b.Fatal(err)
		}
		if err := portals[0].store.AddSession(b.Context(), access.Session{
			IDHash: hash, UserID: user.UserID, Created: now, LastSeen: now, Expires: now.Add(time.Hour), Level: 2,
			ElevatedAt: now, Proof: access.ByPasskey, Role: user.Role,
		}); err != nil {
			b.Fatal(err)
		}
	}
	inUse := func() uint64 {
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc + m.StackInuse
	}
	before := inUse()
	ctx, leave := context.WithCancel(b.Context())
	var open sync.WaitGroup
	var count atomic.Int64
	streams := make([]*eventStream, n)
	for i, token := range tokens {
		streams[i] = &eventStream{header: http.Header{}, count: &count}
		open.Go(func() {
			r := httptest.NewRequest(http.MethodGet, "/events", nil).WithContext(ctx)
			r.Host = "localhost"
			r.Header.Set("Sec-Fetch-Site", "same-origin")
			r.AddCookie(&http.Cookie{Name: "sid", Value: token})
			handlers[i%2].ServeHTTP(streams[i], r)
		})
	}
	reached := func(want int) {
		for count.Load() < int64(want) {
			time.Sleep(time.Millisecond)
		}
	}
	reached(n)
	b.Logf("%d pages at two portals: %.0f MB", n, float64(inUse()-before)/1e6)
	row := lead.Row{App: "00000000-0000-4000-8000-000000000003", Company: "B1", Originator: "o1"}
	if err := portals[0].store.Write(b.Context(),
		func(tx *store.Tx) error { return tx.AddLead(b.Context(), &row, time.Now()) }); err != nil {
		b.Fatal(err)
	}
	reached(2 * n)
	publish := func() (all []time.Duration) {
		count.Store(0)
		began := time.Now()
		if err := portals[0].store.Write(b.Context(),
			func(tx *store.Tx) error { return tx.SaveLead(b.Context(), &row, time.Now(), true) }); err != nil {
			b.Fatal(err)
		}
		portals[0].pubsub.Publish(pubsub.Event{App: string(row.App), Revision: row.Revision}, pubsub.Company("B1"))
		reached(n)
		for _, s := range streams {
			all = append(all, time.Duration(s.at.Load()-began.UnixNano()))
		}
		return all
	}
	report := func(what string, all []time.Duration) {
		slices.Sort(all)
		b.Logf("%s reached a page after %s (median), %s (99 of 100), %s (longest)",
			what, all[len(all)/2], all[len(all)*99/100], all[len(all)-1])
	}
	var all []time.Duration
	for b.Loop() {
		all = append(all, publish()...)
	}
	report("a change", all)
	// A changed account makes each stream look its session up again.
	storetest.Exec(b, os.Getenv("PORTAL_DATABASE_URL"), `UPDATE installation SET access_revision = access_revision + 1`)
	time.Sleep(50 * time.Millisecond) // until no stream uses an earlier reading
	report("a change after a change of an account", publish())
	leave()
	open.Wait()
}
