package words

import (
	"strconv"
	"strings"
)

// NoticeWords is the text of a notification: what happened, and what it asks the user to do.
type NoticeWords struct {
	Icon  string
	Title string
	Text  string
}

var notices = map[string]NoticeWords{
	"condition": {"file-text", "New condition", "See what the lender asks for, and who has to bring it."},
	"wire":      {"octagon-alert", "Wire", "The money has not arrived. Look at the transfer, and call the lender."},
	"taken":     {"users", "This lead is yours now", "Read the brief, and look at where it stands."},
	"gone":      {"users", "Another originator has this lead now", "You no longer see it, unless you are its manager."},
	"waits":     {"users", "A lead waits for an originator", "Its originator has left the company. Choose who takes it."},
	"repull":    {"clock", "The planned credit re-pull was answered", ""},
	"not-asked": {"clock-alert", "A planned credit re-pull was not asked for", ""},
	"funded":    {"circle-check", "Money sent", "The lender reports the transfer as sent."},
	"ended":     {"circle-x", "Ended at the lender", ""},
	"draft":     {"pencil", "A draft was handed to you", "Read it over and take the borrower’s consent: you send it in your name."},
	"directory": {"users", "A change of the lender’s directory needs your decision", "Nobody’s leads or account change until an administrator applies it."},
	"left":      {"users", "Somebody has gone, and their work waits", "Choose who takes their leads and drafts."},
}

// Notice returns the text for a kind of notification. About is the detail that the kind needs: a transfer's
// status, a status key, or why something was not done.
func Notice(kind, about string, n int) NoticeWords {
	w, known := notices[kind]
	if !known {
		return NoticeWords{"bell", Name(kind), ""}
	}
	switch kind {
	case "condition":
		if n > 1 {
			w.Title = strconv.Itoa(n) + " new conditions"
		}
	case "wire":
		w.Title = FailedTransfer(about)
	case "repull":
		w.Text = "It stands at: " + StatusOf(about, "").Chip + "."
	case "ended":
		w.Title = StatusOf(about, "").Chip
		w.Text = "The lender ended it."
	case "not-asked":
		w.Text = RepullSkipped(about)
		if about == "refused" || about == "unknown" {
			w.Title = "A planned credit re-pull was asked for"
		}
	}
	return w
}

var failedTransfers = map[string]string{"RETURNED": "returned", "REJECTED": "rejected", "EXCEPTION": "held up"}

// FailedTransfer describes a transfer that failed, such as "Wire returned". About is its status, and its rail
// unless it is a wire.
func FailedTransfer(about string) string {
	status, rail, other := strings.Cut(about, " ")
	what := "Wire"
	if other {
		what = Rail(rail) + " transfer"
	}
	how, known := failedTransfers[status]
	if !known {
		how = strings.ToLower(Funding(status))
	}
	return what + " " + how
}

var mismatches = map[string]string{
	"malformed":   "what the lender sent is not an ID",
	"unknown":     "not in the lender’s directory",
	"unreachable": "not confirmed in the lender’s directory",
}

// Mismatch returns why the originator that the lender names for a lead was not found.
func Mismatch(reason string) string {
	if text, known := mismatches[reason]; known {
		return text
	}
	return Name(reason)
}
