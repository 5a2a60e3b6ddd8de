// Package to builds every address of the portal. Templates and handlers write
// no address by hand, so a route that moves is changed in one place and the
// compiler finds who used it; what goes into a path or a query is escaped here.
//
//	to.go       Base, and the addresses of people and identity
//	urls_leads.go    pipeline, intake, the workspace and what lies under a lead
//	app_links.go      telephone, text and mail of the person's own
//	urls_desk.go     team, reports, estimate, receipts, administration, demo
//	patterns.go the same as route patterns, for the test against the route table
package to

import (
	"net/url"
	"strings"
)

// Base is what stands before every address of the desk: nothing in a window
// of its own, "/e/{client}/{launch}" inside a CRM's frame, where the same
// screens run without cookies of the first party.
type Base string

// Full is the desk in a window of its own.
const Full Base = ""

// Embed is the desk inside the frame of one launch.
func Embed(client, launch string) Base {
	return Base("/e/" + url.PathEscape(client) + "/" + url.PathEscape(launch))
}

// Embedded tells whether the addresses lie inside a frame.
func (b Base) Embedded() bool { return b != Full }

// at joins path pieces, each escaped, behind the base.
func (b Base) at(pieces ...string) string {
	var s strings.Builder
	s.WriteString(string(b))
	for _, p := range pieces {
		s.WriteByte('/')
		s.WriteString(url.PathEscape(p))
	}
	return s.String()
}

// query joins name and value pairs behind an address, in the order given and
// without the empty ones, so that one view has one address.
func query(address string, pairs ...string) string {
	var s strings.Builder
	s.WriteString(address)
	sep := byte('?')
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] == "" {
			continue
		}
		s.WriteByte(sep)
		s.WriteString(url.QueryEscape(pairs[i]))
		s.WriteByte('=')
		s.WriteString(url.QueryEscape(pairs[i+1]))
		sep = '&'
	}
	return s.String()
}

// Home leads to the pipeline.
func (b Base) Home() string { return b.at("") }

// SignedOut is the same, for who has just signed out of a frame.
func (b Base) SignedOut() string { return query(b.Home(), "left", "true") }

// SessionEnded is the same, for who was signed out of a frame; kept is whether what they sent waits.
func (b Base) SessionEnded(kept bool) string {
	if !kept {
		return b.Home()
	}
	return query(b.Home(), "kept", "true")
}

// SignIn is where a person signs in; next is a path to return to, or empty.
// It never lies inside a frame.
func SignIn(next string) string { return query("/login", "next", next) }

// PasswordChanged is what a log-in can come after.
const PasswordChanged = "password"

// SignInAfter is the log-in page with a word about what was done before.
func SignInAfter(what string) string { return query("/login", "after", what) }

// SecondFactor is the second page of signing in.
func SecondFactor() string { return "/login/second-factor" }

// SecondFactorNext is SecondFactor with a path to go on to, or empty.
func SecondFactorNext(next string) string { return query(SecondFactor(), "next", next) }

// SecondFactorOptions asks for a passkey as the second factor.
func SecondFactorOptions() string { return SecondFactor() + "/options" }

// PasskeySignIn signs in with a passkey.
func PasskeySignIn() string { return "/login/passkey" }

// PasskeyOptions asks for any passkey.
func PasskeyOptions() string { return PasskeySignIn() + "/options" }

// SSO starts signing in at a provider.
func SSO(provider string) string { return "/login/sso/" + url.PathEscape(provider) }

// SSONext is SSO with a path to go on to, or empty.
func SSONext(provider, next string) string { return query(SSO(provider), "next", next) }

// SSOCallback is where the provider sends people back to.
func SSOCallback(provider string) string { return SSO(provider) + "/callback" }

// SSOUnlink takes single sign-on away.
func (b Base) SSOUnlink() string { return b.at("account", "sso", "unlink") }

// SignOut takes a POST.
func (b Base) SignOut() string { return b.at("logout") }

// Activate is a person's first visit.
func Activate() string { return "/activate" }

// ActivatePasskey asks the browser to make a new account's passkey.
func ActivatePasskey() string { return "/activate/passkey" }

// Invite is where a manager invites.
func (b Base) Invite() string { return b.at("invite") }

// InviteRevoke takes an invitation back.
func (b Base) InviteRevoke(id string) string { return b.at("invite", id, "revoke") }

// Reset is for a forgotten password.
func Reset() string { return "/reset" }

// Account is a person's own settings.
func (b Base) Account() string { return b.at("account") }

// StepUp is where a person proves once more who they are.
func (b Base) StepUp() string { return b.at("account", "confirm") }

// RenewSession says how long the session lasts, and renews it.
func (b Base) RenewSession() string { return b.at("account", "session") }

// PendingForm keeps what is typed when a session ends.
func (b Base) PendingForm() string { return b.at("account", "held") }

// EmbedPendingForm shows what was filled inside the frame of a launch, in the full desk.
func EmbedPendingForm(launch string) string { return Full.at("account", "held", launch) }

// StepUpSSO leads to the sign-on provider to prove it there.
func (b Base) StepUpSSO() string { return b.at("account", "confirm", "sso") }

// StepUpOptions asks for a passkey to prove it with.
func (b Base) StepUpOptions() string { return b.at("account", "confirm", "options") }

// Passkey adds a passkey.
func (b Base) Passkey() string { return b.at("account", "passkey") }

// NewPasskeyOptions asks the browser to make one.
func (b Base) NewPasskeyOptions() string { return b.at("account", "passkey", "options") }

// AccountEmail takes another e-mail for the account, by a link that was opened.
func (b Base) AccountEmail() string { return b.at("account", "email") }

// Authenticator adds an authenticator app.
func (b Base) Authenticator() string { return b.at("account", "authenticator") }

// Recovery makes new recovery codes.
func (b Base) Recovery() string { return b.at("account", "recovery") }

// Zone sets the time zone.
func (b Base) Zone() string { return b.at("account", "zone") }

// Password changes the password.
func (b Base) Password() string { return b.at("account", "password") }

// FactorRemove takes a way to sign in away.
func (b Base) FactorRemove(id string) string { return b.at("account", "factors", id, "remove") }

// FactorName changes what a person calls it.
func (b Base) FactorName(id string) string { return b.at("account", "factors", id, "name") }

// LinkCRMRecord makes a lead that of the CRM's record, inside a frame.
func (b Base) LinkCRMRecord() string { return b.at("record") }

// CRMDisconnect takes a CRM's log-in from the account.
func (b Base) CRMDisconnect(id string) string { return b.at("account", "crms", id, "disconnect") }

// SessionEnd signs out in another place.
func (b Base) SessionEnd(id string) string { return b.at("account", "sessions", id, "end") }

// SessionsEnd signs out everywhere but here.
func (b Base) SessionsEnd() string { return b.at("account", "sessions", "end-others") }

// EmbedAction takes a decision on a CRM.
func EmbedAction(client string) string { return Full.at("admin", "embed", client) }

// EmbedEdit puts a CRM into the form, to be changed.
func EmbedEdit(client string) string { return query(Full.Admin("embed"), "client", client) + "#add" }

// LaunchCode is a one-time address that a CRM's server was given for a browser.
func LaunchCode(kind, client, code string) string {
	return Launch(kind, client) + "/" + url.PathEscape(code)
}

// EmbedStart takes the press of "Continue as …" inside a frame.
func EmbedStart(client string) string { return "/e/" + url.PathEscape(client) + "/start" }

// EmbedNewTab opens the same desk in a tab of its own.
func EmbedNewTab(client string) string { return "/e/" + url.PathEscape(client) + "/tab" }

// StorageProbe tells a frame whether its browser keeps a sign-in there.
func (b Base) StorageProbe() string { return b.at("probe") }

// StepUpStatus lets a frame learn that its person has proved who they are.
func (b Base) StepUpStatus() string { return b.at("confirmed") }

// Connect is where a person connects a CRM's log-in, or proves for its frame who they are.
func Connect(client, launch string) string {
	return "/connect/" + url.PathEscape(client) + "/" + url.PathEscape(launch)
}

// Launch takes a CRM's signed post.
func Launch(kind, client string) string {
	return "/launch/" + url.PathEscape(kind) + "/" + url.PathEscape(client)
}

// EmbedCRMCard is the card that a CRM's server fetches.
func EmbedCRMCard(client, record string) string {
	return "/api/embed/" + url.PathEscape(client) + "/records/" + url.PathEscape(record)
}

// Hook takes the lender's webhooks.
func Hook(token string) string { return "/hooks/partner/" + url.PathEscape(token) }
