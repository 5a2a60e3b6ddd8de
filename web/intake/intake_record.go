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

// recordIntake fills the intake of a record: from the draft that was begun for it, and from
// the record where nothing stands.
func recordIntake(r *http.Request, record *desk.Launched, page *intake) error {
	begun, err := record.Begin(r.Context())
	if err != nil {
		return err
	}
	page.form.Values = map[string][]string(begun.Typed)
	if begun.Draft.ID != "" {
		page.draft = begun.Draft.ID
	}
	return nil
}

// noteRecord says beside an intake what is known of the CRM's record, each time that it is
// shown: filled from it, gone on with or handed back.
func (s *Handlers) noteRecord(r *http.Request, shown *intake) error {
	record, err := page.Launched(r)
	if record == nil || err != nil {
		return err
	}
	notes, err := record.Notes(r.Context(), shown.draft, shown.form.Typed())
	if err != nil {
		return err
	}
	v := s.Viewer(r)
	if shown.saved == "" && !notes.Saved.IsZero() {
		shown.saved = form.SavedAt(v, notes.Saved)
	}
	shown.unfilled = views.UnfilledView{CRM: record.CRM(), Controls: notes.Left}
	shown.record = showRecord(v, notes)
	shown.record.CRM, shown.record.Take = record.CRM(), v.Base.Record()
	shown.record.CanTake = page.VisitOf(r).User.Can(access.AnnotateLead)
	return nil
}

func showRecord(v format.Viewer, n desk.Notes) views.RecordView {
	var shown views.RecordView
	if !n.Saved.IsZero() {
		shown.Resumed = v.Within(n.Saved)
	}
	for _, d := range n.Differs {
		shown.Differs = append(shown.Differs, views.RecordDiffers{Control: d.Control, CRM: d.CRM, Here: cmp.Or(d.Here, "nothing")})
	}
	switch n.Colleague {
	case desk.ColleagueDraft:
		shown.Colleague = "A colleague has begun an inquiry for this record and not sent it."
	case desk.ColleagueLead:
		shown.Colleague = "A colleague works the inquiry of this record. Ask them, or your manager, before you begin another."
	case desk.ColleagueFormer:
		shown.Colleague = "A colleague has an inquiry for a record of this number, which may be this one or one of another type. Ask them before you begin another."
	}
	if n.Former != "" {
		shown.Former = v.Base.NewLead(n.Former)
	}
	for _, l := range n.Elsewhere {
		shown.Elsewhere = append(shown.Elsewhere, views.RecordLead{App: string(l.App), Name: format.NameOf(l.Name), ShortID: l.ShortID, Chip: format.ChipOf(l.Lead)})
	}
	return shown
}
