package web

import (
	"net/http"
	"net/url"

	"github.com/go-chi/chi/v5"

	"hearthline/internal/desk"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/views"
	"hearthline/views/to"
)

// handOverPage is the form that hands one lead over. The search stands in the address.
func (s *Server) handOverPage(w http.ResponseWriter, r *http.Request, l Lead) error {
	f := &form{values: url.Values{"q": {r.URL.Query().Get("q")}}}
	return s.showHandOver(w, r, l, attempt{act: string(heloc.OpReassign), form: f, status: http.StatusOK})
}

// reassignLead hands the lead over. The confirmation stands in the same form.
func (s *Server) reassignLead(w http.ResponseWriter, r *http.Request, l Lead) error {
	f, err := readForm(r)
	if err != nil {
		return err
	}
	a := attempt{act: string(heloc.OpReassign), form: f, status: http.StatusUnprocessableEntity}
	h := desk.HandOver{Ticket: f.ticket, To: f.required(desk.TakerControl, "Choose who takes it"), Line: f.text(desk.LineControl)}
	if !f.checked("confirm.reassign") {
		f.complain("confirm.reassign", "Confirm that it is to be handed over")
	}
	if f.bad() {
		return s.showHandOver(w, r, l, a)
	}
	op, err := l.Reassign(r.Context(), h)
	trailOf(r).note("operation", op.ID)
	if err != nil {
		if !a.excuse(op, err) {
			return err
		}
		return s.showHandOver(w, r, l, a)
	}
	return s.afterHandOver(w, r, op, l)
}

// afterHandOver leads to the receipt while nobody knows whether it arrived, to the lead
// while the person may see it, else to the list.
func (s *Server) afterHandOver(w http.ResponseWriter, r *http.Request, op desk.Operation, l Lead) error {
	if op.State == desk.OpUnknown || op.State == desk.OpSent {
		return onward(w, r, baseOf(r).Operation(op.ID))
	}
	near, err := l.WithinReach(r.Context())
	if err != nil {
		return err
	}
	if near {
		return onward(w, r, baseOf(r).Lead(string(l.App())))
	}
	return onward(w, r, baseOf(r).Leads(to.LeadsQuery{}))
}

func (s *Server) showHandOver(w http.ResponseWriter, r *http.Request, l Lead, a attempt) error {
	found, err := l.Takers(r.Context(), a.form.text("q"))
	if err != nil {
		return err
	}
	view, err := l.View(r.Context())
	if err != nil {
		return err
	}
	row := l.Row()
	page := views.HandOverView{
		Page: s.frame(r, "Hand over"), App: string(l.App()), ShortID: shortID(row), Name: nameOf(l.Name),
		Find: showFind(a.form.text("q"), found), Form: a.form.view(a.ticket(l.Ticket, heloc.OpReassign)),
	}
	if a.carried {
		page.Page.Notices = append(page.Page.Notices, carriedNotice())
	}
	if view.Originator.UUID != "" {
		page.Owner = view.Originator.Name()
	}
	return s.show(w, r, a.status, views.HandOver(page))
}

// handedAlready answers a second press, and a step back in the browser: the person's own
// hand-over has taken the lead out of their reach, and its receipt says so. For anybody
// else the lead does not exist. What was sent is not read.
func (s *Server) handedAlready(w http.ResponseWriter, r *http.Request, d Desk) error {
	hand, err := d.HandOvers()
	if err != nil {
		return noSuchLead()
	}
	op, err := hand.Last(r.Context(), chi.URLParam(r, "app"))
	if fault.KindOf(err) == fault.NotFound {
		return noSuchLead()
	}
	if err != nil {
		return err
	}
	return onward(w, r, baseOf(r).Operation(op))
}

// undoHandOver takes a hand-over back; the lead may be out of the person's reach, so the
// receipt of their own deed is what they hold.
func (s *Server) undoHandOver(w http.ResponseWriter, r *http.Request, d Desk) error {
	f, err := readForm(r)
	if err != nil {
		return err
	}
	receipt, err := d.Receipt(r.Context(), chi.URLParam(r, "id"))
	if err != nil {
		return err
	}
	op, err := receipt.Undo(r.Context(), f.ticket)
	trailOf(r).note("operation", op.ID)
	if err != nil {
		return err
	}
	if l, err := d.Lead(r.Context(), string(op.App)); err == nil {
		return s.afterHandOver(w, r, op, l)
	}
	if op.State == desk.OpUnknown || op.State == desk.OpSent {
		return onward(w, r, baseOf(r).Operation(op.ID))
	}
	return onward(w, r, baseOf(r).Leads(to.LeadsQuery{}))
}
