// Package signin signs users in: password, second factor, passkey, single sign-on, and the links
// that are emailed to activate an account, reset a password or confirm an email.
package signin

import (
	"context"

	"hearthline/internal/access"
	"hearthline/internal/account"
	"hearthline/web/guard"
	"hearthline/web/page"
)

// Deps are what the sign-in area needs.
type Deps struct {
	*page.Responder
	guard.Cookies
	Sessions   *guard.Sessions
	StepUp     *guard.StepUp
	Accounts   *account.Service
	SSO        SSO
	Audit      Audit
	Outbox     Outbox       // demo only: the unsent emails, visible to everybody; otherwise nil
	DemoPeople []DemoPerson // listed on the sign-in page; empty outside of the demo
	Origin     string       // of the portal, as browsers see it
}

// Audit records sign-ins; *desk.Service implements it. Rejected sign-ins are recorded where they are rejected.
type Audit interface {
	LogSignIn(ctx context.Context, who access.Actor, proof access.Proof) error
}

// DemoPerson is a demo user. The sign-in page lists them with the demo's password.
type DemoPerson struct{ Name, Subtitle, Email, Password string }

// Outbox returns the unsent emails; *account.Service implements it.
type Outbox interface {
	Outbox(ctx context.Context) ([]account.PendingMail, error)
}

// Handlers answer the routes of the sign-in area.
type Handlers struct{ Deps }

// New creates the handlers.
func New(d Deps) *Handlers { return &Handlers{d} }
