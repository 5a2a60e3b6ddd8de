// Package pipeline lists leads: lanes, search, filters, updates since the last visit, the CSV export, the calendar
// and notifications.
package pipeline

import (
	"hearthline/web/page"
)

// Handlers answer the routes of the pipeline area.
type Handlers struct{ *page.Responder }

// New creates the handlers.
func New(r *page.Responder) *Handlers { return &Handlers{r} }
