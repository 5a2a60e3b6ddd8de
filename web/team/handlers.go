// Package team has the pages for managers: reassigning one lead or many, the unassigned queue,
// invitations and the directory of originators.
package team

import "hearthline/web/page"

// Handlers answer the routes of the team area. web registers them with their permissions.
type Handlers struct{ *page.Server }

// New creates the handlers on the core that every area shares.
func New(s *page.Server) *Handlers { return &Handlers{s} }
