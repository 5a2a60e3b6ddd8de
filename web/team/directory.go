package team

import (
	"net/http"
	"strings"

	"hearthline/internal/desk"
	pageview "hearthline/views/page"
	"hearthline/web/page"
)

// OriginatorsPage shows the lender's directory, as far as the user may see it.
func (s *Handlers) OriginatorsPage(w http.ResponseWriter, r *http.Request, dir *desk.Directory) error {
	typed := strings.TrimSpace(r.URL.Query().Get("q"))
	typed = typed[:min(len(typed), 200)]
	found, err := dir.Find(r.Context(), typed)
	if err != nil {
		return err
	}
	model := page.PresentDirectory(s.Viewer(r), typed, found)
	model.Page = s.Layout(r, "Originators")
	return s.Render(w, r, http.StatusOK, pageview.Originators(model))
}
