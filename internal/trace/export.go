package trace

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
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
