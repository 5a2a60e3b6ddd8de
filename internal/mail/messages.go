package mail

import (
	"strings"
	"time"
	"unicode"
)

// Link is a link or code that works once.
type Link struct {
	To, Name string
	By       string // who sent an invitation; else empty
	Address  string // with the token behind a #, so that no server and no log sees it
	Code     string // the same token, for pasting where the link does not open
	ValidFor string // how long it is valid, as text
}

// maxLineLen limits a name or another free text in a mail, in characters.
const maxLineLen = 200

// OneLine returns a text as one line of a mail. It replaces line breaks, invisible characters and direction overrides
// with spaces, and limits the length. Names come from colleagues and from the lender.
func OneLine(text string) string {
	var out strings.Builder
	n := 0
	for _, word := range strings.FieldsFunc(text,
		func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsGraphic(r) }) {
		if out.Len() > 0 {
			out.WriteByte(' ')
		}
		for _, r := range word {
			if n++; n > maxLineLen {
				return out.String()
			}
			out.WriteRune(r)
		}
	}
	return out.String()
}

func newMessage(to, name, subject string, lines ...string) Message {
	text := "Hello"
	if name = OneLine(name); name != "" {
		text += " " + name
	}
	return Message{To: to, Subject: subject, Text: text + ",\n\n" + strings.Join(lines, "\n\n") + "\n\nHearthline\n"}
}

func (l Link) instructions() string {
	page, _, _ := strings.Cut(l.Address, "#")
	return l.Address + "\n\nThe link works once and expires in " + l.ValidFor + ". If it doesn’t open, go to " + page +
		" and paste this code:\n\n" + l.Code
}

const notYouText = "If you didn’t request this, ignore this email. Nothing has changed."

// Activation is for an originator in the lender's directory who sets up their account.
func Activation(l Link) Message {
	return newMessage(l.To, l.Name, "Set up your Hearthline account",
		"The lender has this email on file for a loan originator. To set up your account, open this link:",
		l.instructions(), notYouText)
}

// Invitation is for a user who was invited by a colleague.
func Invitation(l Link) Message {
	by := OneLine(l.By)
	return newMessage(l.To, l.Name, by+" invited you to Hearthline",
		by+" invited you to Hearthline. To set up your account, open this link:", l.instructions())
}

// PasswordReset is for a user who chooses another password.
func PasswordReset(l Link) Message {
	return newMessage(l.To, l.Name, "Reset your Hearthline password",
		"Your passkey or authenticator app stays the same. To choose a new password, open this link:",
		l.instructions(), notYouText)
}

// AccountReset is for a user who sets up their sign-in again.
func AccountReset(l Link) Message {
	return newMessage(l.To, l.Name, "Set up your Hearthline sign-in again",
		"Your administrator reset your account. Once you set up your sign-in again, "+
			"your previous sign-in methods no longer work. To set it up, open this link:", l.instructions())
}

// EmailChange is for a user who changes the email address of their account.
func EmailChange(l Link) Message {
	return newMessage(l.To, l.Name, "Confirm your email for Hearthline",
		"Your administrator entered this email for your account. "+
			"To start signing in with this email, open this link and sign in as usual:", l.instructions(),
		"If you don’t have a Hearthline account, ignore this email. The link alone doesn’t give access to anything.")
}

// AlreadyRegistered answers somebody who asks for activation but already has an account.
func AlreadyRegistered(to, name, login string) Message {
	return newMessage(to, name, "You already have a Hearthline account",
		"Someone, probably you, requested an account with this email. You already have one. "+
			"Sign in or reset your password here:", login, notYouText)
}

// timeLayout names the zone, because an email may be read anywhere.
const timeLayout = "Jan 2, 2006, 3:04 PM MST"

// SignInChanged reports a change of how a user signs in, at a time in the user's zone.
func SignInChanged(to, name, what string, at time.Time) Message {
	return newMessage(to, name, "Your Hearthline sign-in was changed",
		OneLine(what)+", on "+at.Format(timeLayout)+".",
		"If this wasn’t you, tell an administrator right away. Administrators can disable and reset your account.")
}

// SettingChanged tells an administrator what was changed for all users, in sentences without the last period.
func SettingChanged(to, name, what string, at time.Time) Message {
	return newMessage(to, name, "Hearthline settings were changed",
		OneLine(what)+".", "When: "+at.Format(timeLayout)+".",
		"If you didn’t expect this, tell the other administrators right away.")
}

// SignInAttempt is an unusual sign-in, or an unusual attempt at one.
type SignInAttempt struct {
	To, Name         string
	What             string // a sentence without its period
	SignedIn         bool   // someone completed the sign-in
	Browser, Network string
	At               time.Time // in the user's zone
	AccountURL       string    // URL of the page that shows it
}

// UnusualSignIn reports an attempt.
func UnusualSignIn(a SignInAttempt) Message {
	subject := "Unusual activity on your Hearthline account"
	if a.SignedIn {
		subject = "New sign-in to your Hearthline account"
	}
	return newMessage(a.To, a.Name, subject,
		a.What+", on "+a.At.Format(timeLayout)+".",
		"Browser: "+a.Browser+"\nNetwork: "+a.Network,
		"If this was you, no action is needed. If not, change your password, "+
			"end your other sessions and tell an administrator:",
		a.AccountURL,
		"We send this at most once a day. Your account page lists all unusual sign-ins.")
}
