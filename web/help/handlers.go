// Package help serves the help pages.
package help

import "hearthline/web/page"

// Handlers answer the routes of the help area. web registers them with their permissions.
type Handlers struct{ *page.Server }

// New creates the handlers on the core that every area shares.
func New(s *page.Server) *Handlers { return &Handlers{s} }
