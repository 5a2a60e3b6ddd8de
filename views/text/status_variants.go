package text

import "strings"

// Pending is the text of a lead for which the lender has not yet answered an operation, instead of that of a new
// inquiry. ok is false for a new inquiry.
func Pending(operation string) (s Status, ok bool) {
	s = statuses["in-progress"]
	switch operation {
	case "start", "":
		return s, false
	case "select-offer":
		s.Title, s.Next = "The lender is processing the selection",
			"The borrower signs in with the lender. This page updates automatically."
	case "cancel":
		s.Title, s.Next, s.script = "The lender is processing the cancellation",
			"The lender closes the inquiry. This page updates automatically.", ""
	case "repull-credit":
		s.Title = "The lender is processing the credit re-pull"
	default:
		s.Title = "The lender is reviewing " + OperationOf(operation).Noun
	}
	s.Happened = OperationOf(operation).Done + "."
	return s, true
}

// SaidOf returns what is said to the borrower about a lead that ended as an application: it names the application
// where the script names the inquiry.
func SaidOf(script string, application bool) string {
	if !application {
		return script
	}
	return strings.NewReplacer("Your inquiry", "Your application", "Su solicitud de información", "Su solicitud").
		Replace(script)
}

// EndOfApplication is what happened to an application, which is no longer an inquiry, at its end; "" for other
// statuses.
func EndOfApplication(status string) string {
	return map[string]string{
		"cancelled": "The application was canceled.", "declined": "The lender declined the application.",
		"expired": "The application expired.", "withdrawn": "The application was withdrawn and is no longer active.",
	}[status]
}

// LenderHasNoOffers is what happened to a lead without offers, where its title says something else.
const LenderHasNoOffers = "The lender has no offers for this information."

// scheduledRepull is the key of the Spanish script while a re-pull waits for its time.
const scheduledRepull = "repull-scheduled"

// WithScheduledRepull returns the texts of a status while a re-pull waits for its time. Nobody knows yet whether the
// borrower has lifted the freeze.
func (s Status) WithScheduledRepull() Status {
	s.Next = "At the scheduled time, we re-pull credit if the lender still needs it."
	s.script = "Please keep the freeze lifted until I’ve requested your report again. " +
		"It’s a soft inquiry and won’t affect your credit score."
	s.Key = scheduledRepull
	return s
}

// NextWithOpenConditions is what happens next while the borrower has to clear conditions, whatever the phase.
const NextWithOpenConditions = "After the open conditions are satisfied, the lender continues."
