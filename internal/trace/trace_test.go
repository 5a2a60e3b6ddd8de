package trace_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"

	"hearthline/internal/trace"
	"hearthline/internal/trace/tracetest"
)

// everything runs each function that starts a span.
func everything(ctx context.Context, tracer *trace.Tracer) {
	ctx, request := tracer.StartRequest(ctx, http.MethodGet)
	part(ctx)
	trace.StartStatement(ctx, "store.AnyLead", "sqlite").End()
	call, span := trace.StartCall(ctx, "details")
	for i, status := range []int{0, 503, 200} {
		_, try := trace.StartTry(call, "details", http.MethodGet, i+1)
		try.EndTry(status, false)
	}
	_, try := trace.StartTry(call, "details", http.MethodGet, 4)
	try.EndTry(0, true)
	span.Fail("unavailable")
	span.End()
	_, work := trace.StartWork(ctx, "refresh lead")
	work.End()
	request.EndRequest(trace.Request{Method: http.MethodGet, Route: "/leads/{app}", Status: 502, Reference: "ABCDEFGH"})
}

func part(ctx context.Context) {
	_, span := trace.Start(ctx, "handle lead overview")
	span.End()
}

func flush(t *testing.T, tracer *trace.Tracer) {
	t.Helper()
	if err := tracer.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func TestSpans_Tree(t *testing.T) {
	t.Parallel()
	tracer, spans := tracetest.Record(t)
	everything(t.Context(), tracer)
	flush(t, tracer)
	want := `refresh lead
GET /leads/{app} error.type=status http.request.method=GET http.response.status_code=502 http.route=/leads/{app}
  handle lead overview
  store.AnyLead db.system.name=sqlite
  lender details error.type=unavailable hearthline.lender.operation=details
    GET details error.type=no response hearthline.lender.attempt=1 hearthline.lender.operation=details http.request.method=GET
    GET details error.type=status hearthline.lender.attempt=2 hearthline.lender.operation=details http.request.method=GET http.response.status_code=503
    GET details hearthline.lender.attempt=3 hearthline.lender.operation=details http.request.method=GET http.response.status_code=200
    GET details error.type=canceled hearthline.lender.attempt=4 hearthline.lender.operation=details http.request.method=GET
`
	if got := spans.Tree(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	for _, span := range spans.All() {
		for key := range span.Attributes {
			if !slices.Contains(trace.Keys(), key) {
				t.Errorf("%s has the attribute %s, which Keys does not list", span.Name, key)
			}
		}
	}
	if got := tracer.Counts(); got != (trace.Counts{Ended: 9, Exported: 9}) {
		t.Errorf("got %+v", got)
	}
}

// TestSpans_AfterTheRequest_None expects that work which goes on after a stream of live updates opened is in no trace.
func TestSpans_AfterTheRequest_None(t *testing.T) {
	t.Parallel()
	tracer, spans := tracetest.Record(t)
	ctx, request := tracer.StartRequest(t.Context(), http.MethodGet)
	request.EndRequest(trace.Request{Method: http.MethodGet, Route: "/events", Status: 200})
	part(ctx)
	request.EndRequest(trace.Request{Method: http.MethodGet, Route: "/events", Status: 500})
	flush(t, tracer)
	if got, want := spans.Tree(),
		"GET /events http.request.method=GET http.response.status_code=200 http.route=/events\n"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestOff_NoAllocation(t *testing.T) { // AllocsPerRun counts those of all goroutines, so not parallel
	var off *trace.Tracer
	ctx := off.Context(t.Context())
	if n := testing.AllocsPerRun(100, func() { everything(ctx, off) }); n != 0 {
		t.Errorf("got %v allocations without a tracer, want none", n)
	}
	if err := errors.Join(off.Shutdown(ctx)); err != nil || off.Counts() != (trace.Counts{}) {
		t.Errorf("a tracer that does not exist: got %v", err)
	}
}

// failing is an exporter that fails while it should, and counts.
type failing struct {
	fails atomic.Bool
	calls atomic.Int64
}

func (f *failing) ExportSpans(context.Context, []sdktrace.ReadOnlySpan) error {
	f.calls.Add(1)
	if f.fails.Load() {
		return errors.New("connection refused")
	}
	return nil
}

func (*failing) Shutdown(context.Context) error { return nil }

func TestExport_CollectorDown_LoggedOnceUntilItIsBack(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	exporter := &failing{}
	exporter.fails.Store(true)
	tracer, err := trace.New(t.Context(), trace.Options{Exporter: exporter, Log: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		everything(t.Context(), tracer)
		flush(t, tracer)
	}
	if got := strings.Count(log.String(), "\n"); got != 1 || !strings.Contains(log.String(), "traces cannot be sent") ||
		exporter.calls.Load() < 3 {
		t.Errorf("after %d failures: got %d lines, want one: %s", exporter.calls.Load(), got, log.String())
	}
	exporter.fails.Store(false)
	for range 2 {
		everything(t.Context(), tracer)
		flush(t, tracer)
	}
	if got := strings.Count(log.String(), "\n"); got != 2 || !strings.Contains(log.String(), "traces are sent again") {
		t.Errorf("afterwards: got %d lines, want two: %s", got, log.String())
	}
	if got := tracer.Counts(); got != (trace.Counts{Ended: 45, Exported: 18, Failed: 27}) {
		t.Errorf("got %+v", got)
	}
	if err := tracer.Shutdown(t.Context()); err != nil {
		t.Error(err)
	}
}

// hanging is an exporter that answers only when the test ends.
type hanging struct{ ends chan struct{} }

func (h hanging) ExportSpans(context.Context, []sdktrace.ReadOnlySpan) error { <-h.ends; return nil }

func (hanging) Shutdown(context.Context) error { return nil }

// TestExport_CollectorHangs_NobodyWaits would not end if spans or the shutdown waited for the collector.
func TestExport_CollectorHangs_NobodyWaits(t *testing.T) {
	t.Parallel()
	exporter := hanging{make(chan struct{})}
	defer close(exporter.ends)
	tracer, err := trace.New(t.Context(), trace.Options{Exporter: exporter, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	for range 2000 { // with 9 spans each, several times the queue
		everything(t.Context(), tracer)
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if err := tracer.Shutdown(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("shutdown: got %v, want that its context has ended", err)
	}
}

// TestNew_StandardVariables sets variables of the process, so it is not parallel.
func TestNew_StandardVariables(t *testing.T) {
	collector := tracetest.NewCollector(t)
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.URL)
	t.Setenv("OTEL_EXPORTER_OTLP_HEADERS", "authorization=Bearer%20abc")
	t.Setenv("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment.name=staging")
	var log bytes.Buffer
	run := func() {
		t.Helper()
		tracer, err := trace.New(t.Context(), trace.Options{Version: "1.2", Instance: "a/1/X",
			Log: slog.New(slog.NewTextHandler(&log, nil))})
		if err != nil {
			t.Fatal(err)
		}
		everything(t.Context(), tracer)
		if err := tracer.Shutdown(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	run()
	spans := collector.All()
	if len(spans) != 9 {
		t.Fatalf("got %d spans, want 9: %s", len(spans), log.String())
	}
	for key, want := range map[string]string{
		"service.name": "hearthline", "service.version": "1.2", "service.instance.id": "a/1/X",
		"deployment.environment.name": "staging",
	} {
		if got := spans[0].Resource[key]; got != want {
			t.Errorf("%s: got %q, want %q", key, got, want)
		}
	}
	if got := collector.Headers()[0].Get("Authorization"); got != "Bearer abc" {
		t.Errorf("the header: got %q", got)
	}
	for key := range spans[0].Resource {
		if strings.HasPrefix(key, "process.") || strings.HasPrefix(key, "host.") {
			t.Errorf("the resource has %s, which can contain a command line or an address", key)
		}
	}
	t.Setenv("OTEL_SERVICE_NAME", "portal-east")
	run()
	if got := collector.All()[9].Resource["service.name"]; got != "portal-east" {
		t.Errorf("OTEL_SERVICE_NAME: got %q", got)
	}
	t.Setenv("OTEL_TRACES_SAMPLER", "always_off")
	run()
	if n := len(collector.All()); n != 18 {
		t.Errorf("always_off: got %d more spans, want none", n-18)
	}
	if log.Len() > 0 {
		t.Errorf("the log: %s", log.String())
	}
	t.Setenv("OTEL_TRACES_SAMPLER", "sometimes")
	t.Setenv("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc")
	run()
	for _, want := range []string{"sometimes", "OTEL_EXPORTER_OTLP_PROTOCOL"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log has nothing about %s: %s", want, log.String())
		}
	}
}

func TestLogHandler_AddsTraceID(t *testing.T) {
	t.Parallel()
	tracer, spans := tracetest.Record(t)
	var out bytes.Buffer
	log := slog.New(trace.LogHandler(slog.NewTextHandler(&out, nil))).With("a", 1)
	log.InfoContext(t.Context(), "before")
	if strings.Contains(out.String(), trace.LogKey) {
		t.Errorf("outside of a trace: %s", out.String())
	}
	ctx, request := tracer.StartRequest(t.Context(), http.MethodGet)
	log.InfoContext(ctx, "during")
	request.EndRequest(trace.Request{})
	flush(t, tracer)
	if want := "a=1 trace_id=" + spans.All()[0].TraceID; !strings.Contains(out.String(), want) {
		t.Errorf("got %s, want %s", out.String(), want)
	}
}

func TestFunctionName(t *testing.T) {
	t.Parallel()
	for full, want := range map[string]string{
		"hearthline/internal/desk.(*Lead).Note":               "desk.Lead.Note",
		"hearthline/internal/store.queries.AnyLead":           "store.queries.AnyLead",
		"hearthline/internal/store.(*Tx).AddLead.func1":       "store.Tx.AddLead",
		"hearthline/internal/store.listUpTo[go.shape.struct]": "store.listUpTo",
		"hearthline/internal/store.(*Tx).addTokens-range1":    "store.Tx.addTokens",
		"main.main": "main.main",
	} {
		if got := trace.FunctionName(full); got != want {
			t.Errorf("%s: got %s, want %s", full, got, want)
		}
	}
}

func BenchmarkOff(b *testing.B) {
	type key struct{} // requests have values, which a look-up passes
	ctx := context.WithValue(b.Context(), key{}, 1)
	b.ReportAllocs()
	for b.Loop() {
		part(ctx)
		trace.StartStatement(ctx, "store.AnyLead", "sqlite").End()
	}
}

func BenchmarkOn(b *testing.B) {
	exporter := &failing{}
	tracer, err := trace.New(b.Context(), trace.Options{Exporter: exporter, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = tracer.Shutdown(context.Background()) }()
	ctx, span := tracer.StartRequest(b.Context(), http.MethodGet)
	defer span.End()
	b.ReportAllocs()
	for b.Loop() {
		part(ctx)
		trace.StartStatement(ctx, "store.AnyLead", "sqlite").End()
	}
}
