// Package embed lets users in from CRMs: it verifies launches, signs in inside the frame or in a tab of its own,
// connects CRM users to accounts, and serves the card for the CRM's server.
package embed

import "hearthline/web/page"

// Handlers answer the routes of the embedding area. web registers them with their permissions.
type Handlers struct{ *page.Server }

// New makes the handlers on the core that every area shares.
func New(s *page.Server) *Handlers { return &Handlers{s} }
