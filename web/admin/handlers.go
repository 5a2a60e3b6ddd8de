// Package admin has the pages for administrators: users, originators, licenses, consent texts, CRMs, the audit
// log, health, and what the portal uses of the lender's interface. No borrower appears on any of them.
package admin

import (
	"hearthline/web/page"
)

// Deps are what the administration area needs.
type Deps struct {
	*page.Responder
	Origin     string              // of the portal, as browsers see it
	CRMs       bool                // whether CRMs may embed the desk; otherwise their page does not exist
	RouteTable func() []page.Route // every route of the portal, for the policy page
}

// Handlers answer the routes of the administration area.
type Handlers struct{ Deps }

// New creates the handlers.
func New(d Deps) *Handlers { return &Handlers{d} }
