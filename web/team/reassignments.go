package team

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	"hearthline/internal/desk"
	"hearthline/internal/fault"
	"hearthline/views"
	"hearthline/web/form"
	"hearthline/web/page"
)

// handOverMany takes a selection of leads. Without a taker, or when it is asked to, it
// says what would happen; confirmed, it begins the run.
func (s *Handlers) HandOverMany(w http.ResponseWriter, r *http.Request, d page.Desk) error {
	f, err := page.ReadForm(r)
	if err != nil {
		return err
	}
	hand, err := d.HandOvers()
	if err != nil {
		return err
	}
	m := desk.Many{Key: f.Text("run"), Apps: Apps(f), To: f.Text(desk.TakerControl), Line: f.Text(desk.LineControl)}
	_, asked := f.Values[desk.TakerControl]
	if !asked && !f.Checked("confirm.reassign") || f.Checked("dry") || f.Checked("find") {
		return s.showMany(w, r, hand, m, f, http.StatusOK)
	}
	if m.To == "" {
		f.Complain(desk.TakerControl, "Choose who takes them")
	}
	if !f.Checked("confirm.reassign") {
		f.Complain("confirm.reassign", "Confirm that they are to be handed over")
	}
	if f.Bad() {
		return s.showMany(w, r, hand, m, f, http.StatusUnprocessableEntity)
	}
	id, err := hand.Begin(r.Context(), m)
	if fault.KindOf(err) == fault.Invalid {
		if f.Wrong = append(f.Wrong, fault.FieldsOf(err)...); !f.Bad() {
			f.Refused = fault.Public(err)
		}
		return s.showMany(w, r, hand, m, f, http.StatusUnprocessableEntity)
	}
	if err != nil {
		return err
	}
	return page.Onward(w, r, page.BaseOf(r).Reassignment(id))
}

// mostPicked is more than a run takes, so that too many are told instead of cut.
const MostPicked = 500

// apps are the leads that were ticked, each once.
func Apps(f *form.Form) []string {
	var all []string
	seen := map[string]bool{}
	for _, app := range f.Values["app"] {
		if app != "" && !seen[app] && len(app) <= 64 && len(all) < MostPicked {
			seen[app] = true
			all = append(all, app)
		}
	}
	return all
}

func (s *Handlers) showMany(w http.ResponseWriter, r *http.Request, hand *desk.HandOvers, m desk.Many, f *form.Form, status int) error {
	found, err := hand.Takers(r.Context(), f.Text("q"), m.Apps)
	if err != nil {
		return err
	}
	plan, err := hand.Check(r.Context(), m.Apps, m.To)
	if fields := fault.FieldsOf(err); len(fields) > 0 {
		f.Wrong = append(f.Wrong, fields...)
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
	view.Page, view.Find, view.Form = s.Frame(r, "Hand over several leads"), showFind(f.Text("q"), found), f.View("")
	return s.Show(w, r, status, views.Many(view))
}

// handOverRun is the progress and the result of a run.
func (s *Handlers) HandOverRun(w http.ResponseWriter, r *http.Request, d page.Desk) error {
	hand, err := d.HandOvers()
	if err != nil {
		return err
	}
	run, err := hand.Open(r.Context(), chi.URLParam(r, "id"))
	if err != nil {
		return err
	}
	view := showRun(s.Viewer(r), run, hand.UndoTicket)
	view.Page = s.Frame(r, "Hand-over")
	if page.Fragment(r) {
		return s.Show(w, r, http.StatusOK, views.RunPart(view))
	}
	return s.Show(w, r, http.StatusOK, views.Run(view))
}

// retryHandOvers takes up what failed of a run.
func (s *Handlers) RetryHandOvers(w http.ResponseWriter, r *http.Request, d page.Desk) error {
	hand, err := d.HandOvers()
	if err != nil {
		return err
	}
	id := chi.URLParam(r, "id")
	if err := hand.Retry(r.Context(), id); err != nil {
		return err
	}
	return page.Onward(w, r, page.BaseOf(r).Reassignment(id))
}
