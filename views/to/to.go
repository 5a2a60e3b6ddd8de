// Package to builds every URL of the portal. Templates and handlers contain no literal URLs, so a route
// changes in one place and the compiler finds its uses. The builders escape what goes into a path or a query.
//
//	to.go          Base, and the URLs of accounts, sign-in and launches; links to the user's own apps
//	urls_leads.go  pipeline, intake, and a lead's workspace
//	urls_desk.go   saved views, team, reports, estimate, receipts, administration, demo
package to

import (
	"net/url"
	"strings"
)

// Base is the prefix of every URL of a signed-in user: empty in a window, and "/e/{client}/{launch}" inside a
// CRM's frame, where the same screens work without first-party cookies.
type Base string

// Full is the prefix of the portal in its own window.
const Full Base = ""

// Embed is the prefix of the portal inside the frame of one launch.
func Embed(client, launch string) Base {
	return Base("/e/" + url.PathEscape(client) + "/" + url.PathEscape(launch))
}

// Embedded reports whether the URLs are inside a frame.
func (b Base) Embedded() bool { return b != Full }

// at escapes and joins path segments after the base.
func (b Base) at(pieces ...string) string {
	path := string(b)
	for _, p := range pieces {
		path += "/" + url.PathEscape(p)
	}
	return path
}

// query appends name and value pairs to a URL in the given order. It omits empty values, so that one view has
// one URL.
func query(address string, pairs ...string) string {
	separator := "?"
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			address += separator + url.QueryEscape(pairs[i]) + "=" + url.QueryEscape(pairs[i+1])
			separator = "&"
		}
	}
	return address
}

// Home is the pipeline.
func (b Base) Home() string { return b.at("") }

// SignedOut is Home for a user who just signed out of a frame.
func (b Base) SignedOut() string { return query(b.Home(), "left", "true") }

// SessionEnded is Home for a user whose session in a frame ended; saved reports whether the form that they
// sent was saved.
func (b Base) SessionEnded(saved bool) string {
	if !saved {
		return b.Home()
	}
	return query(b.Home(), "kept", "true")
}

// SignIn is the sign-in page; next is a path to return to, or empty. It is never inside a frame.
func SignIn(next string) string { return query("/login", "next", next) }

// PasswordChanged is an action after which the user signs in again.
const PasswordChanged = "password"

// SignInAfter is the sign-in page with a message about the preceding action.
func SignInAfter(what string) string { return query("/login", "after", what) }

// SecondFactor is the second page of signing in.
func SecondFactor() string { return "/login/second-factor" }

// SecondFactorNext is SecondFactor with a path to continue to, or empty.
func SecondFactorNext(next string) string { return query(SecondFactor(), "next", next) }

// SecondFactorOptions requests a passkey challenge for the second factor.
func SecondFactorOptions() string { return SecondFactor() + "/options" }

// PasskeySignIn signs in with a passkey.
func PasskeySignIn() string { return "/login/passkey" }

// PasskeyOptions requests a challenge that any passkey can answer.
func PasskeyOptions() string { return PasskeySignIn() + "/options" }

// SSO starts signing in with a provider.
func SSO(provider string) string { return "/login/sso/" + url.PathEscape(provider) }

// SSONext is SSO with a path to continue to, or empty.
func SSONext(provider, next string) string { return query(SSO(provider), "next", next) }

// SSOUnlink removes single sign-on from the account.
func (b Base) SSOUnlink() string { return b.at("account", "sso", "unlink") }

// SignOut signs the user out; it takes a POST.
func (b Base) SignOut() string { return b.at("logout") }

// Activate activates a new account.
func Activate() string { return "/activate" }

// ActivatePasskey requests the challenge for a new account's passkey.
func ActivatePasskey() string { return "/activate/passkey" }

// Invite is the page on which a manager invites users.
func (b Base) Invite() string { return b.at("invite") }

// InviteRevoke revokes an invitation.
func (b Base) InviteRevoke(id string) string { return b.at("invite", id, "revoke") }

// InviteWithdraw withdraws a request to invite somebody; it takes a POST.
func (b Base) InviteWithdraw(id string) string { return b.at("invite", "requests", id, "withdraw") }

// InviteResend sends a pending invitation again; it takes a POST.
func (b Base) InviteResend(id string) string { return b.at("invite", id, "resend") }

// Reset resets a forgotten password.
func Reset() string { return "/reset" }

// Account is the user's own settings.
func (b Base) Account() string { return b.at("account") }

// StepUp is where users prove their identity again.
func (b Base) StepUp() string { return b.at("account", "confirm") }

// RenewSession reports how long the session lasts, and renews it.
func (b Base) RenewSession() string { return b.at("account", "session") }

// PendingForm saves what was typed when a session ends.
func (b Base) PendingForm() string { return b.at("account", "held") }

// EmbedPendingForm shows, in the full portal, what was typed inside the frame of a launch.
func EmbedPendingForm(launch string) string { return Full.at("account", "held", launch) }

// StepUpSSO redirects to the sign-on provider for the step-up.
func (b Base) StepUpSSO() string { return b.at("account", "confirm", "sso") }

// StepUpOptions requests a passkey challenge for the step-up.
func (b Base) StepUpOptions() string { return b.at("account", "confirm", "options") }

// Passkey adds a passkey.
func (b Base) Passkey() string { return b.at("account", "passkey") }

// NewPasskeyOptions requests the challenge for a new passkey.
func (b Base) NewPasskeyOptions() string { return b.at("account", "passkey", "options") }

// AccountEmail changes the account's email address, from a link in a message.
func (b Base) AccountEmail() string { return b.at("account", "email") }

// Authenticator adds an authenticator app.
func (b Base) Authenticator() string { return b.at("account", "authenticator") }

// Recovery creates new recovery codes.
func (b Base) Recovery() string { return b.at("account", "recovery") }

// Zone sets the time zone.
func (b Base) Zone() string { return b.at("account", "zone") }

// PageTitles chooses whether page titles contain borrowers' names.
func (b Base) PageTitles() string { return b.at("account", "titles") }

// Shortcuts turns single-key shortcuts on or off.
func (b Base) Shortcuts() string { return b.at("account", "shortcuts") }

// ShortcutSetting is where the account page has that setting.
func ShortcutSetting() string { return Full.Account() + "#shortcuts" }

// Password changes the password.
func (b Base) Password() string { return b.at("account", "password") }

// FactorRemove removes a sign-in method.
func (b Base) FactorRemove(id string) string { return b.at("account", "factors", id, "remove") }

// FactorName renames a sign-in method.
func (b Base) FactorName(id string) string { return b.at("account", "factors", id, "name") }

// LinkCRMRecord links a lead to the CRM's record, inside a frame.
func (b Base) LinkCRMRecord() string { return b.at("record") }

// CRMDisconnect removes a CRM sign-in from the account.
func (b Base) CRMDisconnect(id string) string { return b.at("account", "crms", id, "disconnect") }

// SessionEnd ends another session.
func (b Base) SessionEnd(id string) string { return b.at("account", "sessions", id, "end") }

// SessionsEnd ends all other sessions.
func (b Base) SessionsEnd() string { return b.at("account", "sessions", "end-others") }

// EmbedAction decides about a CRM.
func EmbedAction(client string) string { return Full.at("admin", "embed", client) }

// EmbedEvents is the page of a CRM's events.
func EmbedEvents(client string) string { return Full.at("admin", "embed", client, "events") }

// EmbedTest is the page that tests a CRM's launches.
func EmbedTest(client string) string { return Full.at("admin", "embed", client, "test") }

// EmbedEventSecret makes a secret that signs a CRM's events.
func EmbedEventSecret(client string) string {
	return Full.at("admin", "embed", client, "events", "secret")
}

// EmbedEdit opens a CRM in the form for editing.
func EmbedEdit(client string) string { return query(Full.Admin("embed"), "client", client) + "#add" }

// LaunchCode is a one-time URL that a CRM's server receives for a browser.
func LaunchCode(kind, client, code string) string {
	return Launch(kind, client) + "/" + url.PathEscape(code)
}

// EmbedStart is posted by "Continue as …" inside a frame.
func EmbedStart(client string) string { return "/e/" + url.PathEscape(client) + "/start" }

// EmbedNewTab opens the same portal in its own tab.
func EmbedNewTab(client string) string { return "/e/" + url.PathEscape(client) + "/tab" }

// StorageProbe reports whether the browser stores a sign-in inside the frame.
func (b Base) StorageProbe() string { return b.at("probe") }

// StepUpStatus reports to a frame whether its user completed the step-up.
func (b Base) StepUpStatus() string { return b.at("confirmed") }

// Connect is where a user connects a CRM sign-in, or completes the step-up for its frame.
func Connect(client, launch string) string {
	return "/connect/" + url.PathEscape(client) + "/" + url.PathEscape(launch)
}

// Confirm is the tab in which the user of a frame confirms their identity with a passkey.
func Confirm(client string) string { return "/confirm/" + url.PathEscape(client) }

// Launch receives a CRM's signed post.
func Launch(kind, client string) string {
	return "/launch/" + url.PathEscape(kind) + "/" + url.PathEscape(client)
}

// These URLs open the user's own apps. They contain a borrower's data, so only the response that reveals the
// data contains them.

// Tel opens the phone app. Characters that are not part of the number are dropped.
func Tel(phone string) string { return "tel:" + phoneDigits(phone) }

// Sms opens a prefilled text message for the user to send. Older iPhones read the body only after an ampersand, which
// others ignore.
func Sms(phone, body string) string {
	return "sms:" + phoneDigits(phone) + "?&body=" + mailEscape(body)
}

// Mailto opens a prefilled email for the user to send. A line break is %0D%0A, as RFC 6068 requires.
func Mailto(address, subject, body string) string {
	return "mailto:" + strings.ReplaceAll(mailEscape(address), "%40", "@") + "?subject=" + mailEscape(subject) + "&body=" +
		mailEscape(strings.ReplaceAll(body, "\n", "\r\n"))
}

// phoneDigits keeps the digits and a leading plus. A ten-digit number is a US number.
func phoneDigits(phone string) string {
	var b strings.Builder
	for _, r := range phone {
		if r >= '0' && r <= '9' || r == '+' && b.Len() == 0 {
			b.WriteRune(r)
		}
	}
	if s := b.String(); len(s) == 10 {
		return "+1" + s
	}
	return b.String()
}

// mailEscape writes spaces as %20: mail programs display a plus literally.
func mailEscape(text string) string { return strings.ReplaceAll(url.QueryEscape(text), "+", "%20") }
