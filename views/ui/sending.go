package ui

import (
	"context"

	"github.com/a-h/templ"
)

// lenderDownNotice reports that the lender does not respond, and since when: "10:31 AM".
func lenderDownNotice(since string) Notice {
	return Notice{
		Kind: "fail", Icon: "cloud-off", Title: "The lender has been unreachable since " + since + ". Sending is paused.",
		Text: "You can still view leads and save drafts and notes. You can send again when the lender responds.",
	}
}

// blockedLabel replaces the label of a button while an earlier request may have arrived.
const blockedLabel = "Waiting for confirmation"

// SendAction is the button that submits the form to the lender. While an earlier request blocks the form, it is
// disabled, because the page then says not to send it again.
func (f Form) SendAction(a Action) Action {
	if f.Blocked {
		a.Label, a.Disabled = blockedLabel, true
	}
	return a
}

// sending marks a button for app.js and disables it while sending is paused. A button that is disabled for another
// reason stays as it is.
func (a Action) sending(ctx context.Context) Action {
	if a.Disabled {
		return a
	}
	a.Attrs = append(append(templ.OrderedAttributes{}, a.Attrs...),
		templ.KeyValue[string, any]{Key: "data-sends", Value: a.Label})
	if sendingPaused(ctx) {
		a.Label, a.Disabled = sendingPausedLabel, true
	}
	return a
}
