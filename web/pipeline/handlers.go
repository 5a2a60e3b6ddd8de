// Package pipeline lists leads: lanes, search, filters, updates since the last visit, the CSV export, the calendar
// and notifications.
package pipeline

import (
	"github.com/go-chi/httprate"

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
