package mail

import (
	"strings"
	"time"
	"unicode"
)

// Link is a link or code that works once.
type Link struct {
	To, Name string
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
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsGraphic(r) }) {
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
	return Message{To: to, Subject: subject, Text: text + ",\n\n" + strings.Join(lines, "\n\n") + "\n\nHearthline, the desk for home equity lines\n"}
}

func (l Link) instructions() string {
	return l.Address + "\n\nIt works once, for " + l.ValidFor + ". Should it not open, paste this code there:\n\n" + l.Code
}

const notYouText = "If you did not ask for it, do nothing: without this mail nobody comes in."

// Activation is for an originator in the lender's directory who sets up their account.
func Activation(l Link) Message {
	return newMessage(l.To, l.Name, "Your first visit to Hearthline",
		"the lender's directory knows you as an originator. Open this link to set up how you sign in:", l.instructions(), notYouText)
}

// Invitation is for a user who was invited by a colleague.
func Invitation(l Link, by string) Message {
	by = OneLine(by)
	return newMessage(l.To, l.Name, by+" invites you to Hearthline",
		by+" has invited you to the desk. Open this link to set up how you sign in:", l.instructions())
}

// PasswordReset is for a user who chooses another password.
func PasswordReset(l Link) Message {
	return newMessage(l.To, l.Name, "Another password for Hearthline",
		"open this link to choose another password. Your second factor stays as it is:", l.instructions(), notYouText)
}

// AccountReset is for a user who sets up their sign-in again.
func AccountReset(l Link) Message {
	return newMessage(l.To, l.Name, "Set up anew how you sign in to Hearthline",
		"your administrator has reset your account. Open this link and set up anew how you sign in. Everything you signed in with before is worthless then, if it is not already:", l.instructions())
}

// EmailChange is for a user who changes the email address of their account.
func EmailChange(l Link) Message {
	return newMessage(l.To, l.Name, "Confirm your address at Hearthline",
		"your administrator has entered this address for your account. Open this link, and sign in as you always do; from then on you sign in with this address:", l.instructions(),
		"If you have no account at Hearthline, do nothing: this link opens nothing by itself.")
}

// AlreadyRegistered answers somebody who asks for activation but already has an account.
func AlreadyRegistered(to, name, login string) Message {
	return newMessage(to, name, "You have an account at Hearthline",
		"somebody, probably you, asked for a first visit. You have an account already. Sign in, or choose another password there:", login, notYouText)
}

// SignInChanged reports a change of how a user signs in.
func SignInChanged(to, name, what string, at time.Time) Message {
	return newMessage(to, name, "Your sign-in to Hearthline was changed",
		OneLine(what)+", on "+at.UTC().Format("January 2, 2006 at 15:04 UTC")+".",
		"If that was not you, tell your administrator at once: they can close your account and reset it.")
}

// SignInAttempt is an unusual sign-in, or an unusual attempt at one.
type SignInAttempt struct {
	To, Name         string
	What             string // a sentence without its period
	Browser, Network string
	At               time.Time
	AccountURL       string // URL of the page that shows it
}

// UnusualSignIn reports an attempt.
func UnusualSignIn(a SignInAttempt) Message {
	return newMessage(a.To, a.Name, "A sign-in to Hearthline that is not as usual",
		a.What+", on "+a.At.UTC().Format("January 2, 2006 at 15:04 UTC")+".",
		"Browser: "+a.Browser+"\nNetwork: "+a.Network,
		"If that was you, there is nothing to do. If not, change your password at once, sign out everywhere else and tell your administrator:",
		a.AccountURL,
		"We write of this at most once a day. The page shows everything.")
}
