package web

import (
	"cmp"
	"net/http"

	"hearthline/internal/access"
	"hearthline/internal/desk"
	"hearthline/views"
)

// beginRecord leads to the intake of a record without a lead, or to the receipt of a start
// whose outcome is not known. Before another inquiry is begun for a record whose lead is a
// colleague's, it says so.
func (s *Server) beginRecord(w http.ResponseWriter, r *http.Request, record *desk.Launched) error {
	sent, err := record.Sent(r.Context())
	if err != nil {
		return err
	}
	if sent != "" {
		return redirect(w, r, baseOf(r).Operation(sent))
	}
	with, found, err := record.With(r.Context())
	if err != nil {
		return err
	}
	if found {
		return s.show(w, r, http.StatusOK, views.EmbedWith(views.EmbedWithView{
			Page: s.frame(r, "This record"), CRM: record.CRM(), Title: withWhom(with) + ".", ShortID: with.ShortID, Ended: with.Ended,
		}))
	}
	return redirect(w, r, baseOf(r).NewLead(""))
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

// recordIntake fills the intake of a record: from the draft that was begun for it, and from
// the record where nothing stands.
func recordIntake(r *http.Request, record *desk.Launched, page *intake) error {
	begun, err := record.Begin(r.Context())
	if err != nil {
		return err
	}
	page.form.values = map[string][]string(begun.Typed)
	if begun.Draft.ID != "" {
		page.draft = begun.Draft.ID
	}
	return nil
}

// noteRecord says beside an intake what is known of the CRM's record, each time that it is
// shown: filled from it, gone on with or handed back.
func (s *Server) noteRecord(r *http.Request, page *intake) error {
	record, err := launched(r)
	if record == nil || err != nil {
		return err
	}
	notes, err := record.Notes(r.Context(), page.draft, page.form.typed())
	if err != nil {
		return err
	}
	v := s.viewer(r)
	if page.saved == "" && !notes.Saved.IsZero() {
		page.saved = v.savedAt(notes.Saved)
	}
	page.unfilled = views.UnfilledView{CRM: record.CRM(), Controls: notes.Left}
	page.record = v.showRecord(notes)
	page.record.CRM, page.record.Take = record.CRM(), v.base.Record()
	page.record.CanTake = visitOf(r).user.Can(access.AnnotateLead)
	return nil
}

func (v viewer) showRecord(n desk.Notes) views.RecordView {
	var shown views.RecordView
	if !n.Saved.IsZero() {
		shown.Resumed = v.within(n.Saved)
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
		shown.Former = v.base.NewLead(n.Former)
	}
	for _, l := range n.Elsewhere {
		shown.Elsewhere = append(shown.Elsewhere, views.RecordLead{App: string(l.App), Name: nameOf(l.Name), ShortID: l.ShortID, Chip: chipOf(l.Lead)})
	}
	return shown
}

// takeLead makes a lead that carries the record's number the record's own.
func (s *Server) takeLead(w http.ResponseWriter, r *http.Request, _ Desk) error {
	f, err := readForm(r)
	if err != nil {
		return err
	}
	record, err := launched(r)
	if err != nil {
		return err
	}
	app := f.text("record.lead")
	if err := record.Take(r.Context(), app); err != nil {
		return err
	}
	return onward(w, r, baseOf(r).Lead(app))
}

// recordStand is where the lead of a frame's record stands, whatever else its page shows;
// empty while it has none, and outside of frames.
func recordStand(r *http.Request) (string, error) {
	record, err := launched(r)
	if record == nil || err != nil {
		return "", err
	}
	lead, found, err := record.Lead(r.Context())
	if !found || err != nil {
		return "", err
	}
	return views.StandOf(string(lead.App), chipOf(lead.Lead)), nil
}
