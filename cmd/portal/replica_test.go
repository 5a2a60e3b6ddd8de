package main

import (
	"context"
	"io"
	"log/slog"
	"net/http/httptest"
	"testing"
	"time"

	"hearthline/internal/config"
	"hearthline/internal/pubsub"
	"hearthline/internal/store/storetest"
)

// startReplica runs a portal without its web server until stop is called.
func startReplica(t testing.TB, cfg config.Config) (h *portal, stop func()) {
	t.Helper()
	h, err := newPortal(t.Context(), cfg, slog.New(slog.DiscardHandler), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	running, cancel := context.WithCancel(t.Context())
	h.startBackground(running)
	stopped := false
	stop = func() {
		if stopped {
			return
		}
		stopped = true
		cancel()
		if err := h.close(); err != nil {
			t.Error(err)
		}
	}
	t.Cleanup(stop)
	return h, stop
}

// eventually waits until a condition holds.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); !holds(); {
		if time.Now().After(end) {
			t.Fatal(what)
		}
		time.Sleep(time.Millisecond)
	}
}

// TestReplicas_OneDatabase_ShareWork runs two portals on one database: what one announces reaches pages of the other,
// also after the database dropped their connections; one does the scheduled work, and the other as soon as the first
// ends; both stay within the lender's rate.
func TestReplicas_OneDatabase_ShareWork(t *testing.T) {
	address := storetest.EmptyPostgres(t)
	lender := httptest.NewServer(nil)
	t.Cleanup(lender.Close)
	for name, value := range map[string]string{
		"PORTAL_DATABASE_URL": address, "PARTNER_BASE_URL": lender.URL, "PARTNER_API_KEY": "key", "PARTNER_RATE": "10",
	} {
		t.Setenv(name, value)
	}
	inv, err := config.ParsePortal([]string{"--data", t.TempDir(), "serve"},
		config.IO{Stdout: io.Discard, Stderr: io.Discard, Version: version})
	if err != nil {
		t.Fatal(err)
	}
	cfg := inv.Config
	first, stopFirst := startReplica(t, cfg)
	second, _ := startReplica(t, cfg)

	there, leave := second.pubsub.Subscribe("company:B1", pubsub.Everyone())
	defer leave()
	hears := func(when string) {
		t.Helper()
		eventually(t, when+": nothing arrived", func() bool {
			first.pubsub.Publish(pubsub.Event{Inbox: true}, "company:B1")
			select {
			case e := <-there:
				return e.Inbox
			case <-time.After(50 * time.Millisecond):
				return false
			}
		})
	}
	hears("at the start")
	storetest.Exec(t, address, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()
		AND pid <> pg_backend_pid()`)
	hears("after the database dropped all connections")

	eventually(t, "the processes do not report", func() bool {
		all, err := second.store.Replicas(t.Context())
		return err == nil && len(all) == 2
	})
	owner := func() (name string) {
		for _, h := range []*portal{first, second} {
			if held, err := h.store.Duty("lender sync", h.name).Held(t.Context()); err == nil && held {
				name += h.name
			}
		}
		return name
	}
	eventually(t, "the scheduled work is not the duty of one process",
		func() bool { return owner() == first.name || owner() == second.name })
	eventually(t, "the first process has no connection again with which it can say that it ends", func() bool {
		_, err := first.store.ReportReplica(t.Context(), first.name, version)
		return err == nil
	})
	stopFirst()
	eventually(t, "the other process does not take over", func() bool {
		held, err := second.store.Duty("lender sync", second.name).Held(t.Context())
		return err == nil && held
	})
	all, err := second.store.Replicas(t.Context())
	if err != nil || len(all) != 1 || all[0].Name != second.name {
		t.Errorf("got %+v, %v, want the second process alone", all, err)
	}
}
