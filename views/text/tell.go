package text

import (
	"strconv"
	"time"
)

// TellEventWords is an event that a user can be told about, as the account page names it.
type TellEventWords struct{ Title, Text string }

var tellEvents = map[string]TellEventWords{
	"offers":     {"Offers ready", "Offers came in for a lead"},
	"blocked":    {"Blocked", "The lender needs something from you"},
	"unknown":    {"Submission not confirmed", "Sent, but the lender hasn’t confirmed it"},
	"reassigned": {"Reassigned or returned to you", "Someone gave you a lead or draft"},
	"expiring":   {"Expires soon", "An inquiry, a lift or a link runs out in 3 days"},
	"condition":  {"Condition opened", "The lender needs a document before closing"},
	"followup":   {"Follow-up due", "A follow-up you set, or your manager’s request"},
	"opened":     {"Shared quote opened", "Your link was opened for the first time"},
	"signedin":   {"Borrower signed in", ""},
	"signed":     {"Documents signed", ""},
	"dates":      {"Closing dates changed", "Notary, signing or rescission"},
	"funded":     {"Funded", ""},
	"ended":      {"Ended", "Canceled, withdrawn, declined or expired"},
}

// TellEvent returns the words for an event.
func TellEvent(event string) TellEventWords {
	if words, known := tellEvents[event]; known {
		return words
	}
	return TellEventWords{Title: Name(event)}
}

// TellWhens are the choices of when a user is told, with their labels.
func TellWhens() [][2]string {
	return [][2]string{{"now", "At once"}, {"hour", "Hourly"}, {"day", "Daily"}, {"never", "Never"}}
}

// MinuteOfDay formats minutes after midnight: "7:30 AM".
func MinuteOfDay(minute int) string {
	return time.Date(2000, 1, 1, 0, minute, 0, 0, time.UTC).Format("3:04 PM")
}

// MinutesOfDay lists times of day from one minute to another, with their labels.
func MinutesOfDay(from, to, step int) (pairs [][2]string) {
	for minute := from; minute <= to; minute += step {
		pairs = append(pairs, [2]string{strconv.Itoa(minute), MinuteOfDay(minute)})
	}
	return pairs
}
