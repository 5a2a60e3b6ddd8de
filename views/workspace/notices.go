package workspace

import (
	"strings"

	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/views/ui"
)

// Unread reports that the lender's response could not be used, what is displayed instead, and the
// lender's message. Without a time, the lead was never read.
func Unread(asOf, message string) ui.Notice {
	n := ui.Notice{
		Icon: "clock", Title: "The lender’s last response for this lead couldn’t be read.",
		Text: "We keep checking. No details of this lead have been loaded yet.",
	}
	if asOf != "" {
		n.Text = "We keep checking. This page is as of " + asOf + "."
	}
	if message != "" {
		n.More = "The lender says: “" + message + "”"
	}
	return n
}

// Claimed returns what the lender's last response would remove from the lead. None of it is displayed elsewhere until
// the next response says the same.
func Claimed(claim string) ui.Notice {
	return ui.Notice{
		Icon: "clock", Title: claim,
		Text: "We’re asking again before we change anything. This page shows what we knew before.",
	}
}

// Unseen reports that the lender accepted an operation and that its records contradict it.
func Unseen(base to.Base, id, operation string) ui.Notice {
	v := text.UnseenOf(operation)
	return ui.Notice{
		Kind: v.Kind, Icon: v.Icon, Title: v.Title, Text: v.Text,
		Actions: []ui.Action{{Label: "Receipt", Icon: "file-text", Href: base.Operation(id)}},
	}
}

// Repeats warns, above the form that would repeat it, about an operation that may have arrived: the
// lender showed no evidence of it, or a user abandoned it. The title says which, in the words of its receipt.
func Repeats(base to.Base, id, operation, state string) ui.Notice {
	d := text.OperationOf(operation)
	return ui.Notice{
		Kind: "yours", Icon: "triangle-alert",
		Title: d.Subject + ": sent before, " + text.LowerFirst(text.VerdictOf(state).Title), Text: text.RepeatOf(operation),
		Actions: []ui.Action{{Label: "Receipt", Icon: "file-text", Href: base.Operation(id)}},
	}
}

// LostDiscountsNotice reports which discounts, by the lender's own types, were sent with the selection but
// are not included in the selected offer, whose rate the lender reports.
func LostDiscountsNotice(types []string, rate string) ui.Notice {
	names := make([]string, len(types))
	for i, t := range types {
		names[i] = text.Name(t)
	}
	one, subject := "discount", "It was"
	if len(names) > 1 {
		one, subject = "discounts", "They were"
	}
	list := strings.Join(names, ", ")
	n := ui.Notice{
		Kind: "yours", Icon: "triangle-alert", Title: list + " " + one + " missing.",
		Text: subject + " sent with the selection, but not included in the selected offer",
	}
	if rate != "" {
		n.Text += " (rate " + rate + ")"
	}
	n.Text += ". Contact the lender, and tell the borrower."
	return n
}
