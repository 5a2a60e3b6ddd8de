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
func (o *LenderCalls) Middleware(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		at := r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:]
		if slices.Contains([]string{"calculate-offers", "select-offer", "direct-debt-payoff-offers", "borrower-costs", "asset-depletion"}, at) {
			raw, _ := io.ReadAll(r.Body)
			var body map[string]any
			_ = json.Unmarshal(raw, &body)
			if o.Edit != nil {
				o.Edit(at, body)
				raw, _ = json.Marshal(body)
			}
			r.Body, r.ContentLength = io.NopCloser(strings.NewReader(string(raw))), int64(len(raw))
			o.mu.Lock()
			o.calls = append(o.calls, LenderCall{at, r.URL.Query(), body})
			o.mu.Unlock()
		}
		next.ServeHTTP(w, r)
	})
}

// CallsTo returns the calls to one path.
func (o *LenderCalls) CallsTo(path string) []LenderCall {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(o.calls), func(h LenderCall) bool { return h.path != path })
}
