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
	For      string // how long it works, in words
}

// mostOfALine bounds a name or another free word that stands in a mail, in characters.
const mostOfALine = 200

// Line is a text as one line of a mail: whatever breaks, hides or turns what is read is a
// space, and there is an end to it. Names come from colleagues and from the lender.
func Line(text string) string {
	var out strings.Builder
	n := 0
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsGraphic(r) }) {
		if out.Len() > 0 {
			out.WriteByte(' ')
		}
		for _, r := range word {
			if n++; n > mostOfALine {
				return out.String()
			}
			out.WriteRune(r)
		}
	}
	return out.String()
}

func letter(to, name, subject string, lines ...string) Message {
	text := "Hello"
	if name = Line(name); name != "" {
		text += " " + name
	}
	return Message{To: to, Subject: subject, Text: text + ",\n\n" + strings.Join(lines, "\n\n") + "\n\nHearthline, the desk for home equity lines\n"}
}

func (l Link) open() string {
	return l.Address + "\n\nIt works once, for " + l.For + ". Should it not open, paste this code there:\n\n" + l.Code
}

const notYou = "If you did not ask for it, do nothing: without this mail nobody comes in."

// Activation lets an originator of the lender's directory set up their account.
func Activation(l Link) Message {
	return letter(l.To, l.Name, "Your first visit to Hearthline",
		"the lender's directory knows you as an originator. Open this link to set up how you sign in:", l.open(), notYou)
}

// Invitation lets somebody in whom a colleague has named.
func Invitation(l Link, by string) Message {
	by = Line(by)
	return letter(l.To, l.Name, by+" invites you to Hearthline",
		by+" has invited you to the desk. Open this link to set up how you sign in:", l.open())
}

// Reset lets a person choose another password.
func Reset(l Link) Message {
	return letter(l.To, l.Name, "Another password for Hearthline",
		"open this link to choose another password. Your second factor stays as it is:", l.open(), notYou)
}

// Renewal lets a person set up anew how they sign in.
func Renewal(l Link) Message {
	return letter(l.To, l.Name, "Set up anew how you sign in to Hearthline",
		"your administrator has reset your account. Open this link and set up anew how you sign in. Everything you signed in with before is worthless then, if it is not already:", l.open())
}

// Address lets a person take another address for their account.
func Address(l Link) Message {
	return letter(l.To, l.Name, "Confirm your address at Hearthline",
		"your administrator has entered this address for your account. Open this link, and sign in as you always do; from then on you sign in with this address:", l.open(),
		"If you have no account at Hearthline, do nothing: this link opens nothing by itself.")
}

// Known answers who asks for a first visit and has an account.
func Known(to, name, login string) Message {
	return letter(to, name, "You have an account at Hearthline",
		"somebody, probably you, asked for a first visit. You have an account already. Sign in, or choose another password there:", login, notYou)
}

// Changed tells of a change of how a person signs in.
func Changed(to, name, what string, at time.Time) Message {
	return letter(to, name, "Your sign-in to Hearthline was changed",
		Line(what)+", on "+at.UTC().Format("January 2, 2006 at 15:04 UTC")+".",
		"If that was not you, tell your administrator at once: they can close your account and reset it.")
}

// Attempt is a log-in, or a try at one, that is not as usual.
type Attempt struct {
	To, Name         string
	What             string // a sentence without its end
	Browser, Network string
	At               time.Time
	Account          string // address of the page that shows it
}

// Unusual tells of an attempt.
func Unusual(a Attempt) Message {
	return letter(a.To, a.Name, "A sign-in to Hearthline that is not as usual",
		a.What+", on "+a.At.UTC().Format("January 2, 2006 at 15:04 UTC")+".",
		"Browser: "+a.Browser+"\nNetwork: "+a.Network,
		"If that was you, there is nothing to do. If not, change your password at once, sign out everywhere else and tell your administrator:",
		a.Account,
		"We write of this at most once a day. The page shows everything.")
}
