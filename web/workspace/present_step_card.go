package workspace

import (
	"cmp"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/views/ui"
	"hearthline/views/words"
	"hearthline/web/format"
)

// PresentStepCard maps the text of the next-step card, without its content. The text is that of the status; a step about
// which more is known replaces Happened and what comes next.
func PresentStepCard(v format.Viewer, d *Data, happened, next string) ui.NextStepCardView {
	l := d.View.Row
	w := words.StatusOf(string(l.StatusKey), string(l.Step))
	timing := v.TimingOf(l, d.View.UsualWait)
	c := ui.NextStepCardView{
		ID: "step", Icon: w.Icon, Title: w.Title, Happened: cmp.Or(happened, w.Happened), BorrowerScript: w.Script(words.English), BorrowerScriptES: w.Script(words.Spanish),
		Elapsed: cmp.Or(timing.Overdue, timing.Text), Tone: w.Tone,
	}
	if IsSetAsideUnanswered(l) {
		c.Title, c.Happened, c.BorrowerScript, c.BorrowerScriptES = "Closed without offers", "The lender still needs a response.", "", ""
	}
	c.MoverText = v.MoveText(l, d.View.Originator.Name())
	if l.Mover == heloc.MoverYou {
		c.Tone = cmp.Or(c.Tone, "yours")
	}
	if next = cmp.Or(next, w.Next); next != "" && l.StatusKey != heloc.StatusNoOffers {
		c.Next = format.JoinNonEmpty(" ", "Next: "+words.LowerFirst(next), stepWaitText(d))
	}
	return c
}

// stepWaitText states how long the step usually takes, only where the lender answers without anybody else: a borrower or
// a transfer takes as long as it takes, and the page must not seem to promise anything.
func stepWaitText(d *Data) string {
	if key := d.View.Row.StatusKey; key.NextOperation() == "" && key != heloc.StatusInProgress {
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
	return "Usually " + format.LongDuration(w.Median) + ", nearly always under " + format.LongDuration(w.P95) + "."
}

// IsSetAside reports whether the lead is set aside at a step where that is possible.
func IsSetAside(l lead.Row) bool { return l.SetAsideAt != 0 && l.Step.CanSetAside() }

// IsSetAsideUnanswered reports whether the user set the lead aside before the lender answered: then no text may speak for
// the lender.
func IsSetAsideUnanswered(l lead.Row) bool { return IsSetAside(l) && l.Step != heloc.StepNoOffers }
