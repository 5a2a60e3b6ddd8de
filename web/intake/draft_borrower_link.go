package intake

import (
	"net/http"
	"net/url"
	"strconv"

	"github.com/go-chi/chi/v5"

	"hearthline/internal/fault"
	"hearthline/internal/pdf"
	view "hearthline/views/intake"
	"hearthline/web/form"
	"hearthline/web/page"
)

// DraftBorrowerLink shows the link with which the borrower continues a draft alone. It saves the
// form first, so that the link matches the draft. A draft is rarely complete: the link omits
// missing and invalid values.
func (s *Handlers) DraftBorrowerLink(w http.ResponseWriter, r *http.Request, d page.Desk) error {
	f, err := page.ReadForm(r)
	if err != nil {
		return err
	}
	drafts, err := d.Drafts()
	if err != nil {
		return err
	}
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
	draftForm := &form.Form{Values: url.Values(draft.Typed), Corrections: map[string]string{}}
	inquiry, _ := draftForm.Inquiry(s.Viewer(r).Today())
	link, err := drafts.Link(r.Context(), id, inquiry)
	if fields := fault.FieldsOf(err); len(fields) > 0 {
		draftForm.FieldErrors = fields
		return s.renderIntake(w, r, d, intakeState{draft: id, form: draftForm, status: http.StatusUnprocessableEntity})
	}
	if err != nil {
		return err
	}
	model := view.BorrowerLinkView{Page: s.Layout(r, "A link for the borrower"), Draft: id, Name: borrowerNameIn(draftForm), Link: link}
	if code, err := pdf.QR(link); err == nil {
		size := strconv.Itoa(code.Size)
		model.QRPath, model.QRViewBox = code.Path, "0 0 "+size+" "+size
	}
	return s.Render(w, r, http.StatusOK, view.BorrowerLink(model))
}
