package format

import (
	"strings"
	"time"

	"hearthline/internal/desk"
	"hearthline/internal/heloc"
	"hearthline/views/ui"
	"hearthline/views/words"
)

// Timing is what a standing says of time: one of the two texts, or neither.
type Timing struct {
	Text    string
	Overdue string
}

// LeadStatus are the words of a lead's standing. The standing itself was judged
// when the row was saved; nothing here judges it again.
func LeadStatus(l desk.LeadRow) words.Status {
	return words.StatusOf(string(l.StatusKey), string(l.Step))
}

func StatusChip(l desk.LeadRow) ui.ChipView {
	s := LeadStatus(l)
	return ui.ChipView{Label: s.Chip, Icon: s.Icon, Tone: s.Tone}
}

// TimingOf says how a lead's move stands against the time it has.
func (v Viewer) TimingOf(l desk.LeadRow, wait desk.UsualWait) Timing {
	switch l.Mover {
	case heloc.MoverYou:
		text, late := v.DueText(TimeOfMillis(l.DueAt))
		if l.FollowUpAt != 0 && l.FollowUpAt == l.DueAt {
			text = "follow-up " + text
		}
		if late {
			return Timing{Overdue: text}
		}
		return Timing{Text: text}
	case heloc.MoverBorrower:
		if l.Lane == heloc.LaneBorrower {
			return Timing{Text: "since " + v.DateTimeInText(TimeOfMillis(l.StepSince))}
		}
	case heloc.MoverLender:
		if l.Lane == heloc.LaneLender {
			if !wait.Known {
				return Timing{Text: "for " + ShortDuration(max(v.Now.Sub(lenderSince(l)), time.Second))}
			}
			return Timing{Text: DurationOfUsual(v.Now.Sub(lenderSince(l)), wait.Median)}
		}
	}
	return Timing{Text: nextDateText(l)}
}

// lenderSince is since when the lender has had the lead: since the start, or since
// the change that an accepted operation made.
func lenderSince(l desk.LeadRow) time.Time {
	if l.PendingOp != "" && l.Step != "" && l.Step != heloc.StepUnknown {
		return TimeOfMillis(l.ChangedAt)
	}
	return TimeOfMillis(l.CreatedAt)
}

// nextDateText is the date that a standing turns on, when the lender has named one.
func nextDateText(l desk.LeadRow) string {
	for _, n := range []struct {
		stand heloc.StatusKey
		words string
		day   heloc.Date
	}{
		{heloc.StatusRescission, "ends ", l.RescissionDate},
		{heloc.StatusSigning, "signed ", l.SigningDate},
		{heloc.StatusSigning, "appointment ", l.NotaryDate},
		{heloc.StatusDisclosures, "sent ", l.DisclosureDate},
		{heloc.StatusFunded, "", l.FundedDate},
		{heloc.StatusCanceled, "", l.CanceledDate},
		{heloc.StatusDeclined, "", l.DeclinedDate},
		{heloc.StatusExpired, "", l.ExpirationDate},
	} {
		if n.stand == l.StatusKey && n.day != "" {
			return n.words + Weekday(n.day)
		}
	}
	return ""
}

// TimeOfMillis reads kept milliseconds; 0 is the zero time.
func TimeOfMillis(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms)
}

// LowerFirst begins with a small letter, for the middle of a sentence; what begins with
// two capitals, such as SSN, stays.
func LowerFirst(s string) string {
	if len(s) > 1 && s[1] >= 'A' && s[1] <= 'Z' {
		return s
	}
	if s == "" {
		return s
	}
	return strings.ToLower(s[:1]) + s[1:]
}

// SinceOf is what the lead has done since an operation of unknown outcome was sent.
func SinceOf(op desk.Operation) words.Since {
	switch {
	case op.State != desk.OpUnknown || op.StepChangedAt == 0:
		return ""
	case op.StepAfter == op.StepBefore:
		return words.SinceChanged
	default:
		return words.SinceMoved
	}
}
