package intake

import (
	"cmp"
	"net/http"

	"hearthline/internal/access"
	"hearthline/internal/desk"
	view "hearthline/views/intake"
	"hearthline/web/form"
	"hearthline/web/format"
	"hearthline/web/page"
)

// prefillFromRecord fills the intake form of a CRM record: from the record's draft if there is one,
// and from the record's data where the form is empty.
func prefillFromRecord(r *http.Request, record *desk.CRMLaunch, state *intakeState) error {
	prefilled, err := record.PrefilledIntake(r.Context())
	if err != nil {
		return err
	}
	state.form.Values = map[string][]string(prefilled.Typed)
	for name, values := range state.form.Values {
		if len(values) == 1 {
			state.form.Values[name] = []string{shownValue(name, values[0])} // a CRM sends 1979-05-14
		}
	}
	if prefilled.Draft.ID != "" {
		state.draft = prefilled.Draft.ID
	}
	return nil
}

// addRecordNotes adds what is known about the CRM's record each time the intake form is shown: when
// it is first filled, when a draft is resumed, and when the form is rejected.
func (s *Handlers) addRecordNotes(r *http.Request, state *intakeState) error {
	record, err := page.LaunchedRecord(r)
	if record == nil || err != nil {
		return err
	}
	notes, err := record.IntakeHints(r.Context(), state.draft, state.form.DraftValues())
	if err != nil {
		return err
	}
	v := s.Viewer(r)
	state.unusedCRMFields = view.UnusedCRMFieldsView{CRM: record.CRM(), Controls: notes.Unused}
	state.crmRecord = presentCRMRecord(v, notes)
	state.crmRecord.CRM, state.crmRecord.LinkURL = record.CRM(), v.Base.LinkCRMRecord()
	state.crmRecord.CanLink = page.VisitOf(r).User.Can(access.AnnotateLead)
	return nil
}

func presentCRMRecord(v format.Viewer, n desk.IntakeHints) view.CRMRecordView {
	var recordView view.CRMRecordView
	if !n.Saved.IsZero() {
		recordView.DraftSavedAt = v.DateTimeInText(n.Saved)
	}
	for _, d := range n.Differences {
		recordView.Differences = append(recordView.Differences, view.CRMDifference{Control: d.Control, CRM: shownValue(d.Control, d.CRM), Draft: cmp.Or(d.Current, "nothing")})
	}
	switch n.Colleague {
	case desk.ColleagueDraft:
		recordView.ColleagueNote = "A colleague has begun an inquiry for this record and not sent it."
	case desk.ColleagueLead:
		recordView.ColleagueNote = "A colleague works the inquiry of this record. Ask them, or your manager, before you begin another."
	case desk.ColleagueLegacy:
		recordView.ColleagueNote = "A colleague has an inquiry for a record of this number, which may be this one or one of another type. Ask them before you begin another."
	}
	if n.LegacyDraft != "" {
		recordView.PriorDraft = v.Base.NewLead(n.LegacyDraft)
	}
	for _, l := range n.UnlinkedLeads {
		recordView.OtherLeads = append(recordView.OtherLeads, view.CRMRecordLead{App: string(l.App), Name: format.FullName(l.Name), ShortID: l.ShortID, Chip: format.StatusChip(l.Row)})
	}
	return recordView
}

// shownValue returns a CRM's value in the format of the control.
func shownValue(control, value string) string {
	if form.IsDateControl(control) {
		return form.DateText(value)
	}
	return value
}
