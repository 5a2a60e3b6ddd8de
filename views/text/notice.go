package text

import (
	"cmp"
	"strconv"
	"strings"
)

// NoticeWords is the text of a notification: what happened, and what it asks the user to do.
type NoticeWords struct {
	Icon  string
	Title string
	Text  string
}

// notices are the texts by kind; {about} is replaced by the detail.
var notices = map[string]NoticeWords{
	"condition":     {"file-text", "New condition", "See what the lender needs."},
	"wire":          {"octagon-alert", "Wire", "The transfer didn’t complete. Contact the lender."},
	"taken":         {"users", "Lead assigned to you", ""},
	"returned":      {"undo-2", "Lead returned to you", ""},
	"gone":          {"users", "Lead no longer assigned to you", ""},
	"taken-many":    {"users", "Lead assigned to you", ""},
	"returned-many": {"undo-2", "Lead returned to you", ""},
	"gone-many":     {"users", "Lead reassigned", ""},
	"waits": {"users", "Unassigned lead",
		"Its originator is no longer available. Assign it to another originator."},
	"repull":       {"clock", "The scheduled credit re-pull is done", ""},
	"not-asked":    {"clock-alert", "A scheduled credit re-pull didn’t complete", ""},
	"funded":       {"circle-check", "Funded", "The lender reports that the funds were sent."},
	"ended":        {"circle-x", "Ended at the lender", ""},
	"corrected":    {"triangle-alert", "Corrected: the lender’s records show it", ""},
	"share-opened": {"link", "Your shared quote was opened", "For the first time. The link doesn’t show who opened it."},
	"draft": {"pencil", "A draft was transferred to you",
		"Review it and get the borrower’s consent before you send it."},
	"directory": {"users", "Lender directory change to review",
		"No leads or accounts change until an administrator applies it."},
	"left":  {"users", "A colleague’s leads or drafts need reassigning", "Reassign their leads and drafts."},
	"nudge": {"bell", "You were asked to follow up", ""},
	"deputy": {"calendar", "You were asked to cover for a colleague",
		"Absent: {about}. You can see and work on their leads on those days."},
	"absence":     {"calendar", "Your absence was entered", "Covered by {about}."},
	"cover-ended": {"calendar", "Coverage ended", ""},
	"uncovered":   {"clock-alert", "Your absence isn’t covered", ""},

	"absence-changed": {"calendar", "Your absence was changed", "Covered by {about}."},
	"absence-ended":   {"calendar", "Your absence was ended", "It was planned for {about}."},
	"absence-deleted": {"calendar", "Your absence was deleted", "It was planned for {about}."},

	"limit": {"clock-alert", "Your company reached an hourly limit", ""},
	"return": {"users", "A lead didn’t go back automatically",
		"See why, and choose who keeps each lead."},
	"rules-paused": {"clock-alert", "Assignment rules paused",
		"The manager in whose name they assigned leads no longer has a role that can assign the company’s leads."},
	"request":           {"users", "", ""},
	"request-own":       {"users", " for your account", ""},
	"request-colleague": {"users", "", "They see your company’s leads once their account is active."},
	"crm-changed": {"key-round", "CRM sign-in changed",
		"How it identifies its users was changed. They were signed out, and their accounts were disconnected."},
	"crm-disconnected": {"key-round", "Your CRM sign-in was disconnected",
		"How the CRM identifies its users was changed. Connect your account again when you open Hearthline there."},
	"crm-events": {"send", "Events weren’t delivered to a CRM",
		"They were tried for about three days. You can send them again."},
	"covered":      {"users", "Lead assigned to a colleague you’re covering for", ""},
	"covered-many": {"users", "Lead assigned to a colleague you’re covering for", ""},

	"offers":  {"badge-check", "Offers ready", "Compare the offers and select one."},
	"blocked": {"octagon-alert", "", "The lender needs this from you."},
	"unconfirmed": {"clock-alert", "Sent, not confirmed",
		"The lender hadn’t confirmed it then. The lead shows the outcome."},
	"signed-in":        {"circle-check", "Borrower signed in", ""},
	"documents-signed": {"circle-check", "Documents signed", ""},
	"dates":            {"calendar", "Closing dates changed", ""},
	"follow-up":        {"bell", "Follow-up due", ""},
	"expiring":         {"clock-alert", "Expires soon", ""},
}

// expiring says what ends within three days.
var expiring = map[string]string{"inquiry": "The inquiry expires within three days.",
	"lift": "The lift of the borrower’s credit freeze ends within three days.",
	"link": "The link to a shared quote expires within three days."}

var closingDates = map[string]string{"notary": "notary appointment", "signing": "signing",
	"rescission": "end of rescission"}

// manyNotices are the titles of notifications about several leads or conditions, after their number.
var manyNotices = map[string]string{
	"condition": " new conditions", "taken-many": " leads assigned to you", "gone-many": " leads reassigned",
	"returned-many": " leads returned to you", "return": " leads didn’t go back automatically",
	"covered-many": " leads assigned to a colleague you’re covering for",
}

// Notice returns the text for a kind of notification. About is the detail that the kind needs: a transfer's
// status, a status key, or why something was not done.
func Notice(kind, about string, n int) NoticeWords {
	w, known := notices[kind]
	if !known {
		return NoticeWords{"bell", Name(kind), ""}
	}
	if many := manyNotices[kind]; n > 1 && many != "" {
		w.Title = strconv.Itoa(n) + many
	}
	w.Text = strings.ReplaceAll(w.Text, "{about}", about)
	switch kind {
	case "request", "request-own":
		asked, state, _ := strings.Cut(about, " ")
		w.Title = requestStates[state] + w.Title + ": " + RequestKind(asked)
		switch w.Text = "Nothing has changed."; state {
		case "waiting":
			w.Text = "Nothing has changed yet."
		case "approved":
			w.Text = "It takes effect now."
		}
	case "request-colleague":
		w.Title = "New " + strings.ToLower(Role(about)) + " approved for your company"
	case "rules-paused":
		switch about {
		case "account":
			w.Text = "The manager in whose name they assigned leads no longer has an active account."
		case "company":
			w.Text = "The manager in whose name they assigned leads is no longer at your company."
		}
	case "limit":
		what := "Lists and reports were exported "
		if about == "reveals" {
			what = "Borrower details were viewed "
		}
		w.Text = what + strconv.Itoa(n) + " times within an hour by your company’s users. " +
			"More is refused until some of that is an hour ago. To change the limit, ask an administrator."
	case "gone":
		if about != "" {
			w.Title = "Lead reassigned to " + about
		}
	case "wire":
		w.Title = FailedTransfer(about)
	case "repull":
		w.Text = "Current step: " + StatusOf(about, "").Chip + "."
	case "corrected":
		w.Title = "Corrected: the lender’s records show " + OperationOf(about).Noun
		w.Text = "We said before that it wasn’t received or accepted. Don’t send it again."
	case "ended":
		w.Title = StatusOf(about, "").Chip
		w.Text = endedNotices[about]
	case "nudge":
		w.Text = "Step: " + StatusOf(about, "").Chip + "."
		if n > 1 {
			w.Text = "Step: " + StatusOf(about, "").Chip + ", for " + strconv.Itoa(n) + " days."
		}
	case "cover-ended":
		who, days, _ := strings.Cut(about, ", ")
		w.Text = "You’re no longer covering for " + who + ". It was planned for " + days + "."
	case "uncovered":
		who, days, _ := strings.Cut(about, ", ")
		w.Text = who + " can no longer cover for you, " + days + ". Choose someone else to cover."
	case "blocked":
		status := StatusOf(about, "")
		w.Icon, w.Title = status.Icon, status.Chip
		if about == "no-offers" {
			w.Text = "The lender made no offers."
		}
	case "unconfirmed":
		w.Title += ": " + strings.TrimPrefix(OperationOf(about).Noun, "the ")
	case "dates":
		var names []string
		for _, d := range strings.Fields(about) {
			names = append(names, lookup(closingDates, d))
		}
		w.Text = "Changed by the lender: " + strings.Join(names, ", ") + "."
	case "expiring":
		w.Text = expiring[about]
	case "not-asked":
		w.Text = RepullSkipped(about)
		if about == "refused" || about == "unknown" {
			w.Title = "A scheduled credit re-pull was sent"
		}
	}
	return w
}

var requestKinds = map[string]string{"invite": "invite a user", "role": "give a role with more access",
	"reset": "reset a sign-in", "reopen": "reopen an administrator’s account", "link": "link single sign-on",
	"sso-values": "count single sign-on as two factors", "crm-sign-in": "count a CRM’s sign-in as a second factor"}

// RequestKind names what a request asks for.
func RequestKind(kind string) string { return lookup(requestKinds, kind) }

var requestStates = map[string]string{"waiting": "Requested", "approved": "Approved", "declined": "Declined",
	"withdrawn": "Withdrawn"}

// endedNotices say what the status does not, by status. The notice doesn’t know whether the lead was still an inquiry.
var endedNotices = map[string]string{"cancelled": "It was canceled outside Hearthline."}

var failedTransfers = map[string]string{"RETURNED": "returned", "REJECTED": "rejected", "EXCEPTION": "on hold"}

// FailedTransfer describes a transfer that failed, such as "Wire returned". About is its status, and its rail
// unless it is a wire; "-" is an unknown one.
func FailedTransfer(about string) string {
	status, rail, other := strings.Cut(about, " ")
	what := "Wire"
	switch {
	case rail == "-":
		what = "Transfer"
	case other:
		what = Rail(rail) + " transfer"
	}
	return what + " " + cmp.Or(failedTransfers[status], strings.ToLower(Funding(status)))
}

var mismatches = map[string]string{
	"malformed":   "the lender sent an invalid ID",
	"unknown":     "not in the lender’s directory",
	"unreachable": "not confirmed in the lender’s directory",
}

// Mismatch returns why the originator that the lender names for a lead was not found.
func Mismatch(reason string) string { return lookup(mismatches, reason) }
