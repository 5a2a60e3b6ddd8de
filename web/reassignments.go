package web

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	"hearthline/internal/desk"
	"hearthline/internal/fault"
	"hearthline/views"
)

// handOverMany takes a selection of leads. Without a taker, or when it is asked to, it
// says what would happen; confirmed, it begins the run.
func (s *Server) handOverMany(w http.ResponseWriter, r *http.Request, d Desk) error {
	f, err := readForm(r)
	if err != nil {
		return err
	}
	hand, err := d.HandOvers()
	if err != nil {
		return err
	}
	m := desk.Many{Key: f.text("run"), Apps: f.apps(), To: f.text(desk.TakerControl), Line: f.text(desk.LineControl)}
	_, asked := f.values[desk.TakerControl]
	if !asked && !f.checked("confirm.reassign") || f.checked("dry") || f.checked("find") {
		return s.showMany(w, r, hand, m, f, http.StatusOK)
	}
	if m.To == "" {
		f.complain(desk.TakerControl, "Choose who takes them")
	}
	if !f.checked("confirm.reassign") {
		f.complain("confirm.reassign", "Confirm that they are to be handed over")
	}
	if f.bad() {
		return s.showMany(w, r, hand, m, f, http.StatusUnprocessableEntity)
	}
	id, err := hand.Begin(r.Context(), m)
	if fault.KindOf(err) == fault.Invalid {
		if f.wrong = append(f.wrong, fault.FieldsOf(err)...); !f.bad() {
			f.refused = fault.Public(err)
		}
		return s.showMany(w, r, hand, m, f, http.StatusUnprocessableEntity)
	}
	if err != nil {
		return err
	}
	return onward(w, r, baseOf(r).Reassignment(id))
}

// mostPicked is more than a run takes, so that too many are told instead of cut.
const mostPicked = 500

// apps are the leads that were ticked, each once.
func (f *form) apps() []string {
	var all []string
	seen := map[string]bool{}
	for _, app := range f.values["app"] {
		if app != "" && !seen[app] && len(app) <= 64 && len(all) < mostPicked {
			seen[app] = true
			all = append(all, app)
		}
	}
	return all
}

func (s *Server) showMany(w http.ResponseWriter, r *http.Request, hand *desk.HandOvers, m desk.Many, f *form, status int) error {
	found, err := hand.Takers(r.Context(), f.text("q"), m.Apps)
	if err != nil {
		return err
	}
	plan, err := hand.Check(r.Context(), m.Apps, m.To)
	if fields := fault.FieldsOf(err); len(fields) > 0 {
		f.wrong = append(f.wrong, fields...)
		status, m.To = http.StatusUnprocessableEntity, ""
		plan, err = hand.Check(r.Context(), m.Apps, "")
	}
	if err != nil {
		return err
	}
	if m.Key == "" {
		m.Key = hand.Key()
	}
	view := showMany(m, plan)
	view.Page, view.Find, view.Form = s.frame(r, "Hand over several leads"), showFind(f.text("q"), found), f.view("")
	return s.show(w, r, status, views.Many(view))
}

// handOverRun is the progress and the result of a run.
func (s *Server) handOverRun(w http.ResponseWriter, r *http.Request, d Desk) error {
	hand, err := d.HandOvers()
	if err != nil {
		return err
	}
	run, err := hand.Open(r.Context(), chi.URLParam(r, "id"))
	if err != nil {
		return err
	}
	view := s.viewer(r).showRun(run, hand.UndoTicket)
	view.Page = s.frame(r, "Hand-over")
	if fragment(r) {
		return s.show(w, r, http.StatusOK, views.RunPart(view))
	}
	return s.show(w, r, http.StatusOK, views.Run(view))
}

// retryHandOvers takes up what failed of a run.
func (s *Server) retryHandOvers(w http.ResponseWriter, r *http.Request, d Desk) error {
	hand, err := d.HandOvers()
	if err != nil {
		return err
	}
	id := chi.URLParam(r, "id")
	if err := hand.Retry(r.Context(), id); err != nil {
		return err
	}
	return onward(w, r, baseOf(r).Reassignment(id))
}
