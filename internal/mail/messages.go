package mail

import (
	"strings"
	"time"
	"unicode"
)

// Link is a way in that works once.
type Link struct {
	To, Name string
	Address  string // with the token behind a #, which no server and no log ever sees
	Code     string // the same token, to be pasted where the link does not open
	ValidFor string // how long it works, in words
}

// maxLineLen bounds a name or another free word that stands in a mail, in characters.
const maxLineLen = 200

// OneLine is a text as one line of a mail: whatever breaks, hides or turns what is read is a
// space, and there is an end to it. Names come from colleagues and from the lender.
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

// Activation lets an originator of the lender's directory set up their account.
func Activation(l Link) Message {
	return newMessage(l.To, l.Name, "Your first visit to Hearthline",
		"the lender's directory knows you as an originator. Open this link to set up how you sign in:", l.instructions(), notYouText)
}

// Invitation lets somebody in whom a colleague has named.
func Invitation(l Link, by string) Message {
	by = OneLine(by)
	return newMessage(l.To, l.Name, by+" invites you to Hearthline",
		by+" has invited you to the desk. Open this link to set up how you sign in:", l.instructions())
}

// PasswordReset lets a person choose another password.
func PasswordReset(l Link) Message {
	return newMessage(l.To, l.Name, "Another password for Hearthline",
		"open this link to choose another password. Your second factor stays as it is:", l.instructions(), notYouText)
}

// AccountReset lets a person set up anew how they sign in.
func AccountReset(l Link) Message {
	return newMessage(l.To, l.Name, "Set up anew how you sign in to Hearthline",
		"your administrator has reset your account. Open this link and set up anew how you sign in. Everything you signed in with before is worthless then, if it is not already:", l.instructions())
}

// EmailChange lets a person take another address for their account.
func EmailChange(l Link) Message {
	return newMessage(l.To, l.Name, "Confirm your address at Hearthline",
		"your administrator has entered this address for your account. Open this link, and sign in as you always do; from then on you sign in with this address:", l.instructions(),
		"If you have no account at Hearthline, do nothing: this link opens nothing by itself.")
}

// AlreadyRegistered answers who asks for a first visit and has an account.
func AlreadyRegistered(to, name, login string) Message {
	return newMessage(to, name, "You have an account at Hearthline",
		"somebody, probably you, asked for a first visit. You have an account already. Sign in, or choose another password there:", login, notYouText)
}

// SignInChanged tells of a change of how a person signs in.
func SignInChanged(to, name, what string, at time.Time) Message {
	return newMessage(to, name, "Your sign-in to Hearthline was changed",
		OneLine(what)+", on "+at.UTC().Format("January 2, 2006 at 15:04 UTC")+".",
		"If that was not you, tell your administrator at once: they can close your account and reset it.")
}

// SignInAttempt is a log-in, or a try at one, that is not as usual.
type SignInAttempt struct {
	To, Name         string
	What             string // a sentence without its end
	Browser, Network string
	At               time.Time
	AccountURL       string // address of the page that shows it
}

// UnusualSignIn tells of an attempt.
func UnusualSignIn(a SignInAttempt) Message {
	return newMessage(a.To, a.Name, "A sign-in to Hearthline that is not as usual",
		a.What+", on "+a.At.UTC().Format("January 2, 2006 at 15:04 UTC")+".",
		"Browser: "+a.Browser+"\nNetwork: "+a.Network,
		"If that was you, there is nothing to do. If not, change your password at once, sign out everywhere else and tell your administrator:",
		a.AccountURL,
		"We write of this at most once a day. The page shows everything.")
}
