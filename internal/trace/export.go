package trace

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	oteltrace "go.opentelemetry.io/otel/trace"
)

// Counts are numbers of spans since the start. Those that ended and were neither exported nor failed are in the
// queue, or were dropped because it was full.
type Counts struct{ Ended, Exported, Failed int64 }

// exports passes spans on and reports no failure to its caller, which would log each of them. It logs only that
// exporting began to fail, and that it works again.
type exports struct {
	exporter                sdktrace.SpanExporter
	log                     *slog.Logger
	ended, exported, failed atomic.Int64

	mu      sync.Mutex
	failing bool
	setup   map[string]bool // errors of the setup that were logged
}

// ExportSpans implements sdktrace.SpanExporter.
func (e *exports) ExportSpans(ctx context.Context, spans []sdktrace.ReadOnlySpan) error {
	err := e.exporter.ExportSpans(ctx, spans)
	if err != nil {
		e.failed.Add(int64(len(spans)))
	} else {
		e.exported.Add(int64(len(spans)))
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if failing := err != nil; failing != e.failing {
		e.failing = failing
		if failing {
			e.log.Warn("traces cannot be sent; requests are not affected", "cause", err.Error())
		} else {
			e.log.Info("traces are sent again")
		}
	}
	return nil
}

// Shutdown implements sdktrace.SpanExporter.
func (e *exports) Shutdown(ctx context.Context) error { return e.exporter.Shutdown(ctx) }

func (e *exports) counts() Counts {
	return Counts{Ended: e.ended.Load(), Exported: e.exported.Load(), Failed: e.failed.Load()}
}

// logSetup logs an error of the library itself, such as a sampler that does not exist, once.
func (e *exports) logSetup(err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.setup == nil {
		e.setup = map[string]bool{}
	}
	const limit = 20 // such errors come from settings, of which there are few
	if text := err.Error(); !e.setup[text] && len(e.setup) < limit {
		e.setup[text] = true
		e.log.Warn("traces: a setting was ignored, or OpenTelemetry has failed", "cause", text)
	}
}

// countEnded counts the spans that end.
type countEnded struct {
	sdktrace.SpanProcessor
	exports *exports
}

// OnEnd implements sdktrace.SpanProcessor.
func (c countEnded) OnEnd(s sdktrace.ReadOnlySpan) {
	c.exports.ended.Add(1)
	c.SpanProcessor.OnEnd(s)
}

// LogKey is the key of the trace id in log lines, as OpenTelemetry names it.
const LogKey = "trace_id"

// LogHandler adds the trace id to the lines that are logged in the context of a trace.
func LogHandler(next slog.Handler) slog.Handler { return logHandler{next} }

type logHandler struct{ slog.Handler }

// Handle implements slog.Handler.
func (h logHandler) Handle(ctx context.Context, r slog.Record) error {
	if open.Load() > 0 {
		if c := oteltrace.SpanContextFromContext(ctx); c.HasTraceID() {
			r = r.Clone()
			r.AddAttrs(slog.String(LogKey, c.TraceID().String()))
		}
	}
	return h.Handler.Handle(ctx, r)
}

// WithAttrs implements slog.Handler.
func (h logHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return logHandler{h.Handler.WithAttrs(attrs)}
}

// WithGroup implements slog.Handler.
func (h logHandler) WithGroup(name string) slog.Handler { return logHandler{h.Handler.WithGroup(name)} }
