package lead

import (
	"net/http"

	"hearthline/internal/access"
	"hearthline/internal/desk"
	"hearthline/views"
	"hearthline/views/ui"
	"hearthline/web/page"
)

// actionUnlinkRecord is the address of the deed that takes a lead off a CRM's record.
const actionUnlinkRecord = "take-off"

// UnlinkRecord takes a lead off a CRM's record. A frame of that record then opens what it has
// instead: another of its leads, or the intake.
func (s *Handlers) UnlinkRecord(w http.ResponseWriter, r *http.Request, l page.Lead) error {
	f, err := page.ReadForm(r)
	if err != nil {
		return err
	}
	mark := f.Required("record.mark", "Choose the record")
	if !f.IsChecked("confirm.take-off") {
		f.AddError("confirm.take-off", "Confirm that it is to be taken off")
	}
	if f.HasErrors() {
		return s.Redisplay(w, r, l, page.SubmittedForm{Action: actionUnlinkRecord, Form: f, Status: http.StatusUnprocessableEntity})
	}
	beside, err := l.UnlinkRecord(r.Context(), mark)
	if err != nil {
		return err
	}
	if beside {
		return page.NavigateTo(w, r, page.BaseOf(r).Home())
	}
	return page.NavigateTo(w, r, page.BaseOf(r).Lead(string(l.App())))
}

// presentCRMRecords are the records of CRMs whose lead this is, and the form to take it off one.
func presentCRMRecords(f Data) views.CRMRecordsView {
	shown := views.CRMRecordsView{Can: f.Can(access.AnnotateLead)}
	if f.submitted != nil && f.submitted.Action == actionUnlinkRecord {
		shown.Redisplayed, shown.Form = true, f.submitted.Form.View("")
	}
	chosen := shown.Form.Value("record.mark")
	for _, r := range f.View.CRMRecords {
		shown.Records = append(shown.Records, ui.Option{Value: r.BlindIndex, Label: recordLabel(r), Note: recordSentText(r), Selected: r.BlindIndex == chosen})
	}
	return shown
}

// recordLabel is a record as people call it.
func recordLabel(r desk.CRMRecord) string {
	of := " in " + r.CRM
	if r.Type != "" {
		of = " (" + r.Type + ")" + of
	}
	if r.Number == "" {
		return "A record" + of
	}
	return "Record " + r.Number + of
}

// recordSentText says what the lender has of a record.
func recordSentText(r desk.CRMRecord) string {
	switch {
	case r.Number == "":
		return "If the record’s number went to the lender with the inquiry, it cannot be called back."
	case r.Customer:
		return "Its number went to the lender with the inquiry, as your customer number. That cannot be called back."
	default:
		return "Its number went to the lender with the inquiry, as your reference. That cannot be called back."
	}
}
