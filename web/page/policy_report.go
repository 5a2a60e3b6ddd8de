package page

import (
	"encoding/json"
	"log/slog"
	"mime"
	"net/http"
	"slices"
	"time"

	"github.com/go-chi/chi/v5/middleware"
	"github.com/go-chi/httprate"
)

// ReportsPerMinute bounds what one network may tell of broken policies: the address is
// open to everybody, and a log is not to be filled from outside.
const ReportsPerMinute = 30

func newReportLimit() *httprate.RateLimiter {
	return httprate.NewRateLimiter(ReportsPerMinute, time.Minute, httprate.WithResponseHeaders(httprate.ResponseHeaders{}))
}

// policyReport is what a browser tells of a page that broke the content policy, as far as
// it is read: its addresses and its sample of code may hold anything, so they are not.
type policyReport struct {
	Type string `json:"type"`
	Body struct {
		Directive   string `json:"effectiveDirective"`
		Blocked     string `json:"blockedURL"`
		Disposition string `json:"disposition"`
	} `json:"body"`
}

// PolicyReports notes a broken content policy in the log: a defect of ours, an extension
// of the browser, or markup that somebody planted. The answer is the same whatever comes.
func (s *Server) PolicyReports(w http.ResponseWriter, r *http.Request) error {
	defer w.WriteHeader(http.StatusNoContent)
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	key := httprate.CanonicalizeIP(middleware.GetClientIP(r.Context()))
	if err != nil || kind != "application/reports+json" || s.reportLimit.OnLimit(w, r, key) {
		return nil
	}
	var reports []policyReport
	if err := json.NewDecoder(r.Body).Decode(&reports); err != nil {
		return nil //nolint:nilerr // a report that cannot be read says nothing
	}
	for _, report := range reports[:min(len(reports), 5)] {
		if report.Type != "csp-violation" {
			continue
		}
		s.Log.LogAttrs(r.Context(), slog.LevelWarn, "content policy broken",
			slog.String("directive", knownDirective(report.Body.Directive)), slog.String("blocked", blockedKind(report.Body.Blocked)),
			slog.String("ref", RequestLogOf(r).reference))
	}
	return nil
}

// knownDirective lets the names of our own policy through and nothing that was made up.
func knownDirective(name string) string {
	if slices.Contains([]string{
		"default-src", "script-src", "script-src-elem", "script-src-attr", "style-src", "style-src-elem", "style-src-attr", "img-src", "font-src",
		"connect-src", "form-action", "base-uri", "frame-ancestors", "frame-src", "require-trusted-types-for", "trusted-types",
	}, name) {
		return name
	}
	return "other"
}

// blockedKind says what kind of thing was refused; an address stays out of the log.
func blockedKind(what string) string {
	if slices.Contains([]string{"inline", "eval", "wasm-eval", "trusted-types-sink", "trusted-types-policy", "data", "blob"}, what) {
		return what
	}
	return "an address"
}
