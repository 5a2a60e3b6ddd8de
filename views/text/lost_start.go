package text

import (
	"strconv"

	"hearthline/internal/lead"
)

// LostStart is a start whose outcome is unknown: what is known about it, and what the user can do.
type LostStart struct {
	Borrower string // empty once the form has been deleted
	SentAt   string // within a sentence, "today 3:10 PM"
	SentBy   string // the sender; empty if it is the reader
	Status   int    // HTTP status of the lender's answer; 0 if none arrived
	// Reported reports whether a notification from the lender can show that it received the start. Otherwise nothing
	// ever shows it without the user.
	Reported bool
}

// Verdict returns the text for the outcome.
func (s LostStart) Verdict() Verdict {
	v := VerdictOf("unknown")
	sent := ""
	if s.SentBy != "" {
		sent = "Sent by " + s.SentBy + "."
	}
	v.Text = JoinNonEmpty(" ", "Don’t start it again.", sent, s.Answer(), s.call(), afterCall, reported("it", s.Reported))
	return v
}

// Answer is what is known of the lender's answer, as a sentence.
func (s LostStart) Answer() string {
	switch {
	case s.Status == 0:
		return "No answer from the lender arrived."
	case s.Status >= 200 && s.Status < 300:
		return "The lender answered " + strconv.Itoa(s.Status) + ", but we couldn’t read an application ID in it."
	default:
		return "The lender answered " + strconv.Itoa(s.Status) + "."
	}
}

// call says what to tell the lender on the phone.
func (s LostStart) call() string {
	if s.Borrower == "" {
		return "Call the lender with the time it was sent: " + s.SentAt + "."
	}
	return "Call the lender with the borrower’s name and the time it was sent: " + s.Borrower + ", " + s.SentAt + "."
}

// afterCall says what to do with the lender's answer on the phone.
const afterCall = "Then enter the application ID or, if the lender didn’t receive it, mark it as not received."

// LostStartHint says on the form of an inquiry what to do before it is sent again.
const LostStartHint = "Before you send another one, call the lender with the borrower’s name and the time it was " +
	"sent. Then open its receipt and enter the application ID or, if the lender didn’t receive it, mark it as not " +
	"received."

// reported is what can be expected of the lender's notifications: nothing, unless one can show the start.
func reported(it string, can bool) string {
	if !can {
		return ""
	}
	return "If the lender sends us a notification about " + it + ", it appears here."
}

// LostStarts is the title and the text of a notice about n lost starts, or about more than that.
func LostStarts(n int, more, canBeReported bool) (title, text string) {
	count := strconv.Itoa(n)
	if more {
		count += " or more"
	}
	return count + " inquiries: " + LowerFirst(SentNotConfirmed) + ".",
		JoinNonEmpty(" ", "Don’t start them again. Call the lender about each one, with the borrower’s name and the time it "+
			"was sent. Then open its receipt and enter the application ID or, if the lender didn’t receive it, mark it as "+
			"not received.", reported("one", canBeReported))
}

// AdoptedStart returns the text for a start that a user confirmed with the application ID.
func AdoptedStart() Verdict {
	v := OutcomeOf("start", "confirmed", "")
	v.Title = "Inquiry confirmed by its application ID."
	v.Text = "The lender’s records show this borrower and property under the ID that a user entered."
	return v
}

// ClaimOf describes what a single response from the lender would remove from a lead.
func ClaimOf(c lead.Claim) string {
	switch {
	case c.Originator != "":
		return "The lender says that another originator has this lead."
	case c.Ended || c.Step.Ended():
		return "The lender says that this inquiry has ended."
	case c.Step == "" && c.Reversed:
		return "The lender says that this inquiry is no longer converted or funded."
	case c.Step == "":
		return "The lender’s last response shows less of this lead than before."
	case c.Step.InProgress():
		return "The lender says that it’s processing this inquiry again."
	default:
		return "The lender says that this inquiry is at another step: " + StepName(c.Step) + "."
	}
}
