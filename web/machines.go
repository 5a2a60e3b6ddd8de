package web

import (
	"net/http"

	"hearthline/internal/fault"
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
		{Method: http.MethodGet, Pattern: "/sw.js", Name: "service worker", Class: page.Probe,
			Handler: page.WrapHandler(static.ServiceWorker())},
		{Method: http.MethodGet, Pattern: "/healthz", Name: "health", Class: page.Probe, Handler: m.healthz},
		{Method: http.MethodGet, Pattern: "/readyz", Name: "readiness", Class: page.Probe, Handler: m.readyz},
		{Method: http.MethodPost, Pattern: "/hooks/partner/{token}", Name: "partner webhook", Class: page.Hook,
			Handler: m.partnerWebhook},
	})
}

// healthz reports that the process answers. It checks nothing else, because a restart would not fix a database.
func (s *Server) healthz(w http.ResponseWriter, _ *http.Request) error {
	return page.WriteText(w, "ok\n")
}

// readyz reports whether the portal can do its work. The cause of a failure is logged once until it changes, because
// monitors ask every second.
func (s *Server) readyz(w http.ResponseWriter, r *http.Request) error {
	err := s.Ready(r.Context())
	cause := ""
	if err != nil {
		cause = page.Redact(err.Error())
	}
	if before, _ := s.lastUnready.Swap(cause).(string); before != cause {
		s.Log.Info("readiness", "ready", err == nil, "cause", cause)
	}
	if err != nil {
		return fault.Wrap(fault.Unavailable, "The portal is starting, or part of it isn’t responding.", err)
	}
	return page.WriteText(w, "ready\n")
}
