package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"hearthline/internal/bench"
	"hearthline/internal/config"
	"hearthline/internal/lead"
	"hearthline/internal/reencrypt"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// BenchmarkWriteWaits prints how long a write waits at most while a portal starts, does what it does hourly, and
// re-encrypts after a rotation of the keys. It writes every ten milliseconds.
func BenchmarkWriteWaits(b *testing.B) {
	for _, n := range bench.Sizes(b) {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				measureWriteWaits(b, n)
			}
		})
	}
}

func measureWriteWaits(b *testing.B, n int) {
	b.Helper()
	cfg := newLargeInstallation(b, n)
	lender := newDirectoryLender(b, cfg)
	cfg.Portal.BaseURL = &url.URL{Scheme: "http", Host: "localhost"}
	b.Setenv("PARTNER_API_KEY", "key")
	// only the key of it is used
	inv, _ := config.ParsePortal([]string{"serve", "--data", cfg.Data}, config.IO{Stdout: io.Discard, Stderr: io.Discard})
	cfg.Partner = config.Partner{BaseURL: lender.url(b), APIKey: inv.Config.Partner.APIKey, Dialect: "documented",
		Timeout: 15 * time.Second, Rate: 100, ReferenceField: "externalAppId", FeeMethod: "added", TermUnit: "months"}
	var late atomic.Int64 // how far the clock of the portal is ahead
	now := func() time.Time { return time.Now().Add(time.Duration(late.Load())) }
	h, err := newPortal(b.Context(), cfg, slog.New(slog.NewTextHandler(b.Output(), nil)), now)
	checkBench(b, err)
	running, stop := context.WithCancel(b.Context())
	probeWrites(b, h.store, "start", func() {
		h.startBackground(running)
		lender.awaitRead(b)
		time.Sleep(2 * time.Second)
	})
	hourly := func() { checkBench(b, h.lenderSync.SyncDirectory(b.Context())) }
	probeWrites(b, h.store, "read of the directory", hourly)
	lender.leave()
	probeWrites(b, h.store, "an originator is missing", hourly)
	late.Add(int64(time.Hour))
	probeWrites(b, h.store, "and has left", hourly)
	probeWrites(b, h.store, "log written back", func() { checkBench(b, h.store.Scrub(b.Context())) })
	stop()
	checkBench(b, h.close())

	checkBench(b, vault.Rotate(keyFiles(cfg)))
	withLarge(b, cfg, func(ctx context.Context, db *store.Store, v *vault.Vault) {
		keys := reencrypt.New(db, v, time.Now)
		checkBench(b, useKeys(ctx, db, v, keys))
		probeWrites(b, db, "re-encryption of leads", func() { stepUntil(ctx, b, keys, db, v, "leads.borrower", 100) })
		probeWrites(b, db, "re-encryption of values", func() { stepUntil(ctx, b, keys, db, v, "", 100) })
	})
}

// stepUntil runs batches until a stage is reached, at most some.
func stepUntil(ctx context.Context, b *testing.B, keys *reencrypt.Runner, db *store.Store, v *vault.Vault, stage string,
	batches int) {
	b.Helper()
	if stage == "" {
		checkBench(b, db.Write(ctx, func(tx *store.Tx) error {
			at, err := tx.Reencryption(ctx, v.CurrentKey())
			at.Stage, at.AfterRow, at.AfterAAD = "leads.borrower", "", ""
			if err != nil {
				return err
			}
			return tx.SaveReencryption(ctx, at)
		}))
	}
	for range batches {
		more, err := keys.Step(ctx)
		checkBench(b, err)
		if !more {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// probeWrites writes every ten milliseconds while something runs, and prints the longest waits.
func probeWrites(b *testing.B, db *store.Store, what string, do func()) {
	b.Helper()
	var waits []time.Duration
	ctx, stop := context.WithCancel(b.Context())
	var probe sync.WaitGroup
	probe.Go(func() {
		tick := time.NewTicker(10 * time.Millisecond)
		defer tick.Stop()
		for n := 0; ctx.Err() == nil; n++ {
			began := time.Now()
			err := db.Write(b.Context(), func(tx *store.Tx) error {
				return tx.SaveSetting(b.Context(), "bench.probe", strconv.Itoa(n))
			})
			waits = append(waits, time.Since(began))
			if err != nil {
				b.Errorf("%s: %v", what, err)
				return
			}
			<-tick.C
		}
	})
	began := time.Now()
	do()
	took := time.Since(began)
	stop()
	probe.Wait()
	slices.Sort(waits)
	within, _ := slices.BinarySearch(waits, 50*time.Millisecond)
	b.Logf("%-26s %6.2f s, %5d writes, longest wait %7.1f ms, median %6.1f ms, %d of 50 ms or more",
		what, took.Seconds(), len(waits), milliseconds(waits[len(waits)-1]), milliseconds(waits[len(waits)/2]),
		len(waits)-within)
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// directoryLender is a lender that has only a directory: everybody in the database, until one of them leaves.
type directoryLender struct {
	mu     sync.Mutex
	people []map[string]any
	reads  int
	server *httptest.Server
}

func newDirectoryLender(b *testing.B, cfg config.Config) *directoryLender {
	b.Helper()
	l := &directoryLender{}
	var people []lead.Originator
	withLarge(b, cfg, func(ctx context.Context, db *store.Store, _ *vault.Vault) {
		var err error
		people, err = db.AllOriginators(ctx)
		checkBench(b, err)
	})
	for _, o := range people {
		l.people = append(l.people, map[string]any{"loanOriginatorId": o.UUID, "email": o.Email, "firstName": o.FirstName,
			"lastName": o.LastName, "organization": o.Organization})
	}
	l.server = httptest.NewServer(http.HandlerFunc(l.serve))
	b.Cleanup(l.server.Close)
	return l
}

func (l *directoryLender) serve(w http.ResponseWriter, r *http.Request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	offset, _ := strconv.Atoi(r.URL.Query().Get("offset"))
	limit, _ := strconv.Atoi(r.URL.Query().Get("limit"))
	from := min(offset, len(l.people))
	page := l.people[from:min(from+limit, len(l.people))]
	if offset+limit >= len(l.people) {
		l.reads++
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"data": page, "total": len(l.people), "count": len(page)})
}

func (l *directoryLender) url(b *testing.B) *url.URL {
	b.Helper()
	u, err := url.Parse(l.server.URL)
	checkBench(b, err)
	return u
}

// leave removes the last originator.
func (l *directoryLender) leave() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.people = l.people[:len(l.people)-1]
}

func (l *directoryLender) awaitRead(b *testing.B) {
	b.Helper()
	for range 500 {
		l.mu.Lock()
		reads := l.reads
		l.mu.Unlock()
		if reads > 0 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	b.Fatal("the directory was not read")
}
