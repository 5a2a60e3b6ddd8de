package partner

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"hearthline/internal/trace"
	"hearthline/internal/trace/tracetest"
)

// TestTrace_Call_EveryTry expects a span for the call and for each try, and no trace headers in the requests.
func TestTrace_Call_EveryTry(t *testing.T) {
	t.Parallel()
	tracer, spans := tracetest.Record(t)
	var calls atomic.Int64
	var headers []string
	lender := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		headers = append(headers, r.Header.Get("Traceparent")+r.Header.Get("Tracestate")+r.Header.Get("Baggage"))
		if calls.Add(1) == 1 {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		w.WriteHeader(http.StatusNotFound)
	}))
	t.Cleanup(lender.Close)
	c, err := New(Config{BaseURL: lender.URL, APIKeys: func() []string { return []string{"secret-key"} }})
	if err != nil {
		t.Fatal(err)
	}
	ctx, request := tracer.StartRequest(t.Context(), http.MethodGet)
	if _, err := c.Originators(ctx, OriginatorQuery{Emails: []string{"canary@borrower.test"}, Limit: 1}); err == nil {
		t.Fatal("the lender's 404 is no error")
	}
	request.EndRequest(trace.Request{Method: http.MethodGet, Route: "/originators", Status: 200})
	if err := tracer.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	const attributes = " hearthline.lender.operation=loan-originator"
	want := `GET /originators http.request.method=GET http.response.status_code=200 http.route=/originators
  lender loan-originator error.type=not found` + attributes + `
    GET loan-originator error.type=status hearthline.lender.attempt=1` + attributes +
		` http.request.method=GET http.response.status_code=503
    GET loan-originator error.type=status hearthline.lender.attempt=2` + attributes +
		` http.request.method=GET http.response.status_code=404
`
	if got := spans.Tree(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	for i, sent := range headers {
		if sent != "" {
			t.Errorf("try %d sends %q, want no header of a trace", i+1, sent)
		}
	}
	for _, span := range spans.All() {
		if strings.Contains(span.Other, "canary") || strings.Contains(span.Name, "canary") {
			t.Errorf("a span names somebody: %+v", span)
		}
	}
}
