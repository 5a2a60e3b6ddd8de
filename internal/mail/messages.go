package mail

import (
	"fmt"
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

// Cover is what a covering originator is told about an absence. It names colleagues, and no borrower and no lead.
type Cover struct {
	To, Name    string
	Absent      string // who is absent
	By          string // who entered, changed or ended it; empty when an account was disabled or moved
	Days        string // on which the recipient covers, or no longer does
	FormerDays  string // before a change; empty for no change
	AbsencesURL string
}

// CoverAsked asks the recipient to cover, or says on which days now.
func CoverAsked(c Cover) Message {
	absent, by := OneLine(c.Absent), OneLine(c.By)
	subject, whom := "You were asked to cover for "+absent, absent
	if by == absent {
		whom = "them"
	}
	first := by + " asked you to cover for " + whom + ", " + c.Days + "."
	if c.FormerDays != "" {
		subject = "The days you cover for " + absent + " were changed"
		first = by + " changed the days on which you cover for " + whom + ": " + c.Days + " instead of " + c.FormerDays + "."
	}
	return newMessage(c.To, c.Name, subject, first, "You can see and work on their leads on those days.",
		"See the absences:\n"+c.AbsencesURL)
}

// CoverEnded says that the recipient no longer covers.
func CoverEnded(c Cover) Message {
	absent, by, planned := OneLine(c.Absent), OneLine(c.By), ", which was planned for "+c.Days
	first := by + " ended your coverage for " + absent + planned + "."
	switch by {
	case "":
		first = "Your coverage for " + absent + planned + ", has ended."
	case absent:
		first = by + " ended your coverage for them" + planned + "."
	}
	return newMessage(c.To, c.Name, "You no longer cover for "+absent, first, "See the absences:\n"+c.AbsencesURL)
}

// Request is a notice of a change that requires two people. It names colleagues, but has no reason and no link that
// decides anything.
type Request struct {
	To, Name string
	What     string // such as "Make Olivia Bennett a manager"
	By       string // who requested, decided or withdrew it
	State    string // waiting, approved, declined or withdrawn
	Until    time.Time
	Page     string // where administrators see it; "" for other recipients
}

// RequestNews tells an administrator, or a user whom it affects, about a request or its decision.
func RequestNews(r Request) Message {
	by, what := OneLine(r.By), OneLine(r.What)
	subject, first := "Approval requested: "+what, by+" requested: "+what+"."
	more := "Nothing has changed yet. The change takes effect only if a second person approves it by " +
		r.Until.Format(timeLayout) + "."
	switch r.State {
	case "approved":
		subject, first, more = "Approved: "+what, by+" approved: "+what+".", "It takes effect now."
	case "declined":
		subject, first, more = "Declined: "+what, by+" declined: "+what+".", "Nothing has changed."
	case "withdrawn":
		subject, first, more = "Withdrawn: "+what, by+" withdrew: "+what+".", "Nothing has changed."
	}
	lines := []string{first, more, "If you didn’t expect this, tell an administrator right away."}
	if r.Page != "" {
		lines = []string{first, more, "If you didn’t expect this, tell the other administrators right away.",
			"See the requests:\n" + r.Page}
	}
	return newMessage(r.To, r.Name, subject, lines...)
}

// MonthlyFigures are a company's figures for one month, for a manager: only counts. They name no borrower and no lead.
type MonthlyFigures struct {
	To, Name, Company                                 string
	Month                                             time.Time
	AsOf                                              time.Time // in the company's time zone
	Inquiries, Offers, Selected, Applications, Funded int
	Open                                              int
	Declined, Withdrawn, Canceled, Expired            int // applications
	ReportsURL, AccountURL                            string
}

// MonthlyReport is the summary of a month.
func MonthlyReport(m MonthlyFigures) Message {
	month := m.Month.Format("January 2006")
	about := "Inquiries that started in " + month
	if company := OneLine(m.Company); company != "" {
		about += " at " + company
	}
	lines := []string{
		about + ", as of " + m.AsOf.Format(timeLayout) + ":",
		fmt.Sprintf("Inquiries started: %d\nOffers ready: %d\nOffer selected: %d\nApplications: %d\nFunded: %d\n"+
			"Still open: %d",
			m.Inquiries, m.Offers, m.Selected, m.Applications, m.Funded, m.Open),
		"Applications that ended without funding:",
		fmt.Sprintf("Declined: %d\nWithdrawn: %d\nCanceled: %d\nExpired: %d", m.Declined, m.Withdrawn, m.Canceled, m.Expired),
	}
	if m.Applications > 0 {
		percent := (200*m.Funded + m.Applications) / (2 * m.Applications)
		noun := "applications"
		if m.Applications == 1 {
			noun = "application"
		}
		lines = append(lines, fmt.Sprintf("Pull-through: %d%% (%d of %d %s funded). "+
			"Open leads can still change these figures.",
			percent, m.Funded, m.Applications, noun))
	}
	return newMessage(m.To, m.Name, "Hearthline summary for "+month, append(lines,
		"See the reports:\n"+m.ReportsURL,
		"You asked for this summary once a month. To stop it, go to your account:\n"+m.AccountURL)...)
}
