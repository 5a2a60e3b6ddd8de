package team

import (
	"net/http"
	"net/url"

	"github.com/go-chi/chi/v5"

	"hearthline/internal/desk"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/views"
	"hearthline/views/to"
	"hearthline/web/form"
	"hearthline/web/format"
	"hearthline/web/page"
)

// handOverPage is the form that hands one lead over. The search stands in the address.
func (s *Handlers) HandOverPage(w http.ResponseWriter, r *http.Request, l page.Lead) error {
	f := &form.Form{Values: url.Values{"q": {r.URL.Query().Get("q")}}}
	return s.ShowHandOver(w, r, l, page.Attempt{Act: string(heloc.OpReassign), Form: f, Status: http.StatusOK})
}

// reassignLead hands the lead over. The confirmation stands in the same form.
func (s *Handlers) ReassignLead(w http.ResponseWriter, r *http.Request, l page.Lead) error {
	f, err := page.ReadForm(r)
	if err != nil {
		return err
	}
	a := page.Attempt{Act: string(heloc.OpReassign), Form: f, Status: http.StatusUnprocessableEntity}
	h := desk.HandOver{Ticket: f.Ticket, To: f.Required(desk.TakerControl, "Choose who takes it"), Line: f.Text(desk.LineControl)}
	if !f.Checked("confirm.reassign") {
		f.Complain("confirm.reassign", "Confirm that it is to be handed over")
	}
	if f.Bad() {
		return s.ShowHandOver(w, r, l, a)
	}
	op, err := l.Reassign(r.Context(), h)
	page.TrailOf(r).Note("operation", op.ID)
	if err != nil {
		if !a.Excuse(op, err) {
			return err
		}
		return s.ShowHandOver(w, r, l, a)
	}
	return s.afterHandOver(w, r, op, l)
}

// afterHandOver leads to the receipt while nobody knows whether it arrived, to the lead
// while the person may see it, else to the list.
func (s *Handlers) afterHandOver(w http.ResponseWriter, r *http.Request, op desk.Operation, l page.Lead) error {
	if op.State == desk.OpUnknown || op.State == desk.OpSent {
		return page.Onward(w, r, page.BaseOf(r).Operation(op.ID))
	}
	near, err := l.WithinReach(r.Context())
	if err != nil {
		return err
	}
	if near {
		return page.Onward(w, r, page.BaseOf(r).Lead(string(l.App())))
	}
	return page.Onward(w, r, page.BaseOf(r).Leads(to.LeadsQuery{}))
}

func (s *Handlers) ShowHandOver(w http.ResponseWriter, r *http.Request, l page.Lead, a page.Attempt) error {
	found, err := l.Takers(r.Context(), a.Form.Text("q"))
	if err != nil {
		return err
	}
	view, err := l.View(r.Context())
	if err != nil {
		return err
	}
	row := l.Row()
	shown := views.HandOverView{
		Page: s.Frame(r, "Hand over"), App: string(l.App()), ShortID: format.ShortID(row), Name: format.NameOf(l.Name),
		Find: showFind(a.Form.Text("q"), found), Form: a.Form.View(a.Ticket(l.Ticket, heloc.OpReassign)),
	}
	if a.Carried {
		shown.Page.Notices = append(shown.Page.Notices, page.CarriedNotice())
	}
	if view.Originator.UUID != "" {
		shown.Owner = view.Originator.Name()
	}
	return s.Show(w, r, a.Status, views.HandOver(shown))
}

// handedAlready answers a second press, and a step back in the browser: the person's own
// hand-over has taken the lead out of their reach, and its receipt says so. For anybody
// else the lead does not exist. What was sent is not read.
func (s *Handlers) HandedAlready(w http.ResponseWriter, r *http.Request, d page.Desk) error {
	hand, err := d.HandOvers()
	if err != nil {
		return page.NoSuchLead()
	}
	op, err := hand.Last(r.Context(), chi.URLParam(r, "app"))
	if fault.KindOf(err) == fault.NotFound {
		return page.NoSuchLead()
	}
	if err != nil {
		return err
	}
	return page.Onward(w, r, page.BaseOf(r).Operation(op))
}

// undoHandOver takes a hand-over back; the lead may be out of the person's reach, so the
// receipt of their own deed is what they hold.
func (s *Handlers) UndoHandOver(w http.ResponseWriter, r *http.Request, d page.Desk) error {
	f, err := page.ReadForm(r)
	if err != nil {
		return err
	}
	receipt, err := d.Receipt(r.Context(), chi.URLParam(r, "id"))
	if err != nil {
		return err
	}
	op, err := receipt.Undo(r.Context(), f.Ticket)
	page.TrailOf(r).Note("operation", op.ID)
	if err != nil {
		return err
	}
	if l, err := d.Lead(r.Context(), string(op.App)); err == nil {
		return s.afterHandOver(w, r, op, l)
	}
	if op.State == desk.OpUnknown || op.State == desk.OpSent {
		return page.Onward(w, r, page.BaseOf(r).Operation(op.ID))
	}
	return page.Onward(w, r, page.BaseOf(r).Leads(to.LeadsQuery{}))
}
