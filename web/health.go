package web

import (
	"net/http"

	"hearthline/internal/fault"
	"hearthline/web/page"
)

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
