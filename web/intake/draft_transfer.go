package intake

import (
	"net/http"
	"strings"

	deskintake "hearthline/internal/desk/intake"

	"github.com/go-chi/chi/v5"

	"hearthline/internal/access"
	view "hearthline/views/intake"
	"hearthline/views/text"
	"hearthline/views/ui"
	"hearthline/web/form"
	"hearthline/web/page"
)

// TransferDraft transfers a draft to a colleague who may send it. If the intake form submits it,
// the form is saved first.
func (h *Handlers) TransferDraft(w http.ResponseWriter, r *http.Request, drafts *deskintake.Drafts,
	f *form.Form) error {
	id := chi.URLParam(r, "id")
	fromIntake := f.Values.Get("draft") == id
	if fromIntake {
		if _, err := drafts.Save(r.Context(), id, f.DraftValues()); err != nil {
			return redirectToSentLead(w, r, err)
		}
	}
	err := drafts.Transfer(r.Context(), id, f.Text("draft.originator"))
	if page.Rejected(f, err) {
		if fromIntake {
			return h.renderIntake(w, r, submittedIntake(id, f))
		}
		return h.renderDrafts(w, r, drafts, f.FieldErrors[0].Message)
	}
	if err != nil {
		return redirectToSentLead(w, r, err)
	}
	return page.NavigateTo(w, r, page.BaseOf(r).Drafts())
}

// senderOptions lists the colleagues to whom this user can transfer a draft.
func senderOptions(people []access.User) []ui.Option {
	var options []ui.Option
	for _, u := range people {
		options = append(options, ui.Option{Value: u.OriginatorUUID, Label: u.Name})
	}
	return options
}

// presentPreparedBy states who prepared a draft, and lists the fields that have changed since the
// user last saw it: since they last transferred it, or since it was prepared if they never had it.
func presentPreparedBy(v text.Viewer, transfers []deskintake.DraftTransfer, f *form.Form) view.PreparedView {
	if len(transfers) == 0 {
		return view.PreparedView{}
	}
	seen := 0
	last := transfers[len(transfers)-1]
	model := view.PreparedView{By: transfers[0].By, When: v.DateTimeInText(last.At)}
	if last.ByID != transfers[0].ByID {
		model.TransferredFrom = last.By
	}
	for i, one := range transfers {
		if one.ByID == v.Who.UserID {
			seen, model.SeenBefore = i, true
		}
	}
	if transfers[0].ByID == v.Who.UserID {
		model.By = "you"
	}
	for _, name := range ChangedControls(transfers[seen].Typed, f, v.Today()) {
		model.Changed = append(model.Changed, name)
		model.Rows = append(model.Rows, view.ChangeRow{
			Control: name, Previous: plainValue(transfers[seen].Typed.Value(name)), Current: plainValue(f.Values.Get(name)),
			Who: changedBy(v, transfers[seen:], name, f),
		})
	}
	return model
}

// changedBy returns who set a control to its current value: the first user who transferred the
// draft with that value, or the draft's current owner.
func changedBy(v text.Viewer, transfers []deskintake.DraftTransfer, name string, f *form.Form) string {
	now := comparableValue(name, f.DraftValues().Value(name), v.Today())
	who := "you"
	for i := len(transfers) - 1; i > 0 && comparableValue(name, transfers[i].Typed.Value(name), v.Today()) == now; i-- {
		if who = transfers[i].By; transfers[i].ByID == v.Who.UserID {
			who = "you"
		}
	}
	return who
}

// plainValue returns a value as it was typed. For a value of the interface, it returns the display
// text.
func plainValue(value string) string {
	switch value = strings.TrimSpace(value); {
	case value == "true":
		return "yes"
	case value == "false":
		return "no"
	case len(value) > 2 && strings.Trim(value, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") == "":
		return text.Name(value)
	default:
		return value
	}
}

// savedText states whether the form is saved as it is shown. It is empty for a draft that was never
// saved.
func savedText(v text.Viewer, stored deskintake.Draft, f *form.Form) string {
	switch {
	case stored.ID == "":
		return ""
	case len(ChangedControls(stored.Typed, f, v.Today())) > 0:
		return "Unsaved changes"
	default:
		return form.SavedText(v, stored.SavedAt)
	}
}
