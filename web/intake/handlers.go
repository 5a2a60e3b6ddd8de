// Package intake has the pages for new inquiries: the form with its autosaved draft, drafts and
// their transfer, copying a lead to a new inquiry, the quick estimate, and the link on which a
// borrower continues alone.
package intake

import "hearthline/web/page"

// Handlers answer the routes of the intake area. web registers them with their permissions.
type Handlers struct{ *page.Server }

// New creates the handlers on the core that every area shares.
func New(s *page.Server) *Handlers { return &Handlers{s} }
