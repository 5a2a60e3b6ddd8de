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
		return page.Route{Method: http.MethodPost, Pattern: "/views" + pattern, Name: name, Handler: change}
	}
	return page.Concat(
		page.InEmbeds(page.WithPermission(access.SeePipeline, []page.Route{
			{Method: http.MethodGet, Pattern: "/leads", Name: "leads list",
				Handler: page.WithHandle(page.Desk.Pipeline, h.LeadsPage)},
			{Method: http.MethodGet, Pattern: "/leads/dates", Name: "upcoming dates",
				Handler: page.WithHandle(page.Desk.Pipeline, h.DatesPage)},
			{Method: http.MethodGet, Pattern: "/leads.ics", Name: "calendar", Class: page.Download,
				Handler: page.WithHandle(page.Desk.Pipeline, h.LeadsICS)},
			{Method: http.MethodPost, Pattern: "/leads/seen", Name: "updates marked as seen",
				Handler: page.WithAction(page.Desk.Pipeline, (*deskpipeline.Pipeline).MarkUpdatesSeen,
					to.Full.Leads(to.LeadsQuery{}))},
		})),
		page.WithPermission(access.SeePipeline, []page.Route{
			{Method: http.MethodGet, Pattern: "/views", Name: "saved views",
				Handler: page.WithHandle(page.Desk.Views, h.ViewsPage)},
			{Method: http.MethodPost, Pattern: "/views", Name: "save a view",
				Handler: page.WithForm(page.Desk.Views, h.SaveView)},
			{Method: http.MethodGet, Pattern: "/views/first", Name: "open the first view",
				Handler: page.WithHandle(page.Desk.Views, h.OpenFirstView)},
			view("/first", "open the first view at sign-in", page.WithForm(page.Desk.Views, h.SetOpensFirst)),
			view("/{id}", "rename a view", page.WithForm(page.Desk.Views, h.RenameView)),
			view("/{id}/delete", "delete a view", onView((*deskpipeline.Views).Delete)),
			view("/{id}/up", "move a view up", onView((*deskpipeline.Views).MoveUp)),
			view("/{id}/share", "share a view", onView((*deskpipeline.Views).Share)),
			view("/{id}/unshare", "stop sharing a view", onView((*deskpipeline.Views).Unshare)),
			{Method: http.MethodPost, Pattern: "/leads/display", Name: "columns and rows chosen", Handler: h.SetDisplay},
			{Method: http.MethodGet, Pattern: "/calendar", Name: "calendar page",
				Handler: page.WithHandle(page.Desk.Pipeline, h.CalendarPage)},
			{Method: http.MethodPost, Pattern: "/calendar", Name: "calendar feed renewed",
				Handler: page.WithHandle(page.Desk.Pipeline, h.RenewCalendar)},
			{Method: http.MethodPost, Pattern: "/calendar/end", Name: "calendar feed ended",
				Handler: page.WithAction(page.Desk.Pipeline, (*deskpipeline.Pipeline).EndCalendarFeed, to.Full.Calendar())},
		}),
		[]page.Route{{Method: http.MethodGet, Pattern: "/calendar/{token}.ics", Name: "calendar feed", Public: true,
			Class: page.Download, Handler: h.CalendarFeed}},
		page.WithPermission(access.ExportPipeline, []page.Route{
			{Method: http.MethodGet, Pattern: "/leads.csv", Name: "leads as a file", Class: page.Download,
				Handler: page.WithHandle(page.Desk.Pipeline, h.LeadsCSV)},
		}),
		page.InEmbeds(page.WithPermission(access.AnnotateLead, []page.Route{
			{Method: http.MethodPost, Pattern: "/leads/adopt", Name: "add by application ID",
				Handler: page.WithHandle(page.Desk.Pipeline, h.AdoptLead)},
		})),
		page.InEmbeds(page.WithPermission(access.UseAccount, []page.Route{
			{Method: http.MethodGet, Pattern: "/search", Name: "search page",
				Handler: page.WithHandle(page.Desk.Search, h.Search)},
			{Method: http.MethodPost, Pattern: "/search", Name: "search", Handler: page.WithHandle(page.Desk.Search, h.Search)},
			{Method: http.MethodGet, Pattern: "/notifications", Name: "notifications",
				Handler: page.WithHandle(page.Desk.Inbox, h.NotificationsPage)},
			{Method: http.MethodPost, Pattern: "/notifications", Name: "notifications read",
				Handler: page.WithHandle(page.Desk.Inbox, h.MarkNotificationsRead)},
		})),
	)
}
