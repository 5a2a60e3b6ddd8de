// Package help serves the help pages.
package help

import (
	"hearthline/web/page"
)

// Handlers answer the routes of the help area.
type Handlers struct{ *page.Responder }

// New creates the handlers.
func New(r *page.Responder) *Handlers { return &Handlers{r} }
