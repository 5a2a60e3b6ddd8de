package web

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	"hearthline/internal/desk"
	"hearthline/internal/fault"
	"hearthline/views"
	"hearthline/views/ui"
)

// handDraft gives a draft to a colleague who may send it. From the intake what stands in
// the form is saved first.
func (s *Server) handDraft(w http.ResponseWriter, r *http.Request, d Desk) error {
	f, err := readForm(r)
	if err != nil {
		return err
	}
	drafts, err := d.Drafts()
	if err != nil {
		return err
	}
	id := chi.URLParam(r, "id")
	typing := f.values.Get("draft") == id
	if typing {
		if _, err := drafts.Save(r.Context(), id, f.typed()); err != nil {
			return err
		}
	}
	err = drafts.Hand(r.Context(), id, f.text("draft.originator"))
	if fault.KindOf(err) == fault.Invalid && err != nil {
		if f.wrong = append(f.wrong, fault.FieldsOf(err)...); typing {
			return s.showIntake(w, r, d, intake{draft: id, form: f, status: http.StatusUnprocessableEntity})
		}
		return s.showDrafts(w, r, d, f.wrong[0].Message)
	}
	if err != nil {
		return err
	}
	return onward(w, r, baseOf(r).Drafts())
}

// senders are the colleagues to whom this person can hand a draft.
func senders(r *http.Request, d Desk) ([]ui.Option, error) {
	drafts, err := d.Drafts()
	if err != nil {
		return nil, err
	}
	people, err := drafts.Senders(r.Context())
	var options []ui.Option
	for _, u := range people {
		options = append(options, ui.Option{Value: u.OriginatorUUID, Label: u.Name})
	}
	return options, err
}

// showPreparedBy says who prepared a draft, and what differs from what they handed over.
func (v viewer) showPreparedBy(h *desk.HandedDraft, f *form) views.PreparedView {
	if h == nil {
		return views.PreparedView{}
	}
	return views.PreparedView{By: h.By, When: v.within(h.At), Changed: changedSince(h.Typed, f)}
}

// handedOf is how a draft stood when it was handed to this person; nil for one of their own.
func handedOf(r *http.Request, d Desk, draft string) (*desk.HandedDraft, error) {
	drafts, err := d.Drafts()
	if err != nil {
		return nil, err
	}
	kept, err := drafts.Open(r.Context(), draft)
	if fault.KindOf(err) == fault.NotFound {
		return nil, nil
	}
	return kept.Handed, err
}
