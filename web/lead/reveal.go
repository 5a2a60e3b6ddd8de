package lead

import (
	"net/http"
	"slices"

	"hearthline/internal/desk"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/pii"
	"hearthline/views/to"
	"hearthline/web/form"
	"hearthline/web/page"
)

// revealed is what stands open of the borrower on one answer: all of it, or one field.
type revealed struct {
	all           pii.Secret[heloc.Signers]
	field         pii.Secret[string]
	contactMethod string // of a contact; empty when all of it stands open
	reason        string // as the person said it
}

// RevealBorrower shows the borrower's details on this answer, and on no other.
func (s *Handlers) RevealBorrower(w http.ResponseWriter, r *http.Request, l page.Lead) error {
	f, err := page.ReadForm(r)
	if err != nil {
		return err
	}
	why := desk.RevealReason{Preset: f.Text("reason"), Typed: f.Text("reason.typed")}
	if why.Typed == "" && !slices.Contains(desk.RevealReasons(), why.Preset) {
		// Words in the place of a choice are a reason in own words.
		why = desk.RevealReason{Typed: why.Preset}
	}
	a := page.SubmittedForm{Action: "reveal", Form: f, Status: http.StatusUnprocessableEntity}
	if f.HasErrors() {
		return s.Redisplay(w, r, l, a)
	}
	all, err := l.Reveal(r.Context(), why)
	if err != nil {
		return s.renderRevealFailed(w, r, l, a, err)
	}
	return s.renderRevealed(w, r, l, revealed{all: all, reason: revealReasonText(why)})
}

// ContactBorrower logs a contact and shows the one field that it needs.
func (s *Handlers) ContactBorrower(w http.ResponseWriter, r *http.Request, l page.Lead) error {
	f, err := page.ReadForm(r)
	if err != nil {
		return err
	}
	c := desk.Contact{Method: f.Text("contact.how"), Note: MultilineText(f, "contact.note"), LogOnly: f.IsChecked("contact.only")}
	a := page.SubmittedForm{Action: "contact", Form: f, Status: http.StatusUnprocessableEntity}
	field, err := l.Contact(r.Context(), c)
	if err != nil {
		return s.renderRevealFailed(w, r, l, a, err)
	}
	if c.LogOnly || c.Method == desk.ByInPerson {
		return page.NavigateTo(w, r, page.BaseOf(r).Lead(string(l.App())))
	}
	return s.renderRevealed(w, r, l, revealed{field: field, contactMethod: c.Method})
}

// BorrowerLink shows the borrower's own way in, to be copied.
func (s *Handlers) BorrowerLink(w http.ResponseWriter, r *http.Request, l page.Lead) error {
	link, err := l.BorrowerLink(r.Context())
	if err != nil {
		return s.renderRevealFailed(w, r, l, page.SubmittedForm{Action: "borrower-link", Form: &form.Form{}}, err)
	}
	return s.renderRevealed(w, r, l, revealed{field: link, contactMethod: desk.ByLink})
}

func (s *Handlers) renderRevealed(w http.ResponseWriter, r *http.Request, l page.Lead, o revealed) error {
	facts, err := s.loadLead(r, l)
	if err != nil {
		return err
	}
	facts.revealed, facts.tab = &o, to.Overview
	return s.renderWorkspace(w, r, http.StatusOK, facts)
}

// renderRevealFailed says beside the borrower why nothing is shown: a form that is wrong, a field
// that the lender does not have, a lender that does not answer.
func (s *Handlers) renderRevealFailed(w http.ResponseWriter, r *http.Request, l page.Lead, a page.SubmittedForm, cause error) error {
	kind := fault.KindOf(cause)
	if kind != fault.Invalid && kind != fault.Conflict && kind != fault.Upstream && kind != fault.Unavailable {
		return cause
	}
	facts, err := s.loadLead(r, l)
	if err != nil {
		return err
	}
	page.RequestLogOf(r).Err = cause
	page.SetRetryAfter(w, cause)
	a.Status, facts.revealError = page.StatusAndMessage(cause)
	if kind == fault.Invalid {
		a.Form.FieldErrors, facts.revealError = append(a.Form.FieldErrors, fault.FieldsOf(cause)...), ""
	}
	if page.IsFragment(r) {
		a.Status = http.StatusUnprocessableEntity // the only refusal that htmx puts on the page
	}
	facts.submitted, facts.tab = &a, to.Overview
	return s.renderWorkspace(w, r, a.Status, facts)
}
