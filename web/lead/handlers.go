// Package lead shows one lead and submits its forms: the tabs, the form of the current step, offers and payoffs,
// documents, the borrower's view, notes and follow-ups, and receipts. Each present_*.go maps what the desk returns to a view
// model by plain functions.
package lead

import (
	"hearthline/web/page"
)

// Handlers answer the routes of the lead area.
type Handlers struct{ *page.Responder }

// New creates the handlers.
func New(r *page.Responder) *Handlers { return &Handlers{r} }
