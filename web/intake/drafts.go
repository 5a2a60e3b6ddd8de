package intake

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"

	deskintake "hearthline/internal/desk/intake"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
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
func senderOptions(v text.Viewer, people []lead.Candidate) []ui.Option {
	return ui.Choices("", page.CandidateChoices(v, people, true)[1:]...)
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

// DraftBorrowerLink shows the link with which the borrower continues a draft alone. It saves the
// form first, so that the link matches the draft. A draft is rarely complete: the link omits
// missing and invalid values.
func (h *Handlers) DraftBorrowerLink(w http.ResponseWriter, r *http.Request, drafts *deskintake.Drafts,
	f *form.Form) error {
	id := chi.URLParam(r, "id")
	if typed := f.DraftValues(); len(typed) > 0 {
		if _, err := drafts.Save(r.Context(), id, typed); err != nil {
			return redirectToSentLead(w, r, err)
		}
	}
	draft, err := drafts.Find(r.Context(), id)
	if err != nil {
		return redirectToSentLead(w, r, err)
	}
	// The form that is read has an error for everything that is missing; the one that is shown has none.
	inquiry, _ := storedForm(r, draft.Typed).Inquiry(h.Viewer(r).Today())
	draftForm := storedForm(r, draft.Typed)
	link, err := drafts.Link(r.Context(), id, inquiry)
	if page.Rejected(draftForm, err) {
		return h.renderIntake(w, r, submittedIntake(id, draftForm))
	}
	if err != nil {
		return err
	}
	model := view.BorrowerLinkView{Page: h.Layout(r, "Borrower link"), Draft: id, Name: borrowerNameIn(draftForm),
		Link: link, QR: page.PresentQR(link)}
	return h.Render(w, r, http.StatusOK, view.BorrowerLink(model))
}

// CloneLead creates a draft with the values of a sent inquiry, to be corrected and sent again.
func (h *Handlers) CloneLead(w http.ResponseWriter, r *http.Request, l page.Lead) error {
	id, err := l.Clone(r.Context())
	if err != nil {
		return err
	}
	return page.NavigateTo(w, r, page.BaseOf(r).NewLead(id))
}

// presentRestart shows which inquiry the draft corrects, and which values differ from it.
func presentRestart(v text.Viewer, old deskintake.Restart, f *form.Form) view.RestartView {
	l := old.Lead.Row()
	model := view.RestartView{
		Text: text.JoinNonEmpty(", ", text.FullName(old.Lead.Name), text.ShortID(&l),
			text.LowerFirst(text.LeadStatus(&l).Chip)), Href: v.Base.Lead(string(l.App)),
		Changed: ChangedControls(old.SentValues, f, v.Today()), CanCancel: old.CanCancel,
	}
	if old.CanCancel {
		if model.CancelOperationID = f.Values.Get("cancelOld.operation"); model.CancelOperationID == "" {
			model.CancelOperationID = old.Lead.NewOperationID(heloc.OpCancel)
		}
	}
	return model
}

// ChangedControls lists the controls whose values differ from what was sent. The format of an
// amount or a date does not count.
func ChangedControls(sent lead.FormValues, f *form.Form, today heloc.Date) []string {
	now := f.DraftValues()
	all := maps.Clone(now)
	maps.Copy(all, sent)
	var changed []string
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if !form.IsSecretControl(name) && comparableValue(name, sent.Value(name), today) != comparableValue(name,
			now.Value(name), today) {
			changed = append(changed, name)
		}
	}
	return changed
}

// comparableValue normalizes a control's value for comparison: the format of an amount or a date does not count, and
// an unchecked box equals an empty value.
func comparableValue(name, value string, today heloc.Date) string {
	value = strings.TrimSpace(value)
	if form.IsDateControl(name) {
		return form.NormalDate(name, value, today)
	}
	if m, problem := form.ParseMoney(value); problem == "" {
		return m.String()
	}
	if value == "false" {
		return ""
	}
	return value
}
