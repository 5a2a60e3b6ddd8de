package web

import (
	"net/http"

	"hearthline/views"
	"hearthline/views/to"
	"hearthline/views/ui"
)

// unassignedPage is the queue of the company's leads that are nobody's.
func (s *Server) unassignedPage(w http.ResponseWriter, r *http.Request, d Desk) error {
	team, err := d.Team()
	if err != nil {
		return err
	}
	after := r.URL.Query().Get("after")
	page, err := team.Unassigned(r.Context(), after)
	if err != nil {
		return err
	}
	n, err := team.Waiting(r.Context())
	if err != nil {
		return err
	}
	v := s.viewer(r)
	view := views.UnassignedView{Page: s.frame(r, "Unassigned"), Says: upTo(n) + " without an originator"}
	view.Page.List = true
	for _, row := range page.Rows {
		shown := v.showRow(row, nil)
		shown.Pick, shown.Owner = true, "nobody"
		view.Rows = append(view.Rows, shown)
	}
	view.Pager = ui.PagerView{Shown: counted(len(page.Rows), "lead", "leads")}
	if after != "" {
		view.Pager.First = to.Full.TeamPart("unassigned")
	}
	if page.Next != "" {
		view.Pager.Next = to.Unassigned(page.Next)
	}
	return s.show(w, r, http.StatusOK, views.Unassigned(view))
}
