// Package account lets users manage their own account: sign-in, second factors, email, time zone, sessions and
// connected CRMs.
package account

import (
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
	account := page.FormPage[*deskaccount.Account]{Open: page.Desk.Account, Render: h.renderAccount,
		Next: page.To(to.Full.Account())}
	return page.Concat(
		page.WithPermission(access.UseAccount, []page.Route{
			page.Get("/account", "account", account.Page()),
			page.Post("/account/factors/{id}/name", "rename a factor", account.Change(renameFactor)),
			page.Post("/account/zone", "set the time zone", account.Change(setTimeZone)),
			page.Post("/account/titles", "choose page titles", account.Change(setPlainTitles)),
			page.Post("/account/shortcuts", "turn shortcuts on or off", account.Change(setShortcuts)),
			page.Post("/account/monthly-report", "turn the monthly summary on or off", account.Change(setMonthlyReport)),
			page.Post("/account/sessions/{id}/end", "end a session", account.Change(endSession)),
			page.Post("/account/sessions/end-others", "end other sessions", account.Change(endOtherSessions)),
		}),
		page.WithPermission(access.UseAccount, h.notificationRoutes()),
		page.WithPermission(access.ChangeSignIn, []page.Route{
			page.Get("/account/passkey", "new passkey", h.PasskeyPage),
			page.Post("/account/passkey/options", "new passkey challenge",
				page.WithHandle(page.Desk.Account, h.NewPasskeyOptions)),
			page.Post("/account/passkey", "add passkey", page.WithHandle(page.Desk.Account, h.AddPasskey)),
			page.Get("/account/email", "change email", page.WithHandle(page.Desk.Account, h.EmailChangePage)),
			page.Post("/account/email", "confirm new email", page.WithHandle(page.Desk.Account, h.ConfirmEmailChange)),
			page.Get("/account/authenticator", "authenticator app", page.WithNewForm(page.Desk.Account, h.renderAuthenticator)),
			page.Post("/account/authenticator", "add authenticator app", page.WithForm(page.Desk.Account, h.AddAuthenticator)),
			page.Post("/account/recovery", "new recovery codes", page.WithHandle(page.Desk.Account, h.RenewRecoveryCodes)),
			page.Post("/account/factors/{id}/remove", "remove a factor",
				page.WithActionOn(page.Desk.Account, (*deskaccount.Account).RemoveFactor, to.Full.Account())),
			page.Post("/account/sso/unlink", "unlink single sign-on", account.Change(unlinkSSO)),
			page.Post("/account/password", "change the password", account.Change(changePassword)),
			page.Post("/account/crms/{id}/disconnect", "disconnect a CRM", account.Change(disconnectCRM)),
		}),
	)
}
