package workspace

import (
	"cmp"
	"slices"
	"strings"

	desklead "hearthline/internal/desk/lead"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/views/text"
	"hearthline/views/ui"
	view "hearthline/views/workspace"
)

// PresentStepCard maps the text of the next-step card, without its content.
func PresentStepCard(v text.Viewer, d *Data) ui.NextStepCardView {
	l := d.View.Row
	w := stepWords(d)
	timing := v.TimingOf(&l, d.View.UsualWait)
	c := ui.NextStepCardView{
		ID: "step", Icon: w.Icon, Title: w.Title, Happened: w.Happened, Elapsed: timing.Text.String(), Tone: w.Tone,
		BorrowerScript:   text.SaidOf(w.Script(text.English), l.Converted),
		BorrowerScriptES: text.SaidOf(w.Script(text.Spanish), l.Converted),
	}
	if l.IsSetAside() {
		c.Title = "Closed without offers"
		c.Happened = text.LenderHasNoOffers + " " + c.Happened
	}
	if IsSetAsideUnanswered(l) {
		c.Happened, c.BorrowerScript, c.BorrowerScriptES = "The lender still needs a response.", "", ""
	}
	c.MoverText = v.MoveText(&l, whoActs(d.View))
	if timing.Overdue && c.MoverText != "" {
		c.MoverText += ", overdue"
	}
	if l.YourMove() {
		c.Tone = cmp.Or(c.Tone, "yours")
	}
	// it was answered, and the answer may have arrived
	if l.WhoseMove == heloc.MoverYou && IsBlocked(d.View, l.StatusKey.NextOperation()) {
		c.MoverText, c.Elapsed, c.Tone = text.SentNotConfirmed, "", ""
	}
	switch {
	case w.Next == "" || l.StatusKey == heloc.StatusNoOffers:
	case l.StatusKey.Ended():
		c.Next = w.Next
	default:
		c.Next = text.JoinNonEmpty(" ", "Next: "+text.LowerFirst(w.Next), stepWaitText(d))
	}
	return c
}

// stepWords returns the texts of the lead's status, as far as they follow from more than the status.
func stepWords(d *Data) text.Status {
	l := d.View.Row
	w := text.StatusOf(string(l.StatusKey), string(l.Step))
	switch {
	case l.StatusKey == heloc.StatusInProgress && d.View.Pending != nil:
		if pending, ok := text.Pending(string(d.View.Pending.Kind)); ok {
			return pending
		}
	case l.StatusKey == heloc.StatusChooseProperty && d.View.Properties != nil && len(d.View.Properties.Properties) == 0:
		w.Title, w.Happened = "More specific address needed", "The lender couldn’t match the address to one property."
		w.Next = "Correct the address in a new inquiry. You can cancel this one at the same time."
	case l.HasScheduledRepull():
		w = w.WithScheduledRepull()
	case l.Converted && l.StatusKey.Ended():
		w.Happened = cmp.Or(text.EndOfApplication(string(l.StatusKey)), w.Happened)
	case l.Lane == heloc.LaneClosing && l.OpenConditions > 0:
		w.Next = text.NextWithOpenConditions
	}
	return w
}

// stepWaitText states how long the step usually takes, only where the lender answers without anybody else: a borrower
// or a transfer takes as long as it takes, and the page must not seem to promise anything. While the lender is
// working, the card states it beside the time that has passed.
func stepWaitText(d *Data) string {
	if w := d.View.UsualWait; w.Known && d.View.Row.StatusKey.NextOperation() != "" {
		return "The lender usually takes about " + text.LongDuration(w.Median) + "."
	}
	return ""
}

// IsSetAsideUnanswered reports whether the user set the lead aside before the lender answered: then no text may speak
// for the lender.
func IsSetAsideUnanswered(l lead.Row) bool { return l.IsSetAside() && l.Step != heloc.StepNoOffers }

// whoActs names who works on the lead now: the originator, or who covers for them.
func whoActs(f desklead.Snapshot) string {
	if a := f.Absence; a != nil && a.Covered {
		return a.DeputyName + " (covering)"
	}
	return f.Originator.Name()
}

// presentUnsent maps a form that was not accepted and that the page does not contain: a local form without a place for
// its error, or the form of an operation that the lead no longer asks for. What was typed in the latter would
// otherwise be lost.
func presentUnsent(d *Data) view.UnsentView {
	if d.Submitted == nil || d.Submitted.Form.FormError == "" {
		return view.UnsentView{}
	}
	f := d.Submitted.Form.View("")
	if !slices.Contains(text.Operations(), d.Submitted.Action) {
		if d.Submitted.Action == "set-aside" || d.Submitted.Form.Values.Has("thaw.liftedAt") {
			return view.UnsentView{} // these show it themselves
		}
		return view.UnsentView{Notice: ui.Notice{Kind: "fail", Icon: "octagon-alert", Title: "Not saved.", Text: f.FormError,
			Role: "alert"}}
	}
	if d.redisplayed {
		return view.UnsentView{}
	}
	u := view.UnsentView{
		Notice: ui.Notice{Kind: "fail", Icon: "octagon-alert", Title: text.OperationOf(d.Submitted.Action).Subject + ": " +
			text.LowerFirst(cmp.Or(f.ErrorTitle, ui.NotSent)), Text: f.FormError, Role: "alert"},
	}
	for _, typed := range f.Values {
		if !typed.IsUserInput() || isChoiceByID(typed.Name) {
			continue
		}
		u.Typed = append(u.Typed, ui.Fact{Label: ui.LabelOf(typed.Name), Value: unsentValue(typed.Value)})
	}
	return u
}

// isChoiceByID reports whether a control says nothing to the user without its form: a confirmation, a previous value,
// or the lender's id of a choice.
func isChoiceByID(name string) bool {
	return strings.HasPrefix(name, "confirm.") || strings.HasPrefix(name, "consent.") || strings.HasPrefix(name, "was.") ||
		strings.HasSuffix(name, "Id") || strings.HasSuffix(name, "selectedAccountsToPayoff")
}

// unsentValue formats what a control was submitted with: text as it was typed, a choice in words.
func unsentValue(value string) string {
	switch {
	case value == "true":
		return "Yes"
	case value == "false":
		return "No"
	case value == strings.ToUpper(value) && strings.Contains(value, "_"):
		return text.Name(value)
	default:
		return value
	}
}
