package main

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"hearthline/internal/config"
	"hearthline/internal/trace/tracetest"
	"hearthline/web"
)

// TestTracing_ToCollector runs a portal with a collector. It sets variables of the process, so it is not parallel.
func TestTracing_ToCollector(t *testing.T) {
	collector := tracetest.NewCollector(t)
	for name, value := range map[string]string{
		"PARTNER_BASE_URL": "http://localhost:1", "PARTNER_API_KEY": "key", "OTEL_EXPORTER_OTLP_ENDPOINT": collector.URL,
	} {
		t.Setenv(name, value)
	}
	h := newTracedPortal(t)
	server := httptest.NewServer(web.New(h.webDeps()))
	defer server.Close()
	h.startBackground(stopped(t))
	get(t, server.URL+"/login?email=canary@borrower.test")
	if err := h.close(); err != nil {
		t.Fatal(err)
	}
	got := collector.Named("GET /login")
	if len(got) != 1 || got[0].Resource["service.instance.id"] != h.name ||
		got[0].Resource["service.name"] != "hearthline" || h.name == "" {
		t.Errorf("got %+v", collector.All())
	}
}

// TestTracing_CollectorDown_PortalWorks expects that requests are answered and the portal ends while nothing listens.
func TestTracing_CollectorDown_PortalWorks(t *testing.T) {
	for name, value := range map[string]string{
		"PARTNER_BASE_URL": "http://localhost:1", "PARTNER_API_KEY": "key",
		"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:1", "OTEL_BSP_SCHEDULE_DELAY": "1",
	} {
		t.Setenv(name, value)
	}
	h := newTracedPortal(t)
	var log bytes.Buffer
	h.log = slog.New(slog.NewTextHandler(&log, nil))
	server := httptest.NewServer(web.New(h.webDeps()))
	defer server.Close()
	for range 200 {
		get(t, server.URL+"/login")
	}
	if err := h.close(); err != nil {
		t.Fatal(err)
	}
	if counts := h.tracer.Counts(); counts.Exported != 0 || counts.Ended < 200 || counts.Failed == 0 {
		t.Errorf("got %+v", counts)
	}
}

func TestTracing_Off_NoTracer(t *testing.T) {
	for name, value := range map[string]string{"PARTNER_BASE_URL": "http://localhost:1", "PARTNER_API_KEY": "key",
		"OTEL_EXPORTER_OTLP_ENDPOINT": ""} {
		t.Setenv(name, value)
	}
	h := newTracedPortal(t)
	if h.tracer != nil {
		t.Error("there is a tracer without a collector")
	}
	if err := h.close(); err != nil {
		t.Error(err)
	}
}

func newTracedPortal(t *testing.T) *portal {
	t.Helper()
	inv, err := config.ParsePortal([]string{"--data", t.TempDir(), "serve"},
		config.IO{Stdout: io.Discard, Stderr: io.Discard, Version: version})
	if err != nil {
		t.Fatal(err)
	}
	h, err := newPortal(t.Context(), inv.Config, slog.New(slog.DiscardHandler), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// stopped returns a context that has ended, with which background work begins and ends.
func stopped(t *testing.T) context.Context {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	stop()
	return ctx
}

func get(t *testing.T, address string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	if _, err := io.Copy(io.Discard, res.Body); err != nil || res.StatusCode != http.StatusOK {
		t.Fatalf("got %d, %v", res.StatusCode, err)
	}
}
