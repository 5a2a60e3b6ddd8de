// Package lead presents the tabs of one lead other than its offers, and submits its forms: the form of the current step,
// documents, notes and follow-ups, what is revealed of the borrower, and receipts. Each present_*.go maps what the desk
// returns to a view model by plain functions.
package lead

import (
	"hearthline/web/page"
	"hearthline/web/workspace"
)

// Handlers answer the routes of the lead area.
type Handlers struct {
	*page.Responder
	workspace *workspace.Server
}

// New creates the handlers and registers the area's tabs.
func New(r *page.Responder, w *workspace.Server) *Handlers {
	h := &Handlers{r, w}
	h.registerTabs()
	return h
}
