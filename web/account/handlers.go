// Package account lets users manage their own account: sign-in, second factors, email, time zone, sessions and
// connected CRMs.
package account

import (
	"hearthline/web/guard"
	"hearthline/web/page"
)

// Deps are what the account area needs.
type Deps struct {
	*page.Responder
	guard.Cookies // the link that confirms a new email opens a flow
}

// Handlers answer the routes of the account area.
type Handlers struct{ Deps }

// New creates the handlers.
func New(d Deps) *Handlers { return &Handlers{d} }
