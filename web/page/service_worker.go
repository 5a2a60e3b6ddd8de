package page

import (
	"net/http"
	"strings"
)

// AllowServiceWorker lets a page register the service worker. Only the page that turns notifications on may: its script
// names the worker through its Trusted Types policy.
func AllowServiceWorker(w http.ResponseWriter) {
	const header, policy = "Content-Security-Policy", "trusted-types htmx"
	w.Header().Set(header, strings.Replace(w.Header().Get(header), policy, policy+" worker; worker-src 'self'", 1))
}
