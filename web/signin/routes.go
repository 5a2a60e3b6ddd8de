// Package signin signs users in: password, second factor, passkey, single sign-on, and the links
// that are emailed to activate an account, reset a password or confirm an email.
package signin

import (
	"context"
	"net/http"

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
		[]page.Route{
			{Method: http.MethodGet, Pattern: "/login", Name: "sign-in page", Public: true, Handler: h.SignInPage},
			{Method: http.MethodPost, Pattern: "/login", Name: "sign in", Public: true, Handler: h.SignIn},
			{Method: http.MethodGet, Pattern: "/login/second-factor", Name: "second factor", Public: true,
				Handler: h.SecondFactorPage},
			{Method: http.MethodPost, Pattern: "/login/second-factor", Name: "submit second factor", Public: true,
				Handler: h.SubmitSecondFactor},
			{Method: http.MethodPost, Pattern: "/login/second-factor/options", Name: "passkey as second factor", Public: true,
				Handler: h.SecondFactorOptions},
			{Method: http.MethodPost, Pattern: "/login/passkey/options", Name: "passkey challenge", Public: true,
				Handler: h.PasskeyOptions},
			{Method: http.MethodPost, Pattern: "/login/passkey", Name: "passkey", Public: true, Handler: h.PasskeySignIn},
			{Method: http.MethodGet, Pattern: "/login/sso/{provider}", Name: "single sign-on", Public: true,
				Handler: h.StartSSO},
			{Method: http.MethodGet, Pattern: "/login/sso/{provider}/callback", Name: "single sign-on response", Public: true,
				Handler: h.SsoCallback},
		},
		h.mailedLinkRoutes(),
		page.WithPermission(access.UseAccount, []page.Route{
			{Method: http.MethodGet, Pattern: "/", Name: "home", Handler: h.RedirectHome},
			{Method: http.MethodPost, Pattern: "/logout", Name: "sign out", Handler: h.SignOut},
			{Method: http.MethodGet, Pattern: "/account/confirm/sso", Name: "confirm by single sign-on", Handler: h.StepUpBySSO},
			{Method: http.MethodPost, Pattern: "/account/confirm/options", Name: "confirm by passkey",
				Handler: h.StepUpPasskeyOptions},
		}),
	)
}

// mailedLinkRoutes are for users who have no account yet or cannot sign in. The outbox is public, and exists in the
// demo only.
func (h *Handlers) mailedLinkRoutes() []page.Route {
	routes := []page.Route{
		{Method: http.MethodGet, Pattern: "/activate", Name: "set up an account", Public: true,
			Handler: h.MailedLinkPage(activationLink())},
		{Method: http.MethodPost, Pattern: "/activate", Name: "activate", Public: true,
			Handler: h.SubmitMailedLink(activationLink())},
		{Method: http.MethodPost, Pattern: "/activate/passkey", Name: "passkey of a new account", Public: true,
			Handler: h.SetUpPasskeyOptions},
		{Method: http.MethodGet, Pattern: "/reset", Name: "lost password", Public: true,
			Handler: h.MailedLinkPage(resetLink())},
		{Method: http.MethodPost, Pattern: "/reset", Name: "reset", Public: true, Handler: h.SubmitMailedLink(resetLink())},
	}
	if h.Outbox != nil {
		routes = append(routes, page.Route{Method: http.MethodGet, Pattern: "/outbox", Name: "outbox", Public: true,
			Handler: h.OutboxPage})
	}
	return routes
}
