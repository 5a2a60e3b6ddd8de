package team

import (
	"net/http"
	"strings"

	pageview "hearthline/views/page"
	"hearthline/web/page"
)

// OriginatorsPage shows the lender's directory, as far as the user may see it.
func (s *Handlers) OriginatorsPage(w http.ResponseWriter, r *http.Request, d page.Desk) error {
	dir, err := d.Directory()
	if err != nil {
		return err
	}
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
