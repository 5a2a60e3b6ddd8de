// Package lead shows one lead and submits its forms: the tabs, the form of the current step, offers and payoffs,
// documents, the borrower's view, notes and follow-ups, and receipts. Each present_*.go maps what the desk returns to a view
// model by plain functions.
package lead

import "hearthline/web/page"

// Handlers answer the routes of the lead area. web registers them with their permissions.
type Handlers struct{ *page.Server }

// New creates the handlers on the core that every area shares.
func New(s *page.Server) *Handlers { return &Handlers{s} }
