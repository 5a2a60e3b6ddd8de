// Package page contains the screens that no area owns, such as errors and step-up, and panels and form sections that
// several areas display. Components without a subject of their own are in views/ui.
package page

import (
	"github.com/a-h/templ"

	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/views/ui"
)

// UnsettledNotice reports on the page of a lead that the outcome of an operation is unknown, and links to its receipt.
func UnsettledNotice(base to.Base, id, operation string, since text.Since) ui.Notice {
	v, d := text.OutcomeOf(operation, "unknown", since), text.OperationOf(operation)
	return ui.Notice{
		Kind: v.Kind, Icon: v.Icon, Title: d.Subject + ": " + text.LowerFirst(v.Title), Text: v.Text,
		Actions: []ui.Action{receiptAction(base, id)},
	}
}

// RepeatNotice warns, above the form that would repeat it, about an operation that may have arrived: the lender showed
// no evidence of it, or a user abandoned it. The title says which, in the words of its receipt.
func RepeatNotice(base to.Base, id, operation, state string) ui.Notice {
	d := text.OperationOf(operation)
	return ui.Notice{
		Kind: "yours", Icon: "triangle-alert",
		Title: d.Subject + ": sent before, " + text.LowerFirst(text.VerdictOf(state).Title), Text: text.RepeatOf(operation),
		Actions: []ui.Action{receiptAction(base, id)},
	}
}

// LostStartNotice reports a start whose outcome is unknown, and links to its receipt.
func LostStartNotice(base to.Base, id string, s text.LostStart) ui.Notice {
	v := s.Verdict()
	n := ui.Notice{Kind: v.Kind, Icon: v.Icon, Title: "Inquiry: " + text.LowerFirst(v.Title), Text: v.Text,
		Actions: []ui.Action{receiptAction(base, id)}}
	if s.Borrower != "" {
		n.Title = s.Borrower + ", " + text.LowerFirst(n.Title)
	}
	return n
}

func receiptAction(base to.Base, id string) ui.Action {
	return ui.Action{Label: "Receipt", Icon: "file-text", Href: base.Operation(id)}
}

func (v EmbedMessageView) failure() ui.FailureView {
	f := ui.FailureView{ID: "oops", Icon: v.Icon, Title: v.Title, Text: v.Text}
	if v.Action.Label != "" {
		f.Actions = []ui.Action{v.Action}
	}
	return f
}

// reassignKey lets the shortcut "r" press the button.
func reassignKey() templ.OrderedAttributes {
	return templ.OrderedAttributes{{Key: "data-key", Value: "r"}}
}
