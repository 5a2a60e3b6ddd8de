// Package admin has the pages for administrators: users, originators, licenses, consent texts, CRMs, the audit
// log, health, and what the portal uses of the lender's interface. No borrower appears on any of them.
package admin

import "hearthline/web/page"

// Handlers answer the routes of the administration area. web registers them with their permissions.
type Handlers struct{ *page.Server }

// New creates the handlers on the core that every area shares.
func New(s *page.Server) *Handlers { return &Handlers{s} }
