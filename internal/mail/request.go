package mail

import "time"

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
