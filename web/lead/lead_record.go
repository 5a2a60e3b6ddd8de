package lead

import (
	"net/http"

	"hearthline/internal/access"
	"hearthline/internal/desk"
	"hearthline/views"
	"hearthline/views/ui"
	"hearthline/web/page"
)

// actTakeOff is the address of the deed that takes a lead off a CRM's record.
const actTakeOff = "take-off"

// takeOff takes a lead off a CRM's record. A frame of that record then opens what it has
// instead: another of its leads, or the intake.
func (s *Handlers) TakeOff(w http.ResponseWriter, r *http.Request, l page.Lead) error {
	f, err := page.ReadForm(r)
	if err != nil {
		return err
	}
	mark := f.Required("record.mark", "Choose the record")
	if !f.Checked("confirm.take-off") {
		f.Complain("confirm.take-off", "Confirm that it is to be taken off")
	}
	if f.Bad() {
		return s.HandBack(w, r, l, page.Attempt{Act: actTakeOff, Form: f, Status: http.StatusUnprocessableEntity})
	}
	beside, err := l.TakeOff(r.Context(), mark)
	if err != nil {
		return err
	}
	if beside {
		return page.Onward(w, r, page.BaseOf(r).Home())
	}
	return page.Onward(w, r, page.BaseOf(r).Lead(string(l.App())))
}

// showRecords are the records of CRMs whose lead this is, and the form to take it off one.
func showRecords(f LeadFacts) views.RecordsView {
	shown := views.RecordsView{Can: f.Can(access.AnnotateLead)}
	if f.attempt != nil && f.attempt.Act == actTakeOff {
		shown.Open, shown.Form = true, f.attempt.Form.View("")
	}
	chosen := shown.Form.Value("record.mark")
	for _, r := range f.View.Records {
		shown.Records = append(shown.Records, ui.Option{Value: r.Mark, Label: nameOfRecord(r), Note: sentOfRecord(r), Selected: r.Mark == chosen})
	}
	return shown
}

// nameOfRecord is a record as people call it.
func nameOfRecord(r desk.CRMRecord) string {
	of := " in " + r.CRM
	if r.Type != "" {
		of = " (" + r.Type + ")" + of
	}
	if r.Number == "" {
		return "A record" + of
	}
	return "Record " + r.Number + of
}

// sentOfRecord says what the lender has of a record.
func sentOfRecord(r desk.CRMRecord) string {
	switch {
	case r.Number == "":
		return "If the record’s number went to the lender with the inquiry, it cannot be called back."
	case r.Customer:
		return "Its number went to the lender with the inquiry, as your customer number. That cannot be called back."
	default:
		return "Its number went to the lender with the inquiry, as your reference. That cannot be called back."
	}
}
