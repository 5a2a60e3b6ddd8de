// Package page contains the screens that no area owns, such as errors and step-up, and panels and form sections that
// several areas display. Components without a subject of their own are in views/ui.
package page

import (
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/views/ui"
)

// UnsettledNotice reports that the outcome of an operation is unknown, and links to its receipt. borrower is empty
// where the page is about one lead.
func UnsettledNotice(base to.Base, id, operation, borrower string, since text.Since) ui.Notice {
	v, d := text.OutcomeOf(operation, "unknown", since), text.OperationOf(operation)
	title := d.Subject + ": " + text.LowerFirst(v.Title)
	if borrower != "" {
		title = borrower + ", " + text.LowerFirst(title)
	}
	return ui.Notice{
		Kind: v.Kind, Icon: v.Icon, Title: title, Text: v.Text,
		Actions: []ui.Action{{Label: "Receipt", Icon: "file-text", Href: base.Operation(id)}},
	}
}

// UnsettledInquiriesNotice reports several inquiries at once; links are their receipts, and more reports whether
// there are others.
func UnsettledInquiriesNotice(links []ui.NavLink, more bool) ui.Notice {
	v := text.VerdictOf("unknown")
	n := ui.Notice{Kind: v.Kind, Icon: v.Icon, Links: links}
	n.Title, n.Text = text.InquiriesNotConfirmed(len(links), more)
	return n
}

func (v EmbedMessageView) failure() ui.FailureView {
	f := ui.FailureView{ID: "oops", Icon: v.Icon, Title: v.Title, Text: v.Text}
	if v.Action.Label != "" {
		f.Actions = []ui.Action{v.Action}
	}
	return f
}
