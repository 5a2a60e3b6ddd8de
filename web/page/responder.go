// Package page is what every area of the portal builds on: what a route and a handler are, the forms of a
// request, and the Responder, which turns the result of a handler into a page, a fragment or a helpful error.
//
// routes.go, adapter.go   what a route is, and the adapters that open what a handler works with
// visit.go        the signed-in user of a request, with the handles that the guard has opened
// request_form.go            the form of a request, parsed once
// redisplay.go              a form that is submitted, or shown again with its errors
// responder.go, render.go   rendering into a buffer, compressing, writing; errors.go, errors as pages and fragments
// embed.go        pages in frames, and which sites may show them
// request_log.go  one log line for each request
// layout.go       what surrounds every page; demo_bar.go, the bar of the demo
// navigate.go     redirects, and where a user goes next
// present.go      view models that several areas show
//
// Who is signed in, and what they may reach, is decided around the handlers, in package guard. No handler checks a
// permission, writes an error, starts a goroutine or contains SQL.
package page

import (
	"context"
	"net/http"
	"sync"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/views/text"
)

// Responder renders pages and errors. It knows the user of a request only from the visit that the guard has
// created, and reaches nothing that a page does not show.
type Responder struct {
	// Now is the clock of everything that a page shows.
	Now func() time.Time
	// DemoControl is the state of the demo bar. If nil, no page has a bar.
	DemoControl DemoControl
	// FrameOrigins lists the origins that may frame the pages of a CRM. If nil, nobody may.
	FrameOrigins func(ctx context.Context, client string) []string

	pages       map[string]access.Permission // pages without URL parameters
	embedPages  map[string]access.Permission // those that also exist inside embeds, by their path in the full desk
	buffers     sync.Pool                    // *bytes.Buffer
	gzipWriters sync.Pool                    // *gzip.Writer
	demoNotices demoNotices                  // of the demo bar
}

// SetRoutes tells the responder which pages exist, so that no page links to one that does not or that its user may not
// open. It must be called once, before the first request.
func (rs *Responder) SetRoutes(routes []Route) {
	rs.pages, rs.embedPages = pagePermissionsOf(routes, ""), pagePermissionsOf(routes, EmbedPrefix)
}

// Viewer returns the viewer of a request. An unknown time zone is treated as UTC.
func (rs *Responder) Viewer(r *http.Request) text.Viewer {
	who := ActorOf(r)
	return text.Viewer{Now: rs.Now(), Zone: who.Zone(), Who: who, Base: BaseOf(r)}
}

// NotFound answers a URL that has no route.
func (rs *Responder) NotFound(http.ResponseWriter, *http.Request) error {
	return fault.New(fault.NotFound, "Page not found.")
}
