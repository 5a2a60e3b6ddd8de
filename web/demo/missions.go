package demo

import (
	"net/http"

	deskdemo "hearthline/internal/desk/demo"

	view "hearthline/views/demo"
	"hearthline/views/to"
	"hearthline/web/page"
)

// MissionsPage shows what the user can practice and what they have done.
func (h *Handlers) MissionsPage(w http.ResponseWriter, r *http.Request, rehearsal *deskdemo.Rehearsal) error {
	progress, err := rehearsal.Progress(r.Context())
	if err != nil {
		return err
	}
	model := presentMissions(h.Viewer(r), progress, h.DemoControl.Samples())
	model.Page = h.Layout(r, "Practice missions")
	return h.Render(w, r, http.StatusOK, page.PartOrWhole(r, view.MissionsPart(model), view.Missions(model)))
}

// StartOver begins the missions again.
func (h *Handlers) StartOver(w http.ResponseWriter, r *http.Request, rehearsal *deskdemo.Rehearsal) error {
	return page.NavigateAfter(w, r, rehearsal.StartOver(r.Context()), to.DemoMissions())
}
