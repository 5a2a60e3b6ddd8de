package page

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"regexp"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/go-chi/chi/v5/middleware"

	"hearthline/internal/desk"
	"hearthline/internal/fault"
	"hearthline/internal/trace"
)

// RequestLog collects what happens during one request and is logged once, at the end. It has the
// route's pattern and never the URL, whose query may contain a borrower's name.
type RequestLog struct {
	Reference  string // short enough to read out on the phone
	Route      *Route // nil if no route matched
	Visit      *Visit // nil if nobody is signed in, or the route does not check
	User       string // user id
	status     int    // zero until the header is written
	bytes      int64
	Err        error
	LeadHidden bool // the lead in the URL does not exist for this user
	attrs      []slog.Attr
	form       *RequestForm // nil until parsed
	method     string       // a known one
	span       trace.Span
}

type requestLogKey struct{}

// RequestLogger writes one line for each request.
type RequestLogger struct {
	Responder *Responder
	Log       *slog.Logger
	Observe   func(RequestStats) // called for every request except live streams; may be nil
	Tracer    *trace.Tracer      // may be nil
}

// RequestStats describes an answered request for metrics. It has the route's pattern, never the
// URL.
type RequestStats struct {
	Method, Route string
	Status        int // 0 if the client disconnected before the response
	Duration      time.Duration
}

// RequestLogOf returns the log of a request. Every request that came through the server has one.
func RequestLogOf(r *http.Request) *RequestLog {
	if t, ok := r.Context().Value(requestLogKey{}).(*RequestLog); ok {
		return t
	}
	return &RequestLog{}
}

// Answered reports whether a part of the response is already sent.
func (l *RequestLog) Answered() bool { return l.status != 0 }

// AddAttr adds an attribute to the log line. Never add borrower data or user input.
func (l *RequestLog) AddAttr(key, value string) { l.attrs = append(l.attrs, slog.String(key, value)) }

// responseRecorder records the status and size of a response. It does not hide optional methods of
// the connection, because http.ResponseController uses Unwrap.
type responseRecorder struct {
	http.ResponseWriter
	log *RequestLog
}

// Unwrap returns the original writer for http.ResponseController.
func (rec *responseRecorder) Unwrap() http.ResponseWriter { return rec.ResponseWriter }

// WriteHeader records the first final status.
func (rec *responseRecorder) WriteHeader(status int) {
	if rec.log.status == 0 && status >= 200 {
		rec.log.status = status
		rec.log.endSpanOfStream()
	}
	rec.ResponseWriter.WriteHeader(status)
}

func (rec *responseRecorder) Write(b []byte) (int, error) {
	if rec.log.status == 0 {
		rec.log.status = http.StatusOK
	}
	n, err := rec.ResponseWriter.Write(b)
	rec.log.bytes += int64(n)
	return n, err
}

// Wrap creates the log of each request, turns a panic into an error page, and writes the
// log line at the end.
func (l *RequestLogger) Wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		t := &RequestLog{Reference: rand.Text()[:8]}
		start := l.Responder.Now()
		from := desk.WithNetwork(r.Context(), NetworkPrefix(middleware.GetClientIPAddr(r.Context())))
		from, t.span = l.Tracer.StartRequest(from, knownMethod(r.Method))
		t.method = knownMethod(r.Method)
		r = r.WithContext(context.WithValue(from, requestLogKey{}, t))
		rec := &responseRecorder{ResponseWriter: w, log: t}
		defer l.writeRequestLog(r, start)
		defer l.recoverPanic(rec, r)
		next.ServeHTTP(rec, r)
	})
}

// recoverPanic turns a panic into an error page. It panics again with ErrAbortHandler, because that
// aborts the connection.
func (l *RequestLogger) recoverPanic(w *responseRecorder, r *http.Request) {
	p := recover()
	if p == nil {
		return
	}
	if err, ok := p.(error); ok && errors.Is(err, http.ErrAbortHandler) {
		panic(http.ErrAbortHandler)
	}
	l.Responder.respondError(w, r, &panicError{value: p, stack: debug.Stack()})
}

// panicError is a panic as an error. Its text contains the value only if the runtime created it;
// any other value may contain user data.
type panicError struct {
	value any
	stack []byte
}

func (p *panicError) Error() string {
	if err, ok := p.value.(runtime.Error); ok {
		return "panic: " + err.Error()
	}
	return fmt.Sprintf("panic: %T", p.value)
}

func (l *RequestLogger) writeRequestLog(r *http.Request, start time.Time) {
	t := RequestLogOf(r)
	took := l.Responder.Now().Sub(start)
	if l.Observe != nil && (t.Route == nil || t.Route.Class != Stream) {
		l.Observe(RequestStats{Method: knownMethod(r.Method), Route: t.Pattern(), Status: t.status, Duration: took})
	}
	if t.Route != nil && t.Route.Class == Probe && t.Err == nil {
		return // and a span that does not end is not sent
	}
	t.endSpan()
	attrs := []slog.Attr{
		slog.String("method", knownMethod(r.Method)),
		slog.String("route", t.Pattern()),
		slog.Int("status", t.status),
		slog.Int64("ms", took.Milliseconds()),
		slog.Int64("bytes", t.bytes),
		slog.String("from", NetworkPrefix(middleware.GetClientIPAddr(r.Context()))),
		slog.String("user", t.User),
		slog.String("ref", t.Reference),
	}
	attrs = append(attrs, t.attrs...)
	l.Log.LogAttrs(r.Context(), t.level(), "request", append(attrs, t.causeAttrs()...)...)
}

// endSpan ends the span of the request.
func (l *RequestLog) endSpan() {
	r := trace.Request{Method: l.method, Status: l.status, Reference: l.Reference}
	if l.Route != nil {
		r.Route = l.Route.Pattern
	}
	l.span.EndRequest(r)
}

// endSpanOfStream ends the span of a stream of live updates when it opens, because a trace of hours helps nobody.
func (l *RequestLog) endSpanOfStream() {
	if l.Route != nil && l.Route.Class == Stream {
		l.endSpan()
	}
}

// Pattern returns the pattern of the route, or "none" if no route matched.
func (l *RequestLog) Pattern() string {
	if l.Route == nil {
		return "none"
	}
	return l.Route.Pattern
}

func (l *RequestLog) level() slog.Level {
	switch {
	case l.status == http.StatusServiceUnavailable && l.Route != nil && l.Route.Class == Probe:
		return slog.LevelDebug // "not ready" is a normal answer; the change to it is logged once
	case l.status >= 500:
		return slog.LevelError
	case l.status == http.StatusForbidden || l.status == http.StatusTooManyRequests:
		return slog.LevelWarn
	default:
		return slog.LevelInfo
	}
}

// causeAttrs describes why a request failed. For an Invalid error it logs only the kind, because
// the message may repeat user input.
func (l *RequestLog) causeAttrs() []slog.Attr {
	if l.Err == nil {
		return nil
	}
	if e, ok := errors.AsType[*StatusError](l.Err); ok {
		return []slog.Attr{slog.String("kind", http.StatusText(e.Status))}
	}
	kind := fault.KindOf(l.Err)
	attrs := []slog.Attr{slog.String("kind", kind.String())}
	if kind == fault.Invalid {
		return attrs
	}
	attrs = append(attrs, slog.String("cause", Redact(l.Err.Error())))
	if p, ok := errors.AsType[*panicError](l.Err); ok {
		attrs = append(attrs, slog.String("stack", string(p.stack)))
	}
	return attrs
}

// knownMethod keeps made-up methods out of the log.
func knownMethod(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete,
		http.MethodOptions:
		return method
	default:
		return "other"
	}
}

// leakPattern matches what no cause should contain: social security numbers, encrypted payloads,
// email addresses. It is the last line of defense, not the first.
var leakPattern = regexp.MustCompile(`\b\d{3}-?\d{2}-?\d{4}\b|\beyJ[\w-]{8,}[\w.-]*|[\w.+-]+@[\w-]+\.[\w.-]+`)

// Redact replaces what leakPattern matches.
func Redact(text string) string { return leakPattern.ReplaceAllString(text, "[withheld]") }
