// Package embed connects CRMs to the portal: it verifies launches, signs users in inside the iframe
// or in a separate tab, connects CRM users to accounts, and serves the card for the CRM's server.
package embed

import "hearthline/web/page"

// Handlers answer the routes of the embedding area. web registers them with their permissions.
type Handlers struct{ *page.Server }

// New creates the handlers on the core that every area shares.
func New(s *page.Server) *Handlers { return &Handlers{s} }
