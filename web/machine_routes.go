package web

import (
	"net/http"

	"hearthline/static"
	"hearthline/web/page"
)

// machines are the routes without a user: static files, health checks and the lender's webhooks.
type machines struct{ *Server }

// Routes returns the routes. All of them are public: page.PublicRouteNames lists each of them.
func (m machines) Routes() []page.Route {
	return []page.Route{
		{Method: http.MethodGet, Pattern: "/static/*", Name: "static file", Public: true, Class: page.Probe,
			Handler: page.WrapHandler(static.Handler(m.OtherFiles))},
		{Method: http.MethodGet, Pattern: "/sw.js", Name: "service worker", Public: true, Class: page.Probe,
			Handler: page.WrapHandler(static.ServiceWorker())},
		{Method: http.MethodGet, Pattern: "/healthz", Name: "health", Public: true, Class: page.Probe, Handler: m.healthz},
		{Method: http.MethodGet, Pattern: "/readyz", Name: "readiness", Public: true, Class: page.Probe, Handler: m.readyz},
		{Method: http.MethodPost, Pattern: "/hooks/partner/{token}", Name: "partner webhook", Public: true, Class: page.Hook,
			Handler: m.partnerWebhook},
	}
}
