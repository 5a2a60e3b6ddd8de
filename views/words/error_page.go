package words

// Failure is the text of an error page: what happened, and what to do.
type Failure struct {
	Title string
	Text  string
	Icon  string
}

var failures = map[int]Failure{
	400: {"That could not be read", "The address or the form was not complete. Go back and try it once more.", "circle-help"},
	401: {"Please sign in", "Your session has ended. What you typed in a draft is kept.", "lock"},
	403: {"This is not yours to do", "Your role does not include it. Your manager can do it, or change your role.", "lock"},
	404: {"Nothing is here", "It does not exist, or it is not yours to see. A lead that was handed over is with its new originator.", "search"},
	405: {"That does not work this way", "Go back and use the form on the page.", "circle-help"},
	409: {"It has changed meanwhile", "Somebody, or the lender, was quicker. Look at it as it is now before you send again.", "refresh-cw"},
	413: {"That is too much at once", "The form was larger than the portal takes.", "octagon-alert"},
	422: {"Something needs attention", "Go back and look at the marked fields.", "octagon-alert"},
	429: {"Too many tries", "Wait a minute, then try again.", "hourglass"},
	500: {"That went wrong on our side", "It is not your doing. Nothing is sent twice; look at the lead before you try again.", "octagon-alert"},
	502: {"The lender’s answer could not be used", "Look at the lead before you try again: what was sent stands on its receipt.", "cloud-off"},
	503: {"Not available at the moment", "You can read everything and write drafts and notes. Try again in a minute.", "cloud-off"},
	504: {"The lender takes too long", "What was sent stands on its receipt. Look there before you try again.", "hourglass"},
}

// EmbedFailureOf returns the error text for users who can only enter through a CRM: the page has no links, so
// the text explains how to continue.
func EmbedFailureOf(status int) Failure {
	f := FailureOf(status)
	switch status {
	case 403:
		f.Title = "This record could not be opened"
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
