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
func (s *Handlers) Routes() []page.Route {
	return page.Concat(
		[]page.Route{
			{Method: http.MethodGet, Pattern: "/login", Name: "sign-in page", Public: true, Handler: s.SignInPage},
			{Method: http.MethodPost, Pattern: "/login", Name: "sign in", Public: true, Handler: s.SignIn},
			{Method: http.MethodGet, Pattern: "/login/second-factor", Name: "second factor", Public: true, Handler: s.SecondFactorPage},
			{Method: http.MethodPost, Pattern: "/login/second-factor", Name: "submit second factor", Public: true, Handler: s.SubmitSecondFactor},
			{Method: http.MethodPost, Pattern: "/login/second-factor/options", Name: "passkey as second factor", Public: true, Handler: s.SecondFactorOptions},
			{Method: http.MethodPost, Pattern: "/login/passkey/options", Name: "passkey challenge", Public: true, Handler: s.PasskeyOptions},
			{Method: http.MethodPost, Pattern: "/login/passkey", Name: "passkey", Public: true, Handler: s.PasskeySignIn},
			{Method: http.MethodGet, Pattern: "/login/sso/{provider}", Name: "single sign-on", Public: true, Handler: s.StartSSO},
			{Method: http.MethodGet, Pattern: "/login/sso/{provider}/callback", Name: "single sign-on response", Public: true, Handler: s.SsoCallback},
		},
		s.mailedLinkRoutes(),
		page.WithPermission(access.UseAccount, []page.Route{
			{Method: http.MethodGet, Pattern: "/", Name: "home", Handler: s.RedirectHome},
			{Method: http.MethodPost, Pattern: "/logout", Name: "sign out", Handler: s.SignOut},
			{Method: http.MethodGet, Pattern: "/account/confirm/sso", Name: "confirm by single sign-on", Handler: s.StepUpBySSO},
			{Method: http.MethodPost, Pattern: "/account/confirm/options", Name: "confirm by passkey", Handler: s.StepUpPasskeyOptions},
		}),
	)
}

// mailedLinkRoutes are for users who have no account yet or cannot sign in. The outbox is public, and exists in the
// demo only.
func (s *Handlers) mailedLinkRoutes() []page.Route {
	routes := []page.Route{
		{Method: http.MethodGet, Pattern: "/activate", Name: "set up an account", Public: true, Handler: s.MailedLinkPage(activationLink())},
		{Method: http.MethodPost, Pattern: "/activate", Name: "activate", Public: true, Handler: s.SubmitMailedLink(activationLink())},
		{Method: http.MethodPost, Pattern: "/activate/passkey", Name: "passkey of a new account", Public: true, Handler: s.SetUpPasskeyOptions},
		{Method: http.MethodGet, Pattern: "/reset", Name: "lost password", Public: true, Handler: s.MailedLinkPage(resetLink())},
		{Method: http.MethodPost, Pattern: "/reset", Name: "reset", Public: true, Handler: s.SubmitMailedLink(resetLink())},
	}
	if s.Outbox != nil {
		routes = append(routes, page.Route{Method: http.MethodGet, Pattern: "/outbox", Name: "outbox", Public: true, Handler: s.OutboxPage})
	}
	return routes
}
