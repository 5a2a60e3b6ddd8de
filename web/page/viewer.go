package page

import (
	"net/http"
	"time"

	"hearthline/web/format"
)

// Viewer returns the viewer of a request. An unknown time zone is treated as UTC.
func (s *Server) Viewer(r *http.Request) format.Viewer {
	who := ActorOf(r)
	zone, err := time.LoadLocation(who.TimeZone)
	if err != nil {
		zone = time.UTC
	}
	return format.Viewer{Now: s.Now(), Zone: zone, Who: who, Base: BaseOf(r)}
}
