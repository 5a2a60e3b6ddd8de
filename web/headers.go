package web

import (
	"net/http"
)

// contentPolicy allows what we serve ourselves and nothing else. Nobody may frame
// a page; the embedded desk replaces the last directive by its client's origins.
const contentPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; " +
	"connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// permissionsPolicy gives up every ability we do not use.
const permissionsPolicy = "camera=(), microphone=(), geolocation=(), payment=(), usb=(), " +
	"publickey-credentials-get=(self), publickey-credentials-create=(self)"

// headed sets what every response carries, errors included. It runs before
// anything else can answer; a handler may set another value, as static files
// do for their caching and documents for their policy.
func (s *Server) headed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", contentPolicy)
		h.Set("Permissions-Policy", permissionsPolicy)
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Origin-Agent-Cluster", "?1")
		// same-origin, because without a referrer our own forms arrive with Origin: null.
		h.Set("Referrer-Policy", "same-origin")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Cache-Control", "no-store")
		if s.secure() {
			h.Set("Strict-Transport-Security", "max-age=63072000; includeSubDomains")
		}
		next.ServeHTTP(w, r)
	})
}
