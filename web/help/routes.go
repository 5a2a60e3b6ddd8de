// Package help serves the help pages.
package help

import (
	"net/http"

	"hearthline/internal/access"
	view "hearthline/views/help"
	"hearthline/views/to"
	"hearthline/web/page"
)

// Handlers answer the routes of the help area.
type Handlers struct{ *page.Responder }

// New creates the handlers.
func New(r *page.Responder) *Handlers { return &Handlers{r} }

// Routes returns the routes of this area. The pages for administrators of CRMs are public, because they may not have
// an account: these pages explain how to integrate the portal and contain no data.
func (h *Handlers) Routes() []page.Route {
	routes := page.InEmbeds(page.WithPermission(access.UseAccount, []page.Route{
		page.Get("/help", "help start", h.RedirectToFirstPage),
		page.Get("/help/{page}", "help", h.HelpPage),
	}))
	for _, key := range view.PublicPages() {
		routes = append(routes, page.Route{Method: http.MethodGet, Pattern: to.Full.Help(key), Name: "help for CRMs",
			Public: true, OptionalUser: true, Handler: h.publicHelpPage(key)})
	}
	return routes
}
