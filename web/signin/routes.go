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
	Outbox     Outbox       // demo only: the unsent emails, visible to everybody; otherwise nil
	DemoPeople []DemoPerson // listed on the sign-in page; empty outside of the demo
	Origin     string       // of the portal, as browsers see it
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

// Routes returns the routes of this area. Most need no session: page.PublicRouteNames lists each of them.
func (h *Handlers) Routes() []page.Route {
	return page.Concat(
		page.WithoutSignIn([]page.Route{
			page.Get("/login", "sign-in page", h.SignInPage),
			page.Post("/login", "sign in", h.SignIn),
			page.Get("/login/second-factor", "second factor", h.SecondFactorPage),
			page.Post("/login/second-factor", "submit second factor", h.SubmitSecondFactor),
			page.Post("/login/second-factor/options", "passkey as second factor", h.SecondFactorOptions),
			page.Post("/login/passkey/options", "passkey challenge", h.PasskeyOptions),
			page.Post("/login/passkey", "passkey", h.PasskeySignIn),
			page.Get("/login/sso/{provider}", "single sign-on", h.StartSSO),
			page.Get("/login/sso/{provider}/callback", "single sign-on response", h.SsoCallback),
		}),
		h.mailedLinkRoutes(),
		page.WithPermission(access.UseAccount, []page.Route{
			page.Get("/", "home", h.RedirectHome),
			page.Post("/logout", "sign out", h.SignOut),
			page.Get("/account/confirm/sso", "confirm by single sign-on", h.StepUpBySSO),
			page.Post("/account/confirm/options", "confirm by passkey", h.StepUpPasskeyOptions),
		}),
	)
}

// mailedLinkRoutes are for users who have no account yet or cannot sign in. The outbox is public, and exists in the
// demo only.
func (h *Handlers) mailedLinkRoutes() []page.Route {
	routes := []page.Route{
		page.Get("/activate", "set up an account", h.MailedLinkPage(activationLink())),
		page.Post("/activate", "activate", h.SubmitMailedLink(activationLink())),
		page.Post("/activate/passkey", "passkey of a new account", h.SetUpPasskeyOptions),
		page.Get("/reset", "lost password", h.MailedLinkPage(resetLink())),
		page.Post("/reset", "reset", h.SubmitMailedLink(resetLink())),
	}
	if h.Outbox != nil {
		routes = append(routes, page.Get("/outbox", "outbox", h.OutboxPage))
	}
	return page.WithoutSignIn(routes)
}
