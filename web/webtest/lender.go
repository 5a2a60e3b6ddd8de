package webtest

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
)

// LenderCalls records the calls about offers and payoffs, in order.
type LenderCalls struct {
	mu    sync.Mutex
	calls []LenderCall
	Edit  func(path string, body map[string]any)
}

// LenderCall is one of the calls that LenderCalls records.
type LenderCall struct {
	path  string
	Query url.Values
	Body  map[string]any
}

// Middleware records the calls on their way to the lender.
func (l *LenderCalls) Middleware(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		at := r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:]
		if slices.Contains([]string{"calculate-offers", "select-offer", "direct-debt-payoff-offers", "borrower-costs",
			"asset-depletion"}, at) {
			raw, _ := io.ReadAll(r.Body)
			var body map[string]any
			_ = json.Unmarshal(raw, &body)
			if l.Edit != nil {
				l.Edit(at, body)
				raw, _ = json.Marshal(body)
			}
			r.Body, r.ContentLength = io.NopCloser(strings.NewReader(string(raw))), int64(len(raw))
			l.mu.Lock()
			l.calls = append(l.calls, LenderCall{at, r.URL.Query(), body})
			l.mu.Unlock()
		}
		next.ServeHTTP(w, r)
	})
}

// CallsTo returns the calls to one path.
func (l *LenderCalls) CallsTo(path string) []LenderCall {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(l.calls), func(h LenderCall) bool { return h.path != path })
}

// ReceivedCall is a call that the sandbox received, whatever it answered.
type ReceivedCall struct {
	Method string `json:"method"`
	Path   string `json:"path"`
	Status int    `json:"status"`
}

// ReceivedWrites lists the calls received by the sandbox that change something, and the queries that a user sends
// with a form.
func (h *Harness) ReceivedWrites() []ReceivedCall {
	h.T.Helper()
	r, err := http.NewRequestWithContext(h.T.Context(), http.MethodGet, h.Lender.URL+"/_sandbox/calls", nil)
	h.Must(err)
	res, err := http.DefaultClient.Do(r)
	h.Must(err)
	defer func() { _ = res.Body.Close() }()
	var all []ReceivedCall
	h.Must(json.NewDecoder(res.Body).Decode(&all))
	return slices.DeleteFunc(all, func(c ReceivedCall) bool {
		return c.Method == http.MethodGet || strings.Contains(c.Path, "/details/") || strings.HasSuffix(c.Path, "/encrypt")
	})
}
