package text

import (
	"cmp"
	"regexp"
	"strings"
)

var auditOutcomes = map[string]string{
	"done": "Done", "accepted": "Accepted", "allowed": "Allowed", "opened": "Shown", "refused": "Denied",
	"begun": "Started", "planned": "Scheduled", "dropped": "Canceled",
	"sent": "Sent", "succeeded": "Accepted by the lender", "rejected": "Not accepted by the lender",
	"not_sent": "Not sent", "unknown": "Not confirmed", "confirmed": "Received by the lender",
	"absent": "Not received by the lender", "abandoned": "Marked as not received",
	"waiting": "Scheduled", "trying": "Trying", "missed": "Not requested",
	"created": "Created", "ended": "Ended", "failed": "Failed, nothing was shown", "broken off": "Not completed",
}

// AuditOutcome returns the text of an audit row's outcome.
func AuditOutcome(outcome string) string { return lookup(auditOutcomes, outcome) }

var signInProofs = map[string]string{
	"password": "Password", "totp": "Authenticator app", "recovery": "Recovery code", "passkey": "Passkey",
	"sso": "Single sign-on", "sso-mfa": "Single sign-on with a second factor", "launch": "Sign-in to the CRM",
	"launch-attested": "Sign-in to the CRM with a second factor", "launch-confirmed": "Confirmed in a separate window",
}

// routeNames names the routes whose own names only the source knows.
var routeNames = map[string]string{
	"set-aside": "close without offers, or reopen", "take-off": "unlink from CRM record", "clone": "copy to a new inquiry",
	"loan file": "export a loan file",
	"nudge":     "request a follow-up", "abandon": "mark as not received",
	"notifications read": "mark notifications as read",
}

// RouteName returns what a route is for, given its name.
func RouteName(name string) string {
	route, framed := strings.CutSuffix(name, inFrame)
	if text, ok := routeNames[route]; ok {
		route = text
	}
	if framed {
		route += inFrame
	}
	return route
}

// inFrame is how the names of routes end that are shown inside a CRM.
const inFrame = ", in a frame"

// auditDetails has the text of details that are codes.
var auditDetails = map[string]string{"set aside": "Closed", "taken back": "Reopened", "ended": "Ended"}

// technicalID matches what only support can read: UUIDs, the portal's own ids and digests.
var technicalID = regexp.MustCompile(`(?i)[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-hjkmnp-tv-z]{24,}|[A-Za-z0-9_-]{40,}`)

// IsTechnicalID reports whether a text contains an id that belongs in the technical details of a page.
func IsTechnicalID(text string) bool { return technicalID.MatchString(text) }

// AuditDetail returns what an audit row's detail says to people; it is empty for ids and for details of the portal's
// own, which the technical details show.
func AuditDetail(detail string) string {
	if own, _, covering := strings.Cut(detail, "covering-for:"); covering {
		return strings.TrimPrefix(AuditDetail(strings.TrimSpace(own))+", covering for a colleague", ", ")
	}
	if text, ok := auditDetails[detail]; ok {
		return text
	}
	// A denied route can be followed by the ID that was asked for.
	route := strings.TrimSpace(technicalID.ReplaceAllString(detail, ""))
	if text := RouteName(route); text != route {
		return UpperFirst(text)
	}
	key, value, coded := strings.Cut(strings.TrimPrefix(detail, "automatic "), ":")
	if !coded && key == "people" { // the name of a page that was denied
		return "People"
	}
	switch key {
	case "reason":
		reason, fields, _ := strings.Cut(value, " fields:")
		if fields == "" {
			return RevealReason(reason)
		}
		return UpperFirst(fields) + ". " + RevealReason(reason)
	case "request":
		return UpperFirst(RequestKind(value))
	case "limit":
		return limitText(value)
	case "method":
		return Contact(value)
	case "proof":
		return lookup(signInProofs, value)
	case "sheet", "document":
		return "" // the action names it
	case "people":
		if value == "" {
			return ""
		}
		return "Users: " + value
	case "leads":
		n, why, _ := strings.Cut(value, " ")
		return strings.TrimSuffix("Leads: "+n+", "+why, ", ")
	case "originator", "assistant", "manager", "admin":
		return Role(key)
	case "documents", "list":
		return UpperFirst(Exported(key, ""))
	}
	if proof, ok := signInProofs[detail]; ok {
		return proof
	}
	if text, ok := alerts[detail]; ok {
		return text[0]
	}
	if IsTechnicalID(detail) || strings.Contains(key, "_") || value != "" && !strings.Contains(key, " ") {
		return ""
	}
	return detail
}

// limitText describes a limit that was reached: its kind, whose it is, and how high.
func limitText(value string) string {
	parts := strings.Fields(value)
	if len(parts) != 3 {
		return ""
	}
	what := map[string]string{"exports": "Exports", "reveals": "Views of borrower details"}[parts[0]]
	whose := map[string]string{"user": "by one user", "company": "by all users of the company"}[parts[1]]
	return what + " " + whose + ": " + parts[2] + " an hour"
}

// UpperFirst capitalizes the first letter of a text.
func UpperFirst(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// alerts describes sign-ins and sign-in attempts to the account's user: what happened, and what to do.
var alerts = map[string][2]string{
	"new-place": {"New browser or network", "You hadn’t used this browser and network in the 90 days before."},
	"guessed": {"Correct password after failed attempts", "Several incorrect passwords, then the correct one, " +
		"from a new browser or network. If it wasn’t you, change your password."},
	"half": {"Password entered, second step failed",
		"Someone entered your password but didn’t complete the second step. If it wasn’t you, change your password."},
	"recovery": {"Signed in with a recovery code", "It replaced your second step. That code can’t be used again."},
	"crowded":  {"Signed out on your oldest browser", "You can be signed in on five browsers at a time."},
}

// Alert returns what happened.
func Alert(kind string) string { return cmp.Or(alerts[kind][0], Name(kind)) }

// AlertText returns what an alert means; empty for a kind that has no text.
func AlertText(kind string) string { return alerts[kind][1] }
