package trace

import (
	"context"
	"net/http"
	"strings"

	"go.opentelemetry.io/otel/codes"
	oteltrace "go.opentelemetry.io/otel/trace"
)

// Span is one piece of work. The zero value records nothing.
type Span struct{ span oteltrace.Span }

// End ends the span.
func (s Span) End() {
	if s.span != nil {
		s.span.End()
	}
}

// In returns a context whose span this is, if it records anything.
func (s Span) In(ctx context.Context) context.Context {
	if s.span == nil {
		return ctx
	}
	return oteltrace.ContextWithSpan(ctx, s.span)
}

// Fail marks the span as failed. The kind is a word of the code, such as a kind of fault, and never the text of an
// error.
func (s Span) Fail(kind string) {
	if s.span != nil {
		s.span.SetStatus(codes.Error, "")
		s.span.SetAttributes(keyError.String(kind))
	}
}

// Recording reports whether spans that are started in this context are recorded. It is false without a trace, for one
// that is not sampled, and after the span of the context has ended.
func Recording(ctx context.Context) bool {
	return open.Load() > 0 && oteltrace.SpanFromContext(ctx).IsRecording()
}

// Start starts a span in that of the context. Without one, it starts none.
func Start(ctx context.Context, name string) (context.Context, Span) {
	return start(ctx, name, oteltrace.SpanKindInternal)
}

func start(ctx context.Context, name string, kind oteltrace.SpanKind) (context.Context, Span) {
	if !Recording(ctx) {
		return ctx, Span{}
	}
	t := tracerOf(ctx)
	if t == nil {
		return ctx, Span{}
	}
	ctx, span := t.tracer.Start(ctx, name, oteltrace.WithSpanKind(kind))
	return ctx, Span{span}
}

// FunctionName returns a function's name with that of its package, without the path: desk.Lead.Note.
func FunctionName(full string) string {
	name := full[strings.LastIndexByte(full, '/')+1:]
	name, _, _ = strings.Cut(name, "[")      // type parameters
	name, _, _ = strings.Cut(name, ".func")  // functions in it
	name, _, _ = strings.Cut(name, "-range") // loops over a function
	return strings.NewReplacer("(*", "", ")", "").Replace(name)
}

// StartStatement starts the span of a database statement. The system is the kind of database, by OpenTelemetry's names.
func StartStatement(ctx context.Context, name, system string) Span {
	_, s := start(ctx, name, oteltrace.SpanKindClient)
	if s.span != nil {
		s.span.SetAttributes(keyDatabase.String(system))
	}
	return s
}

// StartCall starts the span of one call to the lender with all its tries. The operation is its name in
// internal/partner.
func StartCall(ctx context.Context, operation string) (context.Context, Span) {
	if !Recording(ctx) {
		return ctx, Span{}
	}
	ctx, s := start(ctx, "lender "+operation, oteltrace.SpanKindInternal)
	s.span.SetAttributes(keyOperation.String(operation))
	return ctx, s
}

// StartTry starts the span of one try of a call, counted from 1.
func StartTry(ctx context.Context, operation, method string, attempt int) (context.Context, Span) {
	if !Recording(ctx) {
		return ctx, Span{}
	}
	ctx, s := start(ctx, method+" "+operation, oteltrace.SpanKindClient)
	s.span.SetAttributes(keyOperation.String(operation), keyMethod.String(method), keyAttempt.Int(attempt))
	return ctx, s
}

// EndTry ends the span of a try. The status is 0 if there was no response.
func (s Span) EndTry(status int, canceled bool) {
	if s.span == nil {
		return
	}
	switch {
	case canceled:
		s.Fail("canceled")
	case status == 0:
		s.Fail("no response")
	case status >= http.StatusBadRequest:
		s.Fail("status")
	}
	if status > 0 {
		s.span.SetAttributes(keyStatus.Int(status))
	}
	s.span.End()
}

// StartWork starts the trace of work that no request waits for, in a context from Tracer.Context.
func StartWork(ctx context.Context, name string) (context.Context, Span) {
	if open.Load() == 0 {
		return ctx, Span{}
	}
	t := tracerOf(ctx)
	if t == nil {
		return ctx, Span{}
	}
	ctx, span := t.tracer.Start(ctx, name, oteltrace.WithNewRoot())
	return ctx, Span{span}
}

// StartRequest starts the trace of a request. It never continues a trace that the client names, because a browser could
// choose ids and have everything recorded.
func (t *Tracer) StartRequest(ctx context.Context, method string) (context.Context, Span) {
	if t == nil {
		return ctx, Span{}
	}
	ctx, span := t.tracer.Start(t.Context(ctx), method, oteltrace.WithNewRoot(),
		oteltrace.WithSpanKind(oteltrace.SpanKindServer))
	return ctx, Span{span}
}

// Request is what the span of a request says when it ends.
type Request struct {
	Method, Route string // the pattern of the route, never the URL; empty if there is none
	Status        int    // 0 if there was no response
	Reference     string // of the log line and of error pages
}

// EndRequest ends the span of a request.
func (s Span) EndRequest(r Request) {
	if s.span == nil || !s.span.IsRecording() {
		return
	}
	s.span.SetAttributes(keyMethod.String(r.Method), keyReference.String(r.Reference))
	if r.Route != "" {
		s.span.SetName(r.Method + " " + r.Route)
		s.span.SetAttributes(keyRoute.String(r.Route))
	}
	if r.Status > 0 {
		s.span.SetAttributes(keyStatus.Int(r.Status))
	}
	if r.Status >= http.StatusInternalServerError {
		s.Fail("status")
	}
	s.span.End()
}
