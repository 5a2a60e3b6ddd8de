// Package offers presents what the lender priced: the workbench, quotes, payoffs, comparing and selecting offers, and the
// page and PDF for the borrower. Each present_*.go maps what the desk returns to a view model by plain functions.
package offers

import (
	"hearthline/views/to"
	"hearthline/web/page"
	"hearthline/web/workspace"
)

// Handlers answer the routes of the offers area.
type Handlers struct {
	*page.Responder
	workspace *workspace.Server
}

// New creates the handlers and registers the offers tab.
func New(r *page.Responder, w *workspace.Server) *Handlers {
	h := &Handlers{r, w}
	w.Register(to.Offers, h.presentTab)
	w.RegisterOverviewOffers(presentOverview)
	return h
}
