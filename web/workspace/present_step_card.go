package workspace

import (
	"cmp"

	desklead "hearthline/internal/desk/lead"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/views/text"
	"hearthline/views/ui"
)

// PresentStepCard maps the text of the next-step card, without its content. The text is that of the status; a step about
// which more is known replaces Happened and what comes next.
func PresentStepCard(v text.Viewer, d *Data, happened, next string) ui.NextStepCardView {
	l := d.View.Row
	w := stepWords(d)
	timing := v.TimingOf(&l, d.View.UsualWait)
	c := ui.NextStepCardView{
		ID: "step", Icon: w.Icon, Title: w.Title, Happened: cmp.Or(happened, w.Happened), BorrowerScript: text.SaidOf(w.Script(text.English), l.Converted), BorrowerScriptES: text.SaidOf(w.Script(text.Spanish), l.Converted),
		Elapsed: timing.Text.String(), Tone: w.Tone,
	}
	if IsVagueAddress(d.View) {
		c.Title = "More specific address needed"
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
	if l.WhoseMove == heloc.MoverYou && IsBlocked(d.View, l.StatusKey.NextOperation()) { // it was answered, and the answer may have arrived
		c.MoverText, c.Elapsed, c.Tone = text.SentNotConfirmed, "", ""
	}
	next = cmp.Or(next, w.Next)
	switch {
	case next == "" || l.StatusKey == heloc.StatusNoOffers:
	case l.StatusKey.Ended():
		c.Next = next
	default:
		c.Next = text.JoinNonEmpty(" ", "Next: "+text.LowerFirst(next), stepWaitText(d))
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
	case l.HasScheduledRepull():
		w = w.WithScheduledRepull()
	case l.Converted && l.StatusKey.Ended():
		w.Happened = cmp.Or(text.EndOfApplication(string(l.StatusKey)), w.Happened)
	case l.Lane == heloc.LaneClosing && l.OpenConditions > 0:
		w.Next = text.NextWithOpenConditions
	}
	return w
}

// stepWaitText states how long the step usually takes, only where the lender answers without anybody else: a borrower or
// a transfer takes as long as it takes, and the page must not seem to promise anything. While the lender is working, the
// card states it beside the time that has passed.
func stepWaitText(d *Data) string {
	if d.View.Row.StatusKey.NextOperation() == "" {
		return ""
	}
	return usualWaitText(d.View.UsualWait)
}

// usualWaitText states how long the lender usually takes, based on our own records once there are
// some.
func usualWaitText(w lead.UsualWait) string {
	if !w.Known {
		return ""
	}
	return "The lender usually takes about " + text.LongDuration(w.Median) + "."
}

// IsVagueAddress reports whether the lender asks for the property, and found none at the address.
func IsVagueAddress(l desklead.Snapshot) bool {
	return l.Row.StatusKey == heloc.StatusChooseProperty && l.Properties != nil && len(l.Properties.Properties) == 0
}

// IsSetAsideUnanswered reports whether the user set the lead aside before the lender answered: then no text may speak for
// the lender.
func IsSetAsideUnanswered(l lead.Row) bool { return l.IsSetAside() && l.Step != heloc.StepNoOffers }

// whoActs names who works on the lead now: the originator, or who covers for them.
func whoActs(f desklead.Snapshot) string {
	if a := f.Absence; a != nil && a.Covered {
		return a.DeputyName + " (covering)"
	}
	return f.Originator.Name()
}
