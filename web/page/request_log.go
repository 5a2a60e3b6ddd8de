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
func (t *RequestLog) Answered() bool { return t.status != 0 }

// AddAttr adds an attribute to the log line. Never add borrower data or user input.
func (t *RequestLog) AddAttr(key, value string) { t.attrs = append(t.attrs, slog.String(key, value)) }

// responseRecorder records the status and size of a response. It does not hide optional methods of
// the connection, because http.ResponseController uses Unwrap.
type responseRecorder struct {
	http.ResponseWriter
	log *RequestLog
}

// Unwrap returns the original writer for http.ResponseController.
func (w *responseRecorder) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// WriteHeader records the first final status.
func (w *responseRecorder) WriteHeader(status int) {
	if w.log.status == 0 && status >= 200 {
		w.log.status = status
		w.log.endSpanOfStream()
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *responseRecorder) Write(b []byte) (int, error) {
	if w.log.status == 0 {
		w.log.status = http.StatusOK
	}
	n, err := w.ResponseWriter.Write(b)
	w.log.bytes += int64(n)
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
func (t *RequestLog) endSpan() {
	r := trace.Request{Method: t.method, Status: t.status, Reference: t.Reference}
	if t.Route != nil {
		r.Route = t.Route.Pattern
	}
	t.span.EndRequest(r)
}

// endSpanOfStream ends the span of a stream of live updates when it opens, because a trace of hours helps nobody.
func (t *RequestLog) endSpanOfStream() {
	if t.Route != nil && t.Route.Class == Stream {
		t.endSpan()
	}
}

// Pattern returns the pattern of the route, or "none" if no route matched.
func (t *RequestLog) Pattern() string {
	if t.Route == nil {
		return "none"
	}
	return t.Route.Pattern
}

func (t *RequestLog) level() slog.Level {
	switch {
	case t.status == http.StatusServiceUnavailable && t.Route != nil && t.Route.Class == Probe:
		return slog.LevelDebug // "not ready" is a normal answer; the change to it is logged once
	case t.status >= 500:
		return slog.LevelError
	case t.status == http.StatusForbidden || t.status == http.StatusTooManyRequests:
		return slog.LevelWarn
	default:
		return slog.LevelInfo
	}
}

// causeAttrs describes why a request failed. For an Invalid error it logs only the kind, because
// the message may repeat user input.
func (t *RequestLog) causeAttrs() []slog.Attr {
	if t.Err == nil {
		return nil
	}
	if e, ok := errors.AsType[*StatusError](t.Err); ok {
		return []slog.Attr{slog.String("kind", http.StatusText(e.Status))}
	}
	kind := fault.KindOf(t.Err)
	attrs := []slog.Attr{slog.String("kind", kind.String())}
	if kind == fault.Invalid {
		return attrs
	}
	attrs = append(attrs, slog.String("cause", Redact(t.Err.Error())))
	if p, ok := errors.AsType[*panicError](t.Err); ok {
		attrs = append(attrs, slog.String("stack", string(p.stack)))
	}
	return attrs
}

// knownMethod keeps made-up methods out of the log.
func knownMethod(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
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
