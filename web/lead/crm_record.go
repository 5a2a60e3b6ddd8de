package lead

import (
	"net/http"

	"hearthline/internal/access"
	"hearthline/internal/desk"
	view "hearthline/views/lead"
	"hearthline/views/ui"
	"hearthline/web/form"
	"hearthline/web/page"
)

// actionUnlinkRecord is the last segment of the URL that unlinks a lead from a CRM's record.
const actionUnlinkRecord = "take-off"

// UnlinkRecord unlinks a lead from a CRM's record. An embed of that record then opens another of
// its leads, or the intake.
func (s *Handlers) UnlinkRecord(w http.ResponseWriter, r *http.Request, l page.Lead, f *form.Form) error {
	blindIndex := f.Required("record.mark", "Choose the record")
	if !f.IsChecked("confirm.take-off") {
		f.AddError("confirm.take-off", "Confirm that it is to be taken off")
	}
	if f.HasErrors() {
		return s.Redisplay(w, r, l, page.SubmittedForm{Action: actionUnlinkRecord, Form: f, Status: http.StatusUnprocessableEntity})
	}
	fromRecord, err := l.UnlinkRecord(r.Context(), blindIndex)
	if err != nil {
		return err
	}
	if fromRecord {
		return page.NavigateTo(w, r, page.BaseOf(r).Home())
	}
	return page.NavigateTo(w, r, page.BaseOf(r).Lead(string(l.App())))
}

// presentCRMRecords maps the CRM records that this lead is linked to, and the form that unlinks
// one.
func presentCRMRecords(f Data) view.CRMRecordsView {
	model := view.CRMRecordsView{Can: f.Can(access.AnnotateLead)}
	if f.submitted != nil && f.submitted.Action == actionUnlinkRecord {
		model.Redisplayed, model.Form = true, f.submitted.Form.View("")
	}
	chosen := model.Form.Value("record.mark")
	for _, r := range f.View.CRMRecords {
		model.Records = append(model.Records, ui.Option{Value: r.BlindIndex, Label: recordLabel(r), Note: recordSentText(r), Selected: r.BlindIndex == chosen})
	}
	return model
}

// recordLabel describes a record in words that users know.
func recordLabel(r desk.CRMRecord) string {
	location := " in " + r.CRM
	if r.Type != "" {
		location = " (" + r.Type + ")" + location
	}
	if r.Number == "" {
		return "A record" + location
	}
	return "Record " + r.Number + location
}

// recordSentText describes what the lender has of a record.
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
