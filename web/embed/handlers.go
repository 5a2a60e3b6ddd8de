// Package embed connects CRMs to the portal: it verifies launches, signs users in inside the iframe
// or in a separate tab, connects CRM users to accounts, and serves the card for the CRM's server.
package embed

import (
	"hearthline/internal/embed"
	"hearthline/web/guard"
	"hearthline/web/page"
)

// Deps are what the embedding area needs.
type Deps struct {
	*page.Responder
	*guard.Frames
	Pending  *guard.PendingForms
	Launches *guard.LaunchLimits
	Embeds   *embed.Service
	Origin   string // of the portal, as browsers see it
}

// Handlers answer the routes of the embedding area.
type Handlers struct{ Deps }

// New creates the handlers.
func New(d Deps) *Handlers { return &Handlers{d} }
