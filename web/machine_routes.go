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
	return page.WithoutSignIn([]page.Route{
		{Method: http.MethodGet, Pattern: "/static/*", Name: "static file", Class: page.Probe,
			Handler: page.WrapHandler(static.Handler(m.OtherFiles))},
		{Method: http.MethodGet, Pattern: "/healthz", Name: "health", Class: page.Probe, Handler: m.healthz},
		{Method: http.MethodGet, Pattern: "/readyz", Name: "readiness", Class: page.Probe, Handler: m.readyz},
		{Method: http.MethodPost, Pattern: "/hooks/partner/{token}", Name: "partner webhook", Class: page.Hook,
			Handler: m.partnerWebhook},
	})
}
