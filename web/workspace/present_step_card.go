package workspace

import (
	"cmp"

	desklead "hearthline/internal/desk/lead"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/views/text"
	"hearthline/views/ui"
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
