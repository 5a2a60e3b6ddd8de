package help

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	view "hearthline/views/help"
	"hearthline/views/to"
	"hearthline/web/page"
)

// HelpPage shows a page of the documentation.
func (s *Handlers) HelpPage(w http.ResponseWriter, r *http.Request) error {
	model, ok := view.Page(page.BaseOf(r), chi.URLParam(r, "page"))
	if !ok {
		return s.NotFound(w, r)
	}
	model.Page = s.Layout(r, model.Title)
	return s.Render(w, r, http.StatusOK, view.Help(model))
}

func (s *Handlers) publicHelpPage(key string) page.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		model, _ := view.Page(to.Full, key)
		if model.Page = s.BasicLayout(r, model.Title); page.VisitOf(r) == nil {
			model = model.Public()
		}
		return s.Render(w, r, http.StatusOK, view.Help(model))
	}
}
