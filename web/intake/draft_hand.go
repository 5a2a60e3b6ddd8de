package intake

import (
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"

	"hearthline/internal/desk"
	"hearthline/internal/fault"
	"hearthline/views"
	"hearthline/views/ui"
	"hearthline/views/words"
	"hearthline/web/form"
	"hearthline/web/format"
	"hearthline/web/page"
)

// handDraft gives a draft to a colleague who may send it. From the intake what stands in
// the form is saved first.
func (s *Handlers) HandDraft(w http.ResponseWriter, r *http.Request, d page.Desk) error {
	f, err := page.ReadForm(r)
	if err != nil {
		return err
	}
	drafts, err := d.Drafts()
	if err != nil {
		return err
	}
	id := chi.URLParam(r, "id")
	typing := f.Values.Get("draft") == id
	if typing {
		if _, err := drafts.Save(r.Context(), id, f.Typed()); err != nil {
			return orItsLead(w, r, err)
		}
	}
	err = drafts.Hand(r.Context(), id, f.Text("draft.originator"))
	if fault.KindOf(err) == fault.Invalid && err != nil {
		if f.Wrong = append(f.Wrong, fault.FieldsOf(err)...); typing {
			return s.showIntake(w, r, d, intake{draft: id, form: f, status: http.StatusUnprocessableEntity})
		}
		return s.showDrafts(w, r, d, f.Wrong[0].Message)
	}
	if err != nil {
		return orItsLead(w, r, err)
	}
	return page.Onward(w, r, page.BaseOf(r).Drafts())
}

// senders are the colleagues to whom this person can hand a draft.
func senders(r *http.Request, d page.Desk) ([]ui.Option, error) {
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

// showPreparedBy says who prepared a draft, and field by field what is not as the person saw
// it last: as they handed it on before, or, for who never had it, as it was prepared.
func showPreparedBy(v format.Viewer, h *desk.HandedDraft, f *form.Form) views.PreparedView {
	if h == nil {
		return views.PreparedView{}
	}
	way, seen := h.Handings, 0
	last := way[len(way)-1]
	view := views.PreparedView{By: way[0].By, When: v.Within(last.At)}
	if last.ByID != way[0].ByID {
		view.From = last.By
	}
	for i, one := range way {
		if one.ByID == v.Who.UserID {
			seen, view.Seen = i, true
		}
	}
	if way[0].ByID == v.Who.UserID {
		view.By = "you"
	}
	for _, name := range ChangedSince(way[seen].Typed, f) {
		view.Changed = append(view.Changed, name)
		view.Rows = append(view.Rows, views.ChangeRow{
			Control: name, Was: inPlainWords(way[seen].Typed.Value(name)), Is: inPlainWords(f.Values.Get(name)), Who: changer(v, way[seen:], name, f),
		})
	}
	return view
}

// changer is who gave a control what stands in it: whoever handed the draft on with it first,
// or, when nobody has, the person who has the draft.
func changer(v format.Viewer, way []desk.Handing, name string, f *form.Form) string {
	now := plainly(f.Typed().Value(name))
	who := "you"
	for i := len(way) - 1; i > 0 && plainly(way[i].Typed.Value(name)) == now; i-- {
		if who = way[i].By; way[i].ByID == v.Who.UserID {
			who = "you"
		}
	}
	return who
}

// inPlainWords is a value as it was typed; one of the interface's own as a person says it.
func inPlainWords(value string) string {
	switch value = strings.TrimSpace(value); {
	case value == "true":
		return "yes"
	case value == "false":
		return "no"
	case len(value) > 2 && strings.Trim(value, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") == "":
		return words.Name(value)
	default:
		return value
	}
}

// handedOf is how a draft stood when it was handed to this person; nil for one of their own.
func handedOf(r *http.Request, d page.Desk, draft string) (*desk.HandedDraft, error) {
	drafts, err := d.Drafts()
	if err != nil {
		return nil, err
	}
	kept, err := drafts.Open(r.Context(), draft)
	if fault.KindOf(err) == fault.NotFound || wasSent(err) {
		return nil, nil // what is shown is a form that came too late, with what its person typed
	}
	return kept.Handed, err
}
