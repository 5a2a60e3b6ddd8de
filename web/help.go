package web

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	"hearthline/views"
	"hearthline/views/to"
)

// helpPage is a page of the long documentation.
func (s *Server) helpPage(w http.ResponseWriter, r *http.Request) error {
	view, ok := views.HelpOf(baseOf(r), chi.URLParam(r, "page"))
	if !ok {
		return s.notFound(w, r)
	}
	view.Page = s.frame(r, view.Title)
	return s.show(w, r, http.StatusOK, views.Help(view))
}

// openHelp are the routes of the pages for whoever looks after a CRM, who need not have an
// account. They say how to build on the portal, and nothing of anybody.
func (s *Server) openHelp() []Route {
	var routes []Route
	for _, key := range views.OpenHelp() {
		routes = append(routes, Route{Method: http.MethodGet, Pattern: to.Full.Help(key), Name: "help for CRMs", Public: true, Handler: s.recognised(s.openHelpPage(key))})
	}
	return routes
}

func (s *Server) openHelpPage(key string) Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		view, _ := views.HelpOf(to.Full, key)
		if view.Page = s.around(r, view.Title); visitOf(r) == nil {
			view = view.ForAnybody()
		}
		return s.show(w, r, http.StatusOK, views.Help(view))
	}
}
