// Package offers presents what the lender priced: the workbench, quotes, payoffs, comparing and selecting offers, and the
// page and PDF for the borrower. Each present_*.go maps what the desk returns to a view model by plain functions.
package offers

import (
	"github.com/go-chi/httprate"

	"hearthline/internal/desk"
	"hearthline/views/to"
	"hearthline/web/page"
	"hearthline/web/workspace"
)

// Handlers answer the routes of the offers area.
type Handlers struct {
	*page.Responder
	workspace *workspace.Server
	desks     *desk.Service
	origin    string // of the portal, as browsers see it
	opens     *httprate.RateLimiter
}

// Deps are what the offers area needs.
type Deps struct {
	*page.Responder
	Workspace *workspace.Server
	Desks     *desk.Service
	Origin    string // of the portal, as browsers see it: the beginning of a shared link
}

// New creates the handlers and registers the offers tab.
func New(d Deps) *Handlers {
	h := &Handlers{Responder: d.Responder, workspace: d.Workspace, desks: d.Desks, origin: d.Origin, opens: page.NewMinuteLimit(OpensPerMinute)}
	d.Workspace.Register(to.Offers, h.presentTab)
	d.Workspace.RegisterOverviewOffers(presentOverview)
	return h
}
