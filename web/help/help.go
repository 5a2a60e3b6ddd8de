package help

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	"hearthline/views"
	"hearthline/views/to"
	"hearthline/web/page"
)

// HelpPage shows a page of the documentation.
func (s *Handlers) HelpPage(w http.ResponseWriter, r *http.Request) error {
	view, ok := views.HelpPage(page.BaseOf(r), chi.URLParam(r, "page"))
	if !ok {
		return s.NotFound(w, r)
	}
	view.Page = s.Layout(r, view.Title)
	return s.Render(w, r, http.StatusOK, views.Help(view))
}

func (s *Handlers) publicHelpPage(key string) page.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		view, _ := views.HelpPage(to.Full, key)
		if view.Page = s.BasicLayout(r, view.Title); page.VisitOf(r) == nil {
			view = view.Public()
		}
		return s.Render(w, r, http.StatusOK, views.Help(view))
	}
}
