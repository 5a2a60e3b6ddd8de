package intake

import (
	"cmp"
	"hearthline/internal/access"
	"hearthline/internal/desk"
	"hearthline/views"
	"hearthline/web/form"
	"hearthline/web/format"
	"hearthline/web/page"
	"net/http"
)

// prefillFromRecord fills the intake of a record: from the draft that was begun for it, and from
// the record where nothing stands.
func prefillFromRecord(r *http.Request, record *desk.CRMLaunch, page *intakeState) error {
	begun, err := record.PrefilledIntake(r.Context())
	if err != nil {
		return err
	}
	page.form.Values = map[string][]string(begun.Typed)
	if begun.Draft.ID != "" {
		page.draft = begun.Draft.ID
	}
	return nil
}

// addRecordNotes says beside an intake what is known of the CRM's record, each time that it is
// shown: filled from it, gone on with or handed back.
func (s *Handlers) addRecordNotes(r *http.Request, shown *intakeState) error {
	record, err := page.LaunchedRecord(r)
	if record == nil || err != nil {
		return err
	}
	notes, err := record.IntakeHints(r.Context(), shown.draft, shown.form.DraftValues())
	if err != nil {
		return err
	}
	v := s.Viewer(r)
	if shown.savedText == "" && !notes.Saved.IsZero() {
		shown.savedText = form.SavedText(v, notes.Saved)
	}
	shown.unusedCRMFields = views.UnusedCRMFieldsView{CRM: record.CRM(), Controls: notes.Unused}
	shown.crmRecord = presentCRMRecord(v, notes)
	shown.crmRecord.CRM, shown.crmRecord.LinkURL = record.CRM(), v.Base.LinkCRMRecord()
	shown.crmRecord.CanLink = page.VisitOf(r).User.Can(access.AnnotateLead)
	return nil
}

func presentCRMRecord(v format.Viewer, n desk.IntakeHints) views.CRMRecordView {
	var shown views.CRMRecordView
	if !n.Saved.IsZero() {
		shown.DraftSavedAt = v.DateTimeInText(n.Saved)
	}
	for _, d := range n.Differences {
		shown.Differences = append(shown.Differences, views.CRMDifference{Control: d.Control, CRM: d.CRM, Draft: cmp.Or(d.Current, "nothing")})
	}
	switch n.Colleague {
	case desk.ColleagueDraft:
		shown.ColleagueNote = "A colleague has begun an inquiry for this record and not sent it."
	case desk.ColleagueLead:
		shown.ColleagueNote = "A colleague works the inquiry of this record. Ask them, or your manager, before you begin another."
	case desk.ColleagueLegacy:
		shown.ColleagueNote = "A colleague has an inquiry for a record of this number, which may be this one or one of another type. Ask them before you begin another."
	}
	if n.LegacyDraft != "" {
		shown.PriorDraft = v.Base.NewLead(n.LegacyDraft)
	}
	for _, l := range n.UnlinkedLeads {
		shown.OtherLeads = append(shown.OtherLeads, views.CRMRecordLead{App: string(l.App), Name: format.FullName(l.Name), ShortID: l.ShortID, Chip: format.StatusChip(l.Lead)})
	}
	return shown
}
