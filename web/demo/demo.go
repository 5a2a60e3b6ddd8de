// Package demo has the routes that exist only in the demo.
//
//	demo.go                           the routes; the demo bar, which plays the borrower and the lender
//	missions.go, present_missions.go  what a user practices
package demo

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/views/gallery"
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
