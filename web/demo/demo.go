// Package demo has the routes that exist only in the demo: the bar, which plays the borrower and the lender, and the
// missions, which a user practices.
package demo

import (
	"cmp"
	"fmt"
	"net/http"

	"github.com/go-chi/chi/v5"

	"hearthline/internal/access"
	deskdemo "hearthline/internal/desk/demo"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	view "hearthline/views/demo"
	"hearthline/views/gallery"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/web/form"
	"hearthline/web/page"
)

// Handlers answer the routes of the demo.
type Handlers struct{ *page.Responder }

// New creates the handlers.
func New(r *page.Responder) *Handlers { return &Handlers{r} }

// Routes returns the routes; none outside of the demo.
func (h *Handlers) Routes() []page.Route {
	if h.DemoControl == nil {
		return nil
	}
	return page.Concat(page.WithPermission(access.SeeLead, []page.Route{
		page.Post("/demo/leads/{app}", "demo event", page.WithDeskForm(h.playEvent)),
		page.Post("/demo/leads/{app}/events", "demo event, longer URL", page.WithDeskForm(h.playEvent)),
		page.Post("/demo/fault", "demo fault", page.WithDeskForm(h.setFaults)),
		page.Post("/demo/faults", "demo faults", page.WithDeskForm(h.setFaults)),
		page.Get("/demo/bar", "demo bar", page.WithDesk(h.bar)),
		page.Get("/ui", "component gallery", h.uiGalleryPage),
	}), page.WithPermission(access.ActOnLead, []page.Route{
		page.Get("/demo/missions", "practice missions", page.WithHandle(page.Desk.Rehearsal, h.MissionsPage)),
		page.Post("/demo/missions", "start the missions over", page.WithHandle(page.Desk.Rehearsal, h.StartOver)),
	}))
}

// playEvent makes the borrower or the lender act on a lead. The lead is opened with the same permission check as
// everywhere else.
func (h *Handlers) playEvent(w http.ResponseWriter, r *http.Request, d page.Desk, f *form.Form) error {
	l, err := d.Lead(r.Context(), chi.URLParam(r, "app"))
	if err != nil {
		return err
	}
	err = h.DemoControl.Play(r.Context(), l.App(), f.Text("event"))
	h.NoteDemoEvent(r, l.App(), f.Text("event"), err)
	if page.IsFragment(r) {
		return h.RenderDemoBar(w, r, l)
	}
	return page.Redirect(w, r, demoReturnURL(f, to.Full.Lead(string(l.App()))))
}

// setFaults switches one of the simulated lender's faults on or off.
func (h *Handlers) setFaults(w http.ResponseWriter, r *http.Request, d page.Desk, f *form.Form) error {
	if err := h.DemoControl.InjectFault(r.Context(), f.Text("fault")); err != nil {
		return err
	}
	h.NoteDemoFault(r, f.Text("fault"))
	if page.IsFragment(r) {
		return h.bar(w, r, d)
	}
	return page.Redirect(w, r, demoReturnURL(f, to.Full.Leads(to.LeadsQuery{})))
}

// bar answers with the bar alone. A lead that the user can no longer open has no events: the page's
// own part reports that it is gone.
func (h *Handlers) bar(w http.ResponseWriter, r *http.Request, d page.Desk) error {
	id := r.URL.Query().Get("lead")
	if r.Method == http.MethodPost {
		id = page.Posted(r).Get("lead")
	}
	var current page.Lead
	if id != "" {
		l, err := d.Lead(r.Context(), id)
		if err != nil && !fault.Is(err, fault.NotFound) {
			return err
		}
		if err == nil {
			current = l
		}
	}
	return h.RenderDemoBar(w, r, current)
}

// demoReturnURL returns the page from which the demo bar's form was sent, or otherwise when the form names none.
func demoReturnURL(f *form.Form, otherwise string) string {
	if back := page.SafeNext(f.Values.Get("back")); back != "" {
		return back
	}
	return otherwise
}

// uiGalleryPage shows every component in every state, for developers.
func (h *Handlers) uiGalleryPage(w http.ResponseWriter, r *http.Request) error {
	return h.Render(w, r, http.StatusOK, gallery.Gallery(gallery.View{Page: h.Layout(r, "Parts"), Chips: gallery.Chips(),
		Rows: gallery.Rows()}))
}

// MissionsPage shows what the user can practice and what they have done.
func (h *Handlers) MissionsPage(w http.ResponseWriter, r *http.Request, rehearsal *deskdemo.Rehearsal) error {
	progress, err := rehearsal.Progress(r.Context())
	if err != nil {
		return err
	}
	model := presentMissions(h.Viewer(r), progress, h.DemoControl.Samples())
	model.Page = h.Layout(r, "Practice missions")
	return h.Render(w, r, http.StatusOK, page.PartOrWhole(r, view.MissionsPart(model), view.Missions(model)))
}

// StartOver begins the missions again.
func (h *Handlers) StartOver(w http.ResponseWriter, r *http.Request, rehearsal *deskdemo.Rehearsal) error {
	return page.NavigateAfter(w, r, rehearsal.StartOver(r.Context()), to.DemoMissions())
}

func presentMissions(v text.Viewer, p deskdemo.RehearsalProgress, samples []page.Sample) view.MissionsView {
	done, all := p.Done(), len(p.Missions)
	model := view.MissionsView{
		Count: fmt.Sprintf("%d of %d done", done, all), Since: "Counts what you’ve sent since " + v.SinceText(p.Since) + ".",
		MayStartOver: done > 0, AllDone: done == all,
	}
	for _, m := range p.Missions {
		model.Missions = append(model.Missions, presentMission(v, m, samples))
	}
	return model
}

// presentMission describes a mission by what was done, by its lead or, without a lead, by the sample that makes one.
func presentMission(v text.Viewer, m deskdemo.Mission, samples []page.Sample) view.Mission {
	words := text.MissionOf(string(m.Status))
	task := words.Task
	if m.Step == "" {
		task = text.ReassignTask(v.Who.Role == access.Manager)
	}
	shown := view.Mission{Key: cmp.Or(string(m.Status), text.ReassignMission), Title: words.Title}
	switch {
	case m.Done != nil:
		at := cmp.Or(max(m.Done.AnsweredAt, m.Done.SettledAt), m.Done.SentAt)
		if m.Step != "" {
			at = m.Done.StepChangedAt // only then the step was resolved
		}
		shown.Happened, shown.Done = text.OperationOf(string(m.Done.Kind)).Done+".",
			"Done "+v.DateTimeInText(text.TimeOfMillis(at))
		shown.Href, shown.Link = to.Full.Operation(m.Done.ID), "View receipt"
	case m.Lead != nil:
		shown.Happened, shown.Tasks = words.Happened, []string{task}
		switch {
		case m.Step == "":
			shown.Happened = reassignHappened(v, *m.Lead)
		case m.Lead.StatusKey == heloc.StatusInProgress:
			shown.Happened, shown.Tasks = "The lender is reviewing what was sent.", nil
		}
		shown.Href, shown.Link = to.Full.Lead(string(m.Lead.App)),
			"Open "+cmp.Or(text.BorrowerName(m.Lead.Borrower, m.Lead.Name), m.Lead.ShortID, "lead")
	default:
		shown.Tasks = []string{words.WithoutLead, task}
		for _, sample := range samples {
			if sample.Step == cmp.Or(m.Step, heloc.StepOffersAvailable) {
				shown.Href, shown.Link = to.Full.NewLeadSample(sample.Key), "Open sample"
				break
			}
		}
	}
	return shown
}

// reassignHappened says whose lead it is.
func reassignHappened(v text.Viewer, l deskdemo.MissionLead) string {
	whose := "you"
	if string(l.Row.Originator) != v.Who.OriginatorUUID {
		whose = cmp.Or(l.Originator, "another originator")
	}
	return "The lender lists " + whose + " as this lead’s originator."
}
