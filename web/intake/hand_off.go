package intake

import (
	"net/http"
	"net/url"
	"strconv"

	"github.com/go-chi/chi/v5"

	"hearthline/internal/fault"
	"hearthline/internal/paper"
	"hearthline/views"
	"hearthline/web/form"
	"hearthline/web/page"
)

// handOffDraft shows the link on which the borrower of a draft goes on alone. What
// stands in the form is saved first, so that link and draft say the same. A draft is
// seldom complete: what is missing or wrong in it is left out of the link.
func (s *Handlers) HandOffDraft(w http.ResponseWriter, r *http.Request, d page.Desk) error {
	f, err := page.ReadForm(r)
	if err != nil {
		return err
	}
	drafts, err := d.Drafts()
	if err != nil {
		return err
	}
	id := chi.URLParam(r, "id")
	if typed := f.Typed(); len(typed) > 0 {
		if _, err := drafts.Save(r.Context(), id, typed); err != nil {
			return orItsLead(w, r, err)
		}
	}
	draft, err := drafts.Open(r.Context(), id)
	if err != nil {
		return orItsLead(w, r, err)
	}
	kept := &form.Form{Values: url.Values(draft.Typed), Sent: map[string]string{}}
	inquiry, _ := kept.Inquiry(s.Viewer(r).Today())
	link, err := drafts.Link(r.Context(), id, inquiry)
	if fields := fault.FieldsOf(err); len(fields) > 0 {
		kept.Wrong = fields
		return s.showIntake(w, r, d, intake{draft: id, form: kept, saved: form.SavedAt(s.Viewer(r), draft.SavedAt), status: http.StatusUnprocessableEntity})
	}
	if err != nil {
		return err
	}
	view := views.HandOffView{Page: s.Frame(r, "A link for the borrower"), Draft: id, Name: borrowerIn(kept), Link: link}
	if code, err := paper.QR(link); err == nil {
		size := strconv.Itoa(code.Size)
		view.Code, view.Box = code.Path, "0 0 "+size+" "+size
	}
	return s.Show(w, r, http.StatusOK, views.HandOff(view))
}
