package guard

import (
	"encoding/json"
	"log/slog"
	"mime"
	"net/http"
	"slices"

	"hearthline/web/page"

	"github.com/go-chi/httprate"
)

// ReportsPerMinute limits the policy reports of one network. The endpoint is public, and nobody
// outside may fill the log.
const ReportsPerMinute = 30

// policyReports logs what browsers report.
type policyReports struct {
	log   *slog.Logger
	limit *httprate.RateLimiter
}

// policyReport is a browser's report of a content policy violation. The fields for the document's
// URL and the code sample are omitted, because they may contain anything.
type policyReport struct {
	Type string `json:"type"`
	Body struct {
		Directive   string `json:"effectiveDirective"`
		Blocked     string `json:"blockedURL"`
		Disposition string `json:"disposition"`
	} `json:"body"`
}

// receive logs violations of the content policy. The cause is a defect of ours, a browser
// extension, or injected markup. The response is the same in all cases.
func (p *policyReports) receive(w http.ResponseWriter, r *http.Request) error {
	defer w.WriteHeader(http.StatusNoContent)
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	key := page.ClientAddress(r)
	if err != nil || kind != "application/reports+json" || p.limit.OnLimit(w, r, key) {
		return nil
	}
	var reports []policyReport
	if err := json.NewDecoder(r.Body).Decode(&reports); err != nil {
		return nil //nolint:nilerr // a report that cannot be parsed contains no information
	}
	for _, report := range reports[:min(len(reports), 5)] {
		if report.Type != "csp-violation" {
			continue
		}
		p.log.LogAttrs(r.Context(), slog.LevelWarn, "content policy broken",
			slog.String("directive", knownDirective(report.Body.Directive)),
			slog.String("blocked", blockedKind(report.Body.Blocked)),
			slog.String("ref", page.RequestLogOf(r).Reference))
	}
	return nil
}

// knownDirective returns the names of directives in our own policy, and "other" for anything else.
func knownDirective(name string) string {
	if slices.Contains([]string{
		"default-src", "script-src", "script-src-elem", "script-src-attr", "style-src", "style-src-elem", "style-src-attr",
		"img-src", "font-src", "connect-src", "form-action", "base-uri", "frame-ancestors", "frame-src",
		"require-trusted-types-for", "trusted-types",
	}, name) {
		return name
	}
	return "other"
}

// blockedKind returns the kind of content that was blocked. URLs stay out of the log.
func blockedKind(what string) string {
	if slices.Contains([]string{"inline", "eval", "wasm-eval", "trusted-types-sink", "trusted-types-policy",
		"data", "blob"}, what) {
		return what
	}
	return "an address"
}
