// Package pipeline lists leads: lanes, search, filters, updates since the last visit, the CSV export, the calendar
// and notifications.
package pipeline

import (
	"net/http"

	deskpipeline "hearthline/internal/desk/pipeline"

	"github.com/go-chi/httprate"

	"hearthline/internal/access"
	"hearthline/views/to"
	"hearthline/web/page"
)

// Deps are what the pipeline area needs.
type Deps struct {
	*page.Responder
	Feeds  CalendarFeeds
	Origin string // of the portal, for URLs that are used outside of it
}

// Handlers answer the routes of the pipeline area.
type Handlers struct {
	Deps
	feedLimit *httprate.RateLimiter
}

// New creates the handlers.
func New(d Deps) *Handlers { return &Handlers{d, page.NewMinuteLimit(feedsPerMinute)} }

// Routes returns the routes of this area.
func (h *Handlers) Routes() []page.Route {
	view := func(pattern, name string, change page.Handler) page.Route { // a change of saved views
		return page.Post("/views"+pattern, name, change)
	}
	return page.Concat(
		page.InEmbeds(page.WithPermission(access.SeePipeline, []page.Route{
			page.Get("/leads", "leads list", page.WithHandle(page.Desk.Pipeline, h.LeadsPage)),
			page.Get("/leads/next", "next lead in Today", page.WithHandle(page.Desk.Pipeline, h.NextToday)),
			page.Get("/leads/dates", "upcoming dates", page.WithHandle(page.Desk.Pipeline, h.DatesPage)),
			{Method: http.MethodGet, Pattern: "/leads.ics", Name: "calendar", Class: page.Download,
				Handler: page.WithHandle(page.Desk.Pipeline, h.LeadsICS)},
			page.Post("/leads/seen", "updates marked as seen",
				page.WithAction(page.Desk.Pipeline, (*deskpipeline.Pipeline).MarkUpdatesSeen, to.Full.Leads(to.LeadsQuery{}))),
		})),
		page.WithPermission(access.SeePipeline, []page.Route{
			page.Get("/views", "saved views", page.WithHandle(page.Desk.Views, h.ViewsPage)),
			page.Post("/views", "save a view", page.WithForm(page.Desk.Views, h.SaveView)),
			page.Get("/views/first", "open the first view", page.WithHandle(page.Desk.Views, h.OpenFirstView)),
			view("/first", "open the first view at sign-in", page.WithForm(page.Desk.Views, h.SetOpensFirst)),
			view("/{id}", "rename a view", page.WithForm(page.Desk.Views, h.RenameView)),
			view("/{id}/delete", "delete a view", onView((*deskpipeline.Views).Delete)),
			view("/{id}/up", "move a view up", onView((*deskpipeline.Views).MoveUp)),
			view("/{id}/share", "share a view", onView((*deskpipeline.Views).Share)),
			view("/{id}/unshare", "stop sharing a view", onView((*deskpipeline.Views).Unshare)),
			page.Post("/leads/display", "columns and rows chosen", h.SetDisplay),
			page.Get("/calendar", "calendar page", page.WithHandle(page.Desk.Pipeline, h.CalendarPage)),
			page.Post("/calendar", "calendar feed renewed", page.WithHandle(page.Desk.Pipeline, h.RenewCalendar)),
			page.Post("/calendar/end", "calendar feed ended",
				page.WithAction(page.Desk.Pipeline, (*deskpipeline.Pipeline).EndCalendarFeed, to.Full.Calendar())),
		}),
		[]page.Route{{Method: http.MethodGet, Pattern: "/calendar/{token}.ics", Name: "calendar feed", Public: true,
			Class: page.Download, Handler: h.CalendarFeed}},
		page.WithPermission(access.ExportPipeline, []page.Route{
			{Method: http.MethodGet, Pattern: "/leads.csv", Name: "leads as a file", Class: page.Download,
				Handler: page.WithHandle(page.Desk.Pipeline, h.LeadsCSV)},
		}),
		page.InEmbeds(page.WithPermission(access.AnnotateLead, []page.Route{
			page.Post("/leads/adopt", "add by application ID", page.WithHandle(page.Desk.Pipeline, h.AdoptLead)),
		})),
		page.InEmbeds(page.WithPermission(access.UseAccount, []page.Route{
			page.Get("/search", "search page", page.WithHandle(page.Desk.Search, h.Search)),
			page.Post("/search", "search", page.WithHandle(page.Desk.Search, h.Search)),
			page.Get("/notifications", "notifications", page.WithHandle(page.Desk.Inbox, h.NotificationsPage)),
			page.Post("/notifications", "notifications read", page.WithHandle(page.Desk.Inbox, h.MarkNotificationsRead)),
		})),
	)
}
