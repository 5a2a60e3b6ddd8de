package intake

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	deskintake "hearthline/internal/desk/intake"
	view "hearthline/views/intake"
	"hearthline/web/form"
	"hearthline/web/page"
)

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
