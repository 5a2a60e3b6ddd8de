package web

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	"hearthline/views"
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
