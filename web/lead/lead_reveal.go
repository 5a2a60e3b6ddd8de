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

// opened is what stands open of the borrower on one answer: all of it, or one field.
type opened struct {
	all   pii.Secret[heloc.Signers]
	field pii.Secret[string]
	how   string // of a contact; empty when all of it stands open
	why   string // as the person said it
}

// revealBorrower shows the borrower's details on this answer, and on no other.
func (s *Handlers) RevealBorrower(w http.ResponseWriter, r *http.Request, l page.Lead) error {
	f, err := page.ReadForm(r)
	if err != nil {
		return err
	}
	why := desk.Reason{Preset: f.Text("reason"), Typed: f.Text("reason.typed")}
	if why.Typed == "" && !slices.Contains(desk.RevealReasons(), why.Preset) {
		// Words in the place of a choice are a reason in own words.
		why = desk.Reason{Typed: why.Preset}
	}
	a := page.Attempt{Act: "reveal", Form: f, Status: http.StatusUnprocessableEntity}
	if f.Bad() {
		return s.HandBack(w, r, l, a)
	}
	all, err := l.Reveal(r.Context(), why)
	if err != nil {
		return s.notShown(w, r, l, a, err)
	}
	return s.showOpened(w, r, l, opened{all: all, why: reasonWords(why)})
}

// contactBorrower logs a contact and shows the one field that it needs.
func (s *Handlers) ContactBorrower(w http.ResponseWriter, r *http.Request, l page.Lead) error {
	f, err := page.ReadForm(r)
	if err != nil {
		return err
	}
	c := desk.Contact{How: f.Text("contact.how"), Note: Long(f, "contact.note"), Only: f.Checked("contact.only")}
	a := page.Attempt{Act: "contact", Form: f, Status: http.StatusUnprocessableEntity}
	field, err := l.Contact(r.Context(), c)
	if err != nil {
		return s.notShown(w, r, l, a, err)
	}
	if c.Only || c.How == desk.ByInPerson {
		return page.Onward(w, r, page.BaseOf(r).Lead(string(l.App())))
	}
	return s.showOpened(w, r, l, opened{field: field, how: c.How})
}

// borrowerLink shows the borrower's own way in, to be copied.
func (s *Handlers) BorrowerLink(w http.ResponseWriter, r *http.Request, l page.Lead) error {
	link, err := l.BorrowerLink(r.Context())
	if err != nil {
		return s.notShown(w, r, l, page.Attempt{Act: "borrower-link", Form: &form.Form{}}, err)
	}
	return s.showOpened(w, r, l, opened{field: link, how: desk.ByLink})
}

func (s *Handlers) showOpened(w http.ResponseWriter, r *http.Request, l page.Lead, o opened) error {
	facts, err := s.factsOf(r, l)
	if err != nil {
		return err
	}
	facts.open, facts.tab = &o, to.Overview
	return s.showWorkspace(w, r, http.StatusOK, facts)
}

// notShown says beside the borrower why nothing is shown: a form that is wrong, a field
// that the lender does not have, a lender that does not answer.
func (s *Handlers) notShown(w http.ResponseWriter, r *http.Request, l page.Lead, a page.Attempt, cause error) error {
	kind := fault.KindOf(cause)
	if kind != fault.Invalid && kind != fault.Conflict && kind != fault.Upstream && kind != fault.Unavailable {
		return cause
	}
	facts, err := s.factsOf(r, l)
	if err != nil {
		return err
	}
	page.TrailOf(r).Err = cause
	page.SetRetryAfter(w, cause)
	a.Status, facts.refused = page.Judged(cause)
	if kind == fault.Invalid {
		a.Form.Wrong, facts.refused = append(a.Form.Wrong, fault.FieldsOf(cause)...), ""
	}
	if page.Fragment(r) {
		a.Status = http.StatusUnprocessableEntity // the only refusal that htmx puts on the page
	}
	facts.attempt, facts.tab = &a, to.Overview
	return s.showWorkspace(w, r, a.Status, facts)
}
