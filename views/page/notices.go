// Package page contains the screens that no area owns, such as errors and step-up, and panels and form sections that
// several areas display. Components without a subject of their own are in views/ui.
package page

import (
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/views/words"
)

// LenderDownNotice reports that the lender does not respond, and since when: "10:31 AM".
func LenderDownNotice(since string) ui.Notice {
	return ui.Notice{
		Kind: "fail", Icon: "cloud-off", Title: "The lender has been unreachable since " + since + ".",
		Text: "You can still view leads and save drafts and notes. Wait until the lender is back before you send anything.",
	}
}

// UnsettledNotice reports that the outcome of an operation is unknown, and links to its receipt.
func UnsettledNotice(base to.Base, id, operation string, since words.Since) ui.Notice {
	v, d := words.OutcomeOf(operation, "unknown", since), words.OperationOf(operation)
	n := ui.Notice{
		Kind: v.Kind, Icon: v.Icon, Title: d.Title + ": " + words.LowerFirst(v.Title), Text: d.WhileUnknown,
		Actions: []ui.Action{{Label: "Receipt", Icon: "file-text", Href: base.Operation(id)}},
	}
	if since != "" {
		n.Text = v.Text
	}
	return n
}
