package web

import (
	"net/http"

	"hearthline/internal/fault"
	"hearthline/web/page"
)

// healthz says that the process answers. It looks at nothing else: a restart
// would not mend a database.
func (s *Server) healthz(w http.ResponseWriter, _ *http.Request) error {
	return page.WriteText(w, "ok\n")
}

// readyz says whether the portal can do its work. Why it cannot stands in the log, once until
// that changes: whoever watches asks every second.
func (s *Server) readyz(w http.ResponseWriter, r *http.Request) error {
	err := s.Ready(r.Context())
	cause := ""
	if err != nil {
		cause = page.Redact(err.Error())
	}
	if before, _ := s.LastUnready.Swap(cause).(string); before != cause {
		s.Log.Info("readiness", "ready", err == nil, "cause", cause)
	}
	if err != nil {
		return fault.Wrap(fault.Unavailable, "The portal is starting, or a part of it does not answer.", err)
	}
	return page.WriteText(w, "ready\n")
}
