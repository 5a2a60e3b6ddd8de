package account

import "hearthline/web/page"

// Handlers answer the area's routes.
type Handlers struct{ *page.Server }

// New gives the area what it needs.
func New(s *page.Server) *Handlers { return &Handlers{s} }
