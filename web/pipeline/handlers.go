// Package pipeline lists leads: lanes, search, filters, updates since the last visit, the CSV export, the calendar
// and notifications.
package pipeline

import "hearthline/web/page"

// Handlers answer the routes of the pipeline area. web registers them with their permissions.
type Handlers struct{ *page.Server }

// New creates the handlers on the core that every area shares.
func New(s *page.Server) *Handlers { return &Handlers{s} }
