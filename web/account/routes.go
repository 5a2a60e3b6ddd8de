// Package account lets users manage their own account: sign-in, second factors, email, time zone, sessions and
// connected CRMs.
package account

import (
	"net/http"

	deskaccount "hearthline/internal/desk/account"

	"hearthline/internal/access"
	"hearthline/views/to"
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

// Routes returns the routes of this area.
func (h *Handlers) Routes() []page.Route {
	return page.Concat(
		page.WithPermission(access.UseAccount, []page.Route{
			{Method: http.MethodGet, Pattern: "/account", Name: "account",
				Handler: page.WithNewForm(page.Desk.Account, h.renderAccount)},
			{Method: http.MethodPost, Pattern: "/account/factors/{id}/name", Name: "rename a factor",
				Handler: h.changeAccount(renameFactor)},
			{Method: http.MethodPost, Pattern: "/account/zone", Name: "set the time zone",
				Handler: h.changeAccount(setTimeZone)},
			{Method: http.MethodPost, Pattern: "/account/titles", Name: "choose page titles",
				Handler: h.changeAccount(setPlainTitles)},
			{Method: http.MethodPost, Pattern: "/account/shortcuts", Name: "turn shortcuts on or off",
				Handler: h.changeAccount(setShortcuts)},
			{Method: http.MethodPost, Pattern: "/account/monthly-report", Name: "turn the monthly summary on or off",
				Handler: h.changeAccount(setMonthlyReport)},
			{Method: http.MethodPost, Pattern: "/account/sessions/{id}/end", Name: "end a session",
				Handler: h.changeAccount(endSession)},
			{Method: http.MethodPost, Pattern: "/account/sessions/end-others", Name: "end other sessions",
				Handler: h.changeAccount(endOtherSessions)},
		}),
		page.WithPermission(access.UseAccount, h.notificationRoutes()),
		page.WithPermission(access.ChangeSignIn, []page.Route{
			{Method: http.MethodGet, Pattern: "/account/passkey", Name: "new passkey", Handler: h.PasskeyPage},
			{Method: http.MethodPost, Pattern: "/account/passkey/options", Name: "new passkey challenge",
				Handler: page.WithHandle(page.Desk.Account, h.NewPasskeyOptions)},
			{Method: http.MethodPost, Pattern: "/account/passkey", Name: "add passkey",
				Handler: page.WithHandle(page.Desk.Account, h.AddPasskey)},
			{Method: http.MethodGet, Pattern: "/account/email", Name: "change email",
				Handler: page.WithHandle(page.Desk.Account, h.EmailChangePage)},
			{Method: http.MethodPost, Pattern: "/account/email", Name: "confirm new email",
				Handler: page.WithHandle(page.Desk.Account, h.ConfirmEmailChange)},
			{Method: http.MethodGet, Pattern: "/account/authenticator", Name: "authenticator app",
				Handler: page.WithNewForm(page.Desk.Account, h.renderAuthenticator)},
			{Method: http.MethodPost, Pattern: "/account/authenticator", Name: "add authenticator app",
				Handler: page.WithForm(page.Desk.Account, h.AddAuthenticator)},
			{Method: http.MethodPost, Pattern: "/account/recovery", Name: "new recovery codes",
				Handler: page.WithHandle(page.Desk.Account, h.RenewRecoveryCodes)},
			{Method: http.MethodPost, Pattern: "/account/factors/{id}/remove", Name: "remove a factor",
				Handler: page.WithActionOn(page.Desk.Account, (*deskaccount.Account).RemoveFactor, to.Full.Account())},
			{Method: http.MethodPost, Pattern: "/account/sso/unlink", Name: "unlink single sign-on",
				Handler: h.changeAccount(unlinkSSO)},
			{Method: http.MethodPost, Pattern: "/account/password", Name: "change the password",
				Handler: h.changeAccount(changePassword)},
			{Method: http.MethodPost, Pattern: "/account/crms/{id}/disconnect", Name: "disconnect a CRM",
				Handler: h.changeAccount(disconnectCRM)},
		}),
	)
}
