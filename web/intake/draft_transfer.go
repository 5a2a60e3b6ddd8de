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

// TransferDraft gives a draft to a colleague who may send it. From the intake what stands in
// the form is saved first.
func (s *Handlers) TransferDraft(w http.ResponseWriter, r *http.Request, d page.Desk) error {
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
		if _, err := drafts.Save(r.Context(), id, f.DraftValues()); err != nil {
			return redirectToSentLead(w, r, err)
		}
	}
	err = drafts.Transfer(r.Context(), id, f.Text("draft.originator"))
	if fault.KindOf(err) == fault.Invalid && err != nil {
		if f.FieldErrors = append(f.FieldErrors, fault.FieldsOf(err)...); typing {
			return s.renderIntake(w, r, d, intakeState{draft: id, form: f, status: http.StatusUnprocessableEntity})
		}
		return s.renderDrafts(w, r, d, f.FieldErrors[0].Message)
	}
	if err != nil {
		return redirectToSentLead(w, r, err)
	}
	return page.NavigateTo(w, r, page.BaseOf(r).Drafts())
}

// transferOptions are the colleagues to whom this person can hand a draft.
func transferOptions(r *http.Request, d page.Desk) ([]ui.Option, error) {
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

// presentPreparedBy says who prepared a draft, and field by field what is not as the person saw
// it last: as they handed it on before, or, for who never had it, as it was prepared.
func presentPreparedBy(v format.Viewer, h *desk.TransferredDraft, f *form.Form) views.PreparedView {
	if h == nil {
		return views.PreparedView{}
	}
	way, seen := h.Transfers, 0
	last := way[len(way)-1]
	view := views.PreparedView{By: way[0].By, When: v.DateTimeInText(last.At)}
	if last.ByID != way[0].ByID {
		view.TransferredFrom = last.By
	}
	for i, one := range way {
		if one.ByID == v.Who.UserID {
			seen, view.SeenBefore = i, true
		}
	}
	if way[0].ByID == v.Who.UserID {
		view.By = "you"
	}
	for _, name := range ChangedControls(way[seen].Typed, f) {
		view.Changed = append(view.Changed, name)
		view.Rows = append(view.Rows, views.ChangeRow{
			Control: name, Previous: plainValue(way[seen].Typed.Value(name)), Current: plainValue(f.Values.Get(name)), Who: changedBy(v, way[seen:], name, f),
		})
	}
	return view
}

// changedBy is who gave a control what stands in it: whoever handed the draft on with it first,
// or, when nobody has, the person who has the draft.
func changedBy(v format.Viewer, way []desk.DraftTransfer, name string, f *form.Form) string {
	now := comparableValue(f.DraftValues().Value(name))
	who := "you"
	for i := len(way) - 1; i > 0 && comparableValue(way[i].Typed.Value(name)) == now; i-- {
		if who = way[i].By; way[i].ByID == v.Who.UserID {
			who = "you"
		}
	}
	return who
}

// plainValue is a value as it was typed; one of the interface's own as a person says it.
func plainValue(value string) string {
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

// transferredDraft is how a draft stood when it was handed to this person; nil for one of their own.
func transferredDraft(r *http.Request, d page.Desk, draft string) (*desk.TransferredDraft, error) {
	drafts, err := d.Drafts()
	if err != nil {
		return nil, err
	}
	kept, err := drafts.Find(r.Context(), draft)
	if fault.KindOf(err) == fault.NotFound || isDraftSent(err) {
		return nil, nil // what is shown is a form that came too late, with what its person typed
	}
	return kept.Transferred, err
}
