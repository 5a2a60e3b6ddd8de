// Package trace records what a request spends its time on, as OpenTelemetry spans. It is the only package that imports
// OpenTelemetry: the others call its functions, which do nothing without a Tracer.
//
//	trace.go      the Tracer of a portal, its exporter and its end; every attribute that a span can have
//	span.go       spans of requests, handlers, statements and calls
//	export.go     keeps a collector that is down from being noticed, except in the log and in the metrics;
//	              the trace id in log lines
//
// A span has names from the code, patterns of routes, statuses and counts. It never has anything that a user entered,
// that the lender sent, or that identifies a person or a lead.
package trace

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync/atomic"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	oteltrace "go.opentelemetry.io/otel/trace"
)

// Options configure a Tracer.
type Options struct {
	Version  string // of the portal
	Instance string // identifies this process among others on the database
	Log      *slog.Logger
	// Exporter receives the spans; nil sends them by OTLP over HTTP to the collector that the OTEL_ variables name.
	Exporter sdktrace.SpanExporter
}

// Tracer starts the spans of a portal. A nil Tracer starts none.
type Tracer struct {
	provider *sdktrace.TracerProvider
	tracer   oteltrace.Tracer
	exports  *exports
}

// open counts the tracers of this process. While there are none, no function looks into its context.
var open atomic.Int64

// serviceName is the name of the portal unless OTEL_SERVICE_NAME has another.
const serviceName = "hearthline"

// New returns a Tracer. Sampler, limits and resource are those of the OTEL_ variables.
func New(ctx context.Context, o Options) (*Tracer, error) {
	out := &exports{log: o.Log, exporter: o.Exporter}
	otel.SetErrorHandler(otel.ErrorHandlerFunc(out.logSetup)) // of the whole process: the library has no other
	if out.exporter == nil {
		exporter, err := otlptracehttp.New(ctx)
		if err != nil {
			return nil, fmt.Errorf("trace: %w", err)
		}
		out.exporter = exporter
		if protocol := os.Getenv("OTEL_EXPORTER_OTLP_PROTOCOL"); strings.HasPrefix(protocol, "grpc") {
			o.Log.Warn("traces are sent over HTTP; the protocol grpc is not supported", "setting", "OTEL_EXPORTER_OTLP_PROTOCOL")
		}
	}
	described, err := resource.New(ctx, resource.WithTelemetrySDK(), resource.WithAttributes(resourceAttributes(o)...),
		resource.WithFromEnv())
	if err != nil && !errors.Is(err, resource.ErrPartialResource) {
		return nil, fmt.Errorf("trace: %w", err)
	}
	batches := sdktrace.NewBatchSpanProcessor(out)
	t := &Tracer{exports: out, provider: sdktrace.NewTracerProvider(sdktrace.WithResource(described),
		sdktrace.WithSpanProcessor(countEnded{batches, out}))}
	t.tracer = t.provider.Tracer("hearthline/internal/trace")
	open.Add(1)
	return t, nil
}

// Shutdown sends the spans that have ended, for as long as the context allows.
func (t *Tracer) Shutdown(ctx context.Context) error {
	if t == nil {
		return nil
	}
	open.Add(-1)
	return t.provider.Shutdown(ctx)
}

// Flush sends the spans that have ended.
func (t *Tracer) Flush(ctx context.Context) error { return t.provider.ForceFlush(ctx) }

// Counts returns how many spans ended, were received by the collector and were not.
func (t *Tracer) Counts() Counts {
	if t == nil {
		return Counts{}
	}
	return t.exports.counts()
}

type tracerKey struct{}

// Context returns a context in which StartWork starts traces.
func (t *Tracer) Context(ctx context.Context) context.Context {
	if t == nil {
		return ctx
	}
	return context.WithValue(ctx, tracerKey{}, t)
}

func tracerOf(ctx context.Context) *Tracer {
	t, _ := ctx.Value(tracerKey{}).(*Tracer)
	return t
}

// The keys of all attributes of spans, by OpenTelemetry's conventions where these have one. No function of this package
// takes a key, so there are no others.
const (
	keyMethod    = attribute.Key("http.request.method")
	keyRoute     = attribute.Key("http.route")
	keyStatus    = attribute.Key("http.response.status_code")
	keyError     = attribute.Key("error.type")
	keyDatabase  = attribute.Key("db.system.name")
	keyReference = attribute.Key("hearthline.reference")
	keyOperation = attribute.Key("hearthline.lender.operation")
	keyAttempt   = attribute.Key("hearthline.lender.attempt")
)

// Keys lists the keys that the attributes of a span can have.
func Keys() []string {
	return []string{
		string(keyMethod), string(keyRoute), string(keyStatus), string(keyError), string(keyDatabase), string(keyReference),
		string(keyOperation), string(keyAttempt),
	}
}

// resourceAttributes describe this process.
func resourceAttributes(o Options) []attribute.KeyValue {
	return []attribute.KeyValue{
		attribute.String("service.name", serviceName), attribute.String("service.version", o.Version),
		attribute.String("service.instance.id", o.Instance),
	}
}
