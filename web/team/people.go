package team

import (
	"net/http"

	"hearthline/internal/desk"
	view "hearthline/views/team"
	"hearthline/web/page"
)

// TeamPage shows the company's originators with their leads.
func (s *Handlers) TeamPage(w http.ResponseWriter, r *http.Request, team *desk.Team) error {
	found, err := team.Page(r.Context())
	if err != nil {
		return err
	}
	model := presentTeam(s.Viewer(r), found)
	model.Page = s.Layout(r, "Team")
	return s.Render(w, r, http.StatusOK, page.PartOrWhole(r, view.TeamPart(model), view.Team(model)))
}
