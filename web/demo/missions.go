package demo

import (
	"net/http"

	deskdemo "hearthline/internal/desk/demo"

	view "hearthline/views/demo"
	"hearthline/views/to"
	"hearthline/web/page"
)

// MissionsPage shows what the user can practice and what they have done.
func (s *Handlers) MissionsPage(w http.ResponseWriter, r *http.Request, rehearsal *deskdemo.Rehearsal) error {
	progress, err := rehearsal.Progress(r.Context())
	if err != nil {
		return err
	}
	model := presentMissions(s.Viewer(r), progress, s.DemoControl.Samples())
	model.Page = s.Layout(r, "Practice missions")
	return s.Render(w, r, http.StatusOK, page.PartOrWhole(r, view.MissionsPart(model), view.Missions(model)))
}

// StartOver begins the missions again.
func (s *Handlers) StartOver(w http.ResponseWriter, r *http.Request, rehearsal *deskdemo.Rehearsal) error {
	return page.NavigateAfter(w, r, rehearsal.StartOver(r.Context()), to.DemoMissions())
}
