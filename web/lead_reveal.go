package web

import (
	"net/http"
	"slices"

	"hearthline/internal/desk"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/pii"
	"hearthline/views/to"
)

// opened is what stands open of the borrower on one answer: all of it, or one field.
type opened struct {
	all   pii.Secret[heloc.Signers]
	field pii.Secret[string]
	how   string // of a contact; empty when all of it stands open
	why   string // as the person said it
}

// revealBorrower shows the borrower's details on this answer, and on no other.
func (s *Server) revealBorrower(w http.ResponseWriter, r *http.Request, l Lead) error {
	f, err := readForm(r)
	if err != nil {
		return err
	}
	why := desk.Reason{Preset: f.text("reason"), Typed: f.text("reason.typed")}
	if why.Typed == "" && !slices.Contains(desk.RevealReasons(), why.Preset) {
		// Words in the place of a choice are a reason in own words.
		why = desk.Reason{Typed: why.Preset}
	}
	a := attempt{act: "reveal", form: f, status: http.StatusUnprocessableEntity}
	if f.bad() {
		return s.handBack(w, r, l, a)
	}
	all, err := l.Reveal(r.Context(), why)
	if err != nil {
		return s.notShown(w, r, l, a, err)
	}
	return s.showOpened(w, r, l, opened{all: all, why: reasonWords(why)})
}

// contactBorrower logs a contact and shows the one field that it needs.
func (s *Server) contactBorrower(w http.ResponseWriter, r *http.Request, l Lead) error {
	f, err := readForm(r)
	if err != nil {
		return err
	}
	c := desk.Contact{How: f.text("contact.how"), Note: f.long("contact.note"), Only: f.checked("contact.only")}
	a := attempt{act: "contact", form: f, status: http.StatusUnprocessableEntity}
	field, err := l.Contact(r.Context(), c)
	if err != nil {
		return s.notShown(w, r, l, a, err)
	}
	if c.Only || c.How == desk.ByInPerson {
		return onward(w, r, baseOf(r).Lead(string(l.App())))
	}
	return s.showOpened(w, r, l, opened{field: field, how: c.How})
}

// borrowerLink shows the borrower's own way in, to be copied.
func (s *Server) borrowerLink(w http.ResponseWriter, r *http.Request, l Lead) error {
	link, err := l.BorrowerLink(r.Context())
	if err != nil {
		return s.notShown(w, r, l, attempt{act: "borrower-link", form: &form{}}, err)
	}
	return s.showOpened(w, r, l, opened{field: link, how: desk.ByLink})
}

func (s *Server) showOpened(w http.ResponseWriter, r *http.Request, l Lead, o opened) error {
	facts, err := s.factsOf(r, l)
	if err != nil {
		return err
	}
	facts.open, facts.tab = &o, to.Overview
	return s.showWorkspace(w, r, http.StatusOK, facts)
}

// notShown says beside the borrower why nothing is shown: a form that is wrong, a field
// that the lender does not have, a lender that does not answer.
func (s *Server) notShown(w http.ResponseWriter, r *http.Request, l Lead, a attempt, cause error) error {
	kind := fault.KindOf(cause)
	if kind != fault.Invalid && kind != fault.Conflict && kind != fault.Upstream && kind != fault.Unavailable {
		return cause
	}
	facts, err := s.factsOf(r, l)
	if err != nil {
		return err
	}
	trailOf(r).err = cause
	setRetryAfter(w, cause)
	a.status, facts.refused = judged(cause)
	if kind == fault.Invalid {
		a.form.wrong, facts.refused = append(a.form.wrong, fault.FieldsOf(cause)...), ""
	}
	if fragment(r) {
		a.status = http.StatusUnprocessableEntity // the only refusal that htmx puts on the page
	}
	facts.attempt, facts.tab = &a, to.Overview
	return s.showWorkspace(w, r, a.status, facts)
}
