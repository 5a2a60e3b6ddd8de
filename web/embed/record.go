package embed

import (
	"net/http"

	"hearthline/internal/desk"
	"hearthline/views"
	"hearthline/web/page"
)

// redirectToIntake leads to the intake of a record without a lead, or to the receipt of a start
// whose outcome is not known. Before another inquiry is begun for a record whose lead is a
// colleague's, it says so.
func (s *Handlers) redirectToIntake(w http.ResponseWriter, r *http.Request, record *desk.CRMLaunch) error {
	sent, err := record.PendingStart(r.Context())
	if err != nil {
		return err
	}
	if sent != "" {
		return page.Redirect(w, r, page.BaseOf(r).Operation(sent))
	}
	with, found, err := record.LeadOwner(r.Context())
	if err != nil {
		return err
	}
	if found {
		return s.Render(w, r, http.StatusOK, views.EmbedWithColleague(views.EmbedWithColleagueView{
			Page: s.Layout(r, "This record"), CRM: record.CRM(), Title: recordOwnerText(with) + ".", ShortID: with.ShortID, Ended: with.Ended,
		}))
	}
	return page.Redirect(w, r, page.BaseOf(r).NewLead(""))
}

// recordOwnerText says with whom the inquiry of a record is.
func recordOwnerText(with desk.LeadOwner) string {
	whose, verb := "a colleague", "is with"
	if with.Originator != "" {
		whose = with.Originator
	}
	if with.Reassigned {
		verb = "was handed to"
	}
	return "An inquiry for this record " + verb + " " + whose
}

// LinkLeadToRecord makes a lead that carries the record's number the record's own.
func (s *Handlers) LinkLeadToRecord(w http.ResponseWriter, r *http.Request, _ page.Desk) error {
	f, err := page.ReadForm(r)
	if err != nil {
		return err
	}
	record, err := page.LaunchedRecord(r)
	if err != nil {
		return err
	}
	app := f.Text("record.lead")
	if err := record.LinkLead(r.Context(), app); err != nil {
		return err
	}
	return page.NavigateTo(w, r, page.BaseOf(r).Lead(app))
}
