package text

// Failure is the text of an error page: what happened, and what to do.
type Failure struct {
	Title string
	Text  string
	Icon  string
}

var failures = map[int]Failure{
	400: {"Incomplete request", "The link or form was incomplete. Go back and try again.", "circle-help"},
	401: {"Please sign in", "You’re signed out. Drafts are saved.", "lock"},
	403: {"You don’t have access", "Your role doesn’t include this. If you need it, ask an administrator.", "lock"},
	404: {"Page not found", "It doesn’t exist, or you don’t have access to it.", "search"},
	405: {"That link can’t be opened directly", "Go back and use the form on the page.", "circle-help"},
	409: {"This can’t be done now", "Reload the page to see its current state.", "refresh-cw"},
	413: {"The form is too large", "Shorten your entries and try again.", "octagon-alert"},
	422: {"Check your entries", "Go back and correct the highlighted fields.", "octagon-alert"},
	429: {"Too many attempts", "Wait a minute, then try again.", "hourglass"},
	500: {"Something went wrong on our side", "If you sent something to the lender, " +
		"check its receipt before you try again. We never resend automatically.", "octagon-alert"},
	502: {"The lender’s response couldn’t be read", "Check the receipt on the lead before you try again.", "cloud-off"},
	503: {"Temporarily unavailable", "Wait a minute, then try again.", "cloud-off"},
	504: {"The lender isn’t responding", "Check the receipt on the lead before you try again.", "hourglass"},
}

// EmbedFailureOf returns the error text for users who can only enter through a CRM: the page has no links, so
// the text explains how to continue.
func EmbedFailureOf(status int) Failure {
	f := FailureOf(status)
	switch status {
	case 403:
		f.Title = "This record couldn’t be opened"
	case 409:
		f.Title, f.Icon = "Open the record again", "hourglass"
	}
	f.Text = "Open the record again in your CRM."
	if status == 429 || status >= 500 {
		f.Text = "Wait a minute, then open the record again in your CRM."
	}
	return f
}

// FailureOf returns the error text for an HTTP status; a status without text gets that of its hundred (400 or
// 500).
func FailureOf(status int) Failure {
	if f, ok := failures[status]; ok {
		return f
	}
	if status >= 500 {
		return failures[500]
	}
	return failures[400]
}
