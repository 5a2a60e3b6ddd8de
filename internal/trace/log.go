package trace

import (
	"context"
	"log/slog"

	oteltrace "go.opentelemetry.io/otel/trace"
)

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
