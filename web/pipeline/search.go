package pipeline

import (
	"net/http"

	deskpipeline "hearthline/internal/desk/pipeline"
	view "hearthline/views/pipeline"
	"hearthline/web/page"
)

// Search answers what a user can jump to: the results alone for the dialog, or the whole page. What was typed may be a
// borrower's name, so both send it in the body of a POST, where no log and no history keeps it.
func (h *Handlers) Search(w http.ResponseWriter, r *http.Request, search *deskpipeline.Search) error {
	posted := page.Posted(r)
	typed := page.SearchText(posted.Get("q"))
	found, err := search.Find(r.Context(), deskpipeline.SearchRequest{Typed: typed, App: posted.Get("lead")})
	if err != nil {
		return err
	}
	model := presentSearch(h.Viewer(r), typed, found, h.Destinations(r))
	if page.IsFragment(r) {
		return h.Render(w, r, http.StatusOK, view.SearchResults(model))
	}
	model.Page = h.Layout(r, "Search")
	return h.Render(w, r, http.StatusOK, view.Search(model))
}
