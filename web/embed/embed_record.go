package embed

import (
	"net/http"

	"hearthline/internal/desk"
	"hearthline/views"
	"hearthline/web/page"
)

// beginRecord leads to the intake of a record without a lead, or to the receipt of a start
// whose outcome is not known. Before another inquiry is begun for a record whose lead is a
// colleague's, it says so.
func (s *Handlers) beginRecord(w http.ResponseWriter, r *http.Request, record *desk.Launched) error {
	sent, err := record.Sent(r.Context())
	if err != nil {
		return err
	}
	if sent != "" {
		return page.Redirect(w, r, page.BaseOf(r).Operation(sent))
	}
	with, found, err := record.With(r.Context())
	if err != nil {
		return err
	}
	if found {
		return s.Show(w, r, http.StatusOK, views.EmbedWith(views.EmbedWithView{
			Page: s.Frame(r, "This record"), CRM: record.CRM(), Title: withWhom(with) + ".", ShortID: with.ShortID, Ended: with.Ended,
		}))
	}
	return page.Redirect(w, r, page.BaseOf(r).NewLead(""))
}

// withWhom says with whom the inquiry of a record is.
func withWhom(with desk.With) string {
	whose, verb := "a colleague", "is with"
	if with.Originator != "" {
		whose = with.Originator
	}
	if with.Handed {
		verb = "was handed to"
	}
	return "An inquiry for this record " + verb + " " + whose
}

// takeLead makes a lead that carries the record's number the record's own.
func (s *Handlers) TakeLead(w http.ResponseWriter, r *http.Request, _ page.Desk) error {
	f, err := page.ReadForm(r)
	if err != nil {
		return err
	}
	record, err := page.Launched(r)
	if err != nil {
		return err
	}
	app := f.Text("record.lead")
	if err := record.Take(r.Context(), app); err != nil {
		return err
	}
	return page.Onward(w, r, page.BaseOf(r).Lead(app))
}
