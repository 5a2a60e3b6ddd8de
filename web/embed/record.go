package embed

import (
	"net/http"

	deskcrm "hearthline/internal/desk/crm"
	view "hearthline/views/embed"
	"hearthline/web/form"
	"hearthline/web/page"
)

// redirectToIntake redirects to the intake of a record without a lead, or to the receipt of a start
// whose outcome is unknown. If a colleague has the record's lead, it shows that before the user can
// begin another inquiry.
func (h *Handlers) redirectToIntake(w http.ResponseWriter, r *http.Request, record *deskcrm.Launch) error {
	operation, err := record.PendingStart(r.Context())
	if err != nil {
		return err
	}
	if operation != "" {
		return page.Redirect(w, r, page.BaseOf(r).Operation(operation))
	}
	owner, found, err := record.LeadOwner(r.Context())
	if err != nil {
		return err
	}
	if found {
		return h.Render(w, r, http.StatusOK, view.WithColleague(view.WithColleagueView{
			Page: h.Layout(r, "This record"), Title: recordOwnerText(owner) + ".", ShortID: owner.ShortID, Ended: owner.Ended,
		}))
	}
	return page.Redirect(w, r, page.BaseOf(r).NewLead(""))
}

// recordOwnerText states who has the inquiry of a record.
func recordOwnerText(owner deskcrm.LeadOwner) string {
	whose, verb := "a colleague", "is with"
	if owner.Originator != "" {
		whose = owner.Originator
	}
	if owner.Reassigned {
		verb = "was reassigned to"
	}
	return "An inquiry for this record " + verb + " " + whose
}

// LinkLeadToRecord links a lead that has the record's number to the record.
func (h *Handlers) LinkLeadToRecord(w http.ResponseWriter, r *http.Request, _ page.Desk, f *form.Form) error {
	record, err := page.LaunchedRecord(r)
	if err != nil {
		return err
	}
	app := f.Text("record.lead")
	return page.NavigateAfter(w, r, record.LinkLead(r.Context(), app), page.BaseOf(r).Lead(app))
}
