package team

import (
	"net/http"
	"net/url"
	"slices"

	deskteam "hearthline/internal/desk/team"

	"github.com/go-chi/chi/v5"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	view "hearthline/views/team"
	"hearthline/views/to"
	"hearthline/web/form"
	"hearthline/web/page"
)

// AbsencesPage lists the absences, with a form to enter one.
func (h *Handlers) AbsencesPage(w http.ResponseWriter, r *http.Request, absences *deskteam.Absences) error {
	values := url.Values{}
	if person := r.URL.Query().Get("person"); person != "" {
		values.Set("person", person)
	}
	return h.renderAbsences(w, r, absences, page.NewForm(r, values))
}

// EnterAbsence enters an absence.
func (h *Handlers) EnterAbsence(w http.ResponseWriter, r *http.Request, absences *deskteam.Absences,
	f *form.Form) error {
	req := absenceRequest(f, "")
	return page.Apply(w, r, page.Change{
		Form: f, Run: func() error { return absences.Save(r.Context(), req) }, Redisplay: func() error {
			return h.renderAbsences(w, r, absences, f)
		},
		Next: to.Full.TeamPart("absences"),
	})
}

func (h *Handlers) renderAbsences(w http.ResponseWriter, r *http.Request, absences *deskteam.Absences,
	f *form.Form) error {
	list, err := absences.List(r.Context())
	if err != nil {
		return err
	}
	model := presentAbsences(h.Viewer(r), list, f)
	model.Page = h.Layout(r, "Absences")
	return h.Render(w, r, page.FormStatus(f), view.Absences(model))
}

// AbsencePage shows one absence with what the deputy did.
func (h *Handlers) AbsencePage(w http.ResponseWriter, r *http.Request, absences *deskteam.Absences) error {
	return h.renderAbsence(w, r, absences, nil)
}

// ChangeAbsence changes an absence that has not ended.
func (h *Handlers) ChangeAbsence(w http.ResponseWriter, r *http.Request, absences *deskteam.Absences,
	f *form.Form) error {
	req := absenceRequest(f, chi.URLParam(r, "id"))
	return page.Apply(w, r, page.Change{
		Form: f, Run: func() error { return absences.Save(r.Context(), req) }, Redisplay: func() error {
			return h.renderAbsence(w, r, absences, f)
		},
		Next: to.Full.TeamPart("absences"), Kinds: []fault.Kind{fault.Conflict},
	})
}

// renderAbsence renders the page of an absence; f is the form to show again, or nil.
func (h *Handlers) renderAbsence(w http.ResponseWriter, r *http.Request, absences *deskteam.Absences,
	f *form.Form) error {
	params := r.URL.Query()
	filter := coverFilter(to.AbsenceQuery{Did: params.Get("did"), Status: params.Get("status"),
		After: params.Get("after")})
	found, work, err := absences.Find(r.Context(), chi.URLParam(r, "id"), filter)
	if err != nil {
		return err
	}
	list, err := absences.List(r.Context())
	if err != nil {
		return err
	}
	if f == nil {
		deputy := found.DeputyID
		if !slices.ContainsFunc(list.Deputies, func(c lead.Candidate) bool { return c.UserID == deputy }) {
			deputy = "" // the account is disabled: another colleague is to be chosen
		}
		f = page.NewForm(r, url.Values{"deputy": {deputy}, "firstDay": {string(found.FirstDay)},
			"lastDay": {string(found.LastDay)}, "note": {found.Note}})
	}
	model := presentAbsence(h.Viewer(r), found, list, f)
	model.Work = presentCoverWork(h.Viewer(r), found, work, filter)
	model.Page = h.Layout(r, "Absence: "+found.Name)
	return h.Render(w, r, page.FormStatus(f), view.Absence(model))
}

// absenceRequest reads the form of an absence. A day that is not a date stays as it was typed, and the desk refuses it.
func absenceRequest(f *form.Form, id string) deskteam.AbsenceRequest {
	return deskteam.AbsenceRequest{ID: id, Person: f.Text("person"), Deputy: f.Text("deputy"),
		FirstDay: dayOf(f, "firstDay"), LastDay: dayOf(f, "lastDay"), Note: f.Text("note")}
}

func dayOf(f *form.Form, name string) heloc.Date {
	d, _ := form.ParseNearDate(f.Text(name))
	return d
}
