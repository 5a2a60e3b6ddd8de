// Package tracetest receives spans in tests: Record in memory, NewCollector by OTLP over HTTP as a collector would.
package tracetest

import (
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	collectortrace "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	common "go.opentelemetry.io/proto/otlp/common/v1"
	"google.golang.org/protobuf/proto"

	"hearthline/internal/trace"
)

// Span is a span that was received.
type Span struct {
	Name, TraceID, ID, Parent string // Parent is empty for the first of a trace
	Failed                    bool
	Attributes                map[string]string
	Resource                  map[string]string
	Took                      time.Duration
	Other                     string // whatever else has text: events, links, the description of the status
}

// Spans collects spans.
type Spans struct {
	mu  sync.Mutex
	all []Span
}

// All returns the spans that were received until now.
func (s *Spans) All() []Span {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.all)
}

func (s *Spans) add(more ...Span) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all = append(s.all, more...)
}

// Named returns the spans with a name.
func (s *Spans) Named(name string) []Span {
	return slices.DeleteFunc(s.All(), func(one Span) bool { return one.Name != name })
}

// During returns the spans that are received while f runs.
func (s *Spans) During(t testing.TB, tracer *trace.Tracer, f func()) *Spans {
	t.Helper()
	flush := func() {
		if err := tracer.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	flush()
	before := len(s.All())
	f()
	flush()
	return &Spans{all: s.All()[before:]}
}

// Requests returns the spans of traces that start with a request with the given method.
func (s *Spans) Requests(method string) *Spans {
	traces := map[string]bool{}
	for _, one := range s.All() {
		traces[one.TraceID] = traces[one.TraceID] || one.Parent == "" && strings.HasPrefix(one.Name, method+" ")
	}
	return &Spans{all: slices.DeleteFunc(s.All(), func(one Span) bool { return !traces[one.TraceID] })}
}

// Statements lists the SQL statements by the functions that send them.
func (s *Spans) Statements() (sentBy []string) {
	for _, one := range s.All() {
		if strings.HasPrefix(one.Name, "store.") && one.Name != "store.Write" {
			sentBy = append(sentBy, one.Name)
		}
	}
	slices.Sort(sentBy)
	return sentBy
}

// Transactions counts the write transactions.
func (s *Spans) Transactions() int { return len(s.Named("store.Write")) }

// Tree prints the traces, each span below its parent, without ids and times.
func (s *Spans) Tree() string {
	var b strings.Builder
	all := s.All()
	var below func(parent string, depth int)
	below = func(parent string, depth int) {
		for _, one := range all {
			if one.Parent == parent {
				fmt.Fprintf(&b, "%s%s%s\n", strings.Repeat("  ", depth), one.Name, attributesText(one.Attributes))
				below(one.ID, depth+1)
			}
		}
	}
	below("", 0)
	return b.String()
}

func attributesText(attributes map[string]string) string {
	var keys []string
	for key := range attributes {
		if key != "hearthline.reference" {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	text := ""
	for _, key := range keys {
		text += " " + key + "=" + attributes[key]
	}
	return text
}

// Record returns a tracer whose spans are collected in memory. Flush it before looking at them.
func Record(t testing.TB) (*trace.Tracer, *Spans) {
	t.Helper()
	s := &Spans{}
	return newTracer(t, trace.Options{Exporter: memory{s}, Log: slog.New(slog.DiscardHandler), Version: "test",
		Instance: "test"}), s
}

func newTracer(t testing.TB, o trace.Options) *trace.Tracer {
	t.Helper()
	tracer, err := trace.New(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tracer.Shutdown(context.Background()) })
	return tracer
}

type memory struct{ spans *Spans }

// ExportSpans implements sdktrace.SpanExporter.
func (m memory) ExportSpans(_ context.Context, spans []sdktrace.ReadOnlySpan) error {
	for _, one := range spans {
		got := Span{
			Name: one.Name(), TraceID: one.SpanContext().TraceID().String(),
			ID: one.SpanContext().SpanID().String(), Failed: one.Status().Code == 1,
			Attributes: map[string]string{}, Resource: map[string]string{}, Took: one.EndTime().Sub(one.StartTime()),
			Other: fmt.Sprint(one.Status().Description, one.Events(), one.Links()),
		}
		if one.Parent().IsValid() {
			got.Parent = one.Parent().SpanID().String()
		}
		for _, a := range one.Attributes() {
			got.Attributes[string(a.Key)] = a.Value.String()
		}
		for _, a := range one.Resource().Attributes() {
			got.Resource[string(a.Key)] = a.Value.String()
		}
		m.spans.add(got)
	}
	return nil
}

// Shutdown implements sdktrace.SpanExporter.
func (memory) Shutdown(context.Context) error { return nil }

// Collector receives spans by OTLP over HTTP.
type Collector struct {
	Spans
	URL      string
	mu       sync.Mutex
	requests []http.Header
}

// Headers returns the header of every request.
func (c *Collector) Headers() []http.Header {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.requests)
}

// NewCollector runs a collector until the test ends.
func NewCollector(t testing.TB) *Collector {
	t.Helper()
	c := &Collector{}
	server := httptest.NewServer(http.HandlerFunc(c.receive))
	t.Cleanup(server.Close)
	c.URL = server.URL
	return c
}

func (c *Collector) receive(w http.ResponseWriter, r *http.Request) {
	body := io.Reader(r.Body)
	if r.Header.Get("Content-Encoding") == "gzip" {
		unzipped, err := gzip.NewReader(body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		body = unzipped
	}
	raw, err := io.ReadAll(body)
	var got collectortrace.ExportTraceServiceRequest
	if err == nil {
		err = proto.Unmarshal(raw, &got)
	}
	if err != nil || r.URL.Path != "/v1/traces" || r.Method != http.MethodPost {
		http.Error(w, "not a POST of spans to /v1/traces", http.StatusBadRequest)
		return
	}
	c.mu.Lock()
	c.requests = append(c.requests, r.Header.Clone())
	c.mu.Unlock()
	for _, resource := range got.GetResourceSpans() {
		for _, scope := range resource.GetScopeSpans() {
			for _, one := range scope.GetSpans() {
				received := Span{
					Name: one.GetName(), TraceID: fmt.Sprintf("%x", one.GetTraceId()),
					ID: fmt.Sprintf("%x", one.GetSpanId()), Failed: one.GetStatus().GetCode() == 2,
					Attributes: texts(one.GetAttributes()), Resource: texts(resource.GetResource().GetAttributes()),
					//nolint:gosec // a difference of two instants
					Took:  time.Duration(one.GetEndTimeUnixNano() - one.GetStartTimeUnixNano()),
					Other: fmt.Sprint(one.GetStatus().GetMessage(), one.GetEvents(), one.GetLinks(), one.GetTraceState()),
				}
				if parent := one.GetParentSpanId(); len(parent) > 0 {
					received.Parent = fmt.Sprintf("%x", parent)
				}
				c.add(received)
			}
		}
	}
	w.Header().Set("Content-Type", "application/x-protobuf")
}

func texts(attributes []*common.KeyValue) map[string]string {
	m := map[string]string{}
	for _, a := range attributes {
		switch v := a.GetValue().GetValue().(type) {
		case *common.AnyValue_StringValue:
			m[a.GetKey()] = v.StringValue
		case *common.AnyValue_IntValue:
			m[a.GetKey()] = fmt.Sprint(v.IntValue)
		default:
			m[a.GetKey()] = fmt.Sprint(a.GetValue())
		}
	}
	return m
}
