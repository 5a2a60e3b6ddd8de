package page

import (
	"crypto/rand"
	"net/http"
	"strings"

	"github.com/a-h/templ"

	"hearthline/static"
	"hearthline/views/to"
)

// The policy of a page: what we serve ourselves and nothing else; a script only with this
// response's nonce, which every fragment has for itself; the sinks that make markup or
// code of a text only through the one policy of Trusted Types that htmx has. Nobody may
// frame a page but, under the addresses of a CRM, exactly that CRM.
const (
	cspBeforeNonce = "default-src 'none'; script-src 'nonce-"
	cspAfterNonce  = "'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; form-action 'self'; " +
		"base-uri 'none'; frame-ancestors "
	cspAfterAncestors = "; require-trusted-types-for 'script'; trusted-types htmx; report-to csp"
	noAncestors       = "'none'"
)

// assetCSP is for static files: opened on its own, even a picture runs and loads nothing.
const assetCSP = "default-src 'none'; frame-ancestors 'none'"

// permissionsPolicy gives up every ability we do not use.
const permissionsPolicy = "camera=(), microphone=(), geolocation=(), payment=(), usb=(), " +
	"publickey-credentials-get=(self), publickey-credentials-create=(self)"

// withHeaders sets what every response carries, errors included. It runs before
// anything else can answer; a handler may set another value, as static files
// do for their caching and documents for their policy.
func (s *Server) withHeaders(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		if s.secure() {
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
		ancestors := s.FrameAncestors(r)
		nonce := rand.Text() // 128 bits at least, in letters that a policy may hold
		h.Set("Content-Security-Policy", cspBeforeNonce+nonce+cspAfterNonce+ancestors+cspAfterAncestors)
		h.Set("Reporting-Endpoints", `csp="`+to.PolicyReports()+`"`)
		h.Set("Permissions-Policy", permissionsPolicy)
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Origin-Agent-Cluster", "?1")
		// same-origin, because without a referrer our own forms arrive with Origin: null.
		h.Set("Referrer-Policy", "same-origin")
		if ancestors == noAncestors {
			h.Set("X-Frame-Options", "DENY")
		}
		next.ServeHTTP(w, r.WithContext(templ.WithNonce(r.Context(), nonce)))
	})
}

// FrameAncestors are the pages that may frame an address. They follow from the address alone,
// before anybody is recognised, so that errors keep to them too.
func (s *Server) FrameAncestors(r *http.Request) string {
	if hosts := s.CrmOrigins(r); hosts != "" {
		return hosts
	}
	return noAncestors
}

// CrmOrigins are the origins of the CRM to which an address belongs, with a blank between.
func (s *Server) CrmOrigins(r *http.Request) string {
	client := crmClientInPath(r.URL.Path)
	if client == "" || s.Embeds == nil {
		return ""
	}
	return strings.Join(s.Embeds.Origins(r.Context(), client), " ")
}

// crmClientInPath is the CRM to which an address belongs; "" for the portal's own.
func crmClientInPath(path string) string {
	pieces := strings.Split(path, "/")
	switch {
	case len(pieces) > 2 && pieces[1] == "e":
		return pieces[2]
	case len(pieces) > 3 && pieces[1] == "launch":
		return pieces[3]
	default:
		return ""
	}
}
