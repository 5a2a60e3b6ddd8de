package guard

import (
	"crypto/rand"
	"net/http"
	"strings"

	"github.com/a-h/templ"

	"hearthline/static"
	"hearthline/views/to"
	"hearthline/web/page"
)

// The content security policy of a page. It allows only what we serve ourselves, and scripts only
// with the nonce of this response, which each fragment also has. Only htmx's Trusted Types policy
// may turn text into markup or code. Nobody may frame a page, except that the CRM in the URL may
// frame its own embedded pages.
const (
	cspBeforeNonce = "default-src 'none'; script-src 'nonce-"
	cspAfterNonce  = "'; style-src 'self'; img-src 'self'; font-src 'self'; manifest-src 'self'; connect-src 'self'; " +
		"form-action 'self'; " +
		"base-uri 'none'; frame-ancestors "
	cspAfterAncestors = "; require-trusted-types-for 'script'; trusted-types htmx; report-to csp"
)

// assetCSP is the policy of static files: even an image that is opened directly runs and loads
// nothing.
const assetCSP = "default-src 'none'; frame-ancestors 'none'"

// permissionsPolicy disables every browser feature that we do not use.
const permissionsPolicy = "camera=(), microphone=(), geolocation=(), payment=(), usb=(), " +
	"publickey-credentials-get=(self), publickey-credentials-create=(self)"

// withHeaders sets the headers of every response, including errors. It runs before anything else
// can answer. A handler may replace a value, as static files do for caching and documents for their
// policy.
func (f *requestFilter) withHeaders(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		if f.baseURL.Scheme == "https" {
			h.Set("Strict-Transport-Security", "max-age=63072000; includeSubDomains")
		}
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Cache-Control", "no-store")
		if strings.HasPrefix(r.URL.Path, static.Prefix) {
			h.Set("Content-Security-Policy", assetCSP)
			next.ServeHTTP(w, r)
			return
		}
		ancestors := f.FrameAncestors(r)
		nonce := rand.Text() // at least 128 bits, in letters that are valid in a policy
		h.Set("Content-Security-Policy", cspBeforeNonce+nonce+cspAfterNonce+ancestors+cspAfterAncestors)
		h.Set("Reporting-Endpoints", `csp="`+to.PolicyReports()+`"`)
		h.Set("Permissions-Policy", permissionsPolicy)
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Origin-Agent-Cluster", "?1")
		// same-origin, because with no-referrer our own forms arrive with Origin: null.
		h.Set("Referrer-Policy", "same-origin")
		if ancestors == page.NoFrameAncestors {
			h.Set("X-Frame-Options", "DENY")
		}
		next.ServeHTTP(w, r.WithContext(templ.WithNonce(r.Context(), nonce)))
	})
}
