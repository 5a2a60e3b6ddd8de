package text

import (
	"cmp"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

// Timing describes a lead's timing.
type Timing struct {
	Text    RelativeTime
	Overdue bool
}

// LeadStatus returns the display texts of a lead's status. The status itself was determined when
// the row was saved. It is amber if it is the originator's move, whatever the status; the tone of offers stays.
func LeadStatus(l *lead.Row) Status {
	s := StatusOf(string(l.StatusKey), string(l.Step))
	if l.IsSetAside() {
		s.Chip = "Closed without offers"
	}
	if l.StatusKey == heloc.StatusRescission && l.RescissionDate != "" {
		s.Happened = "The borrower can cancel through " + Date(l.RescissionDate) + "."
	}
	switch {
	case !l.YourMove() && s.Tone == toneYours:
		s.Tone = ""
	case l.YourMove() && s.Tone == "":
		s.Tone = toneYours
	}
	return s
}

// StepName names a step as lists do for a lead that has just reached it; a step without texts keeps the lender's name.
func StepName(s heloc.Step) string {
	return StatusOf(string(heloc.StatusAt(heloc.StatusFacts{Step: s}, time.Time{}).Key), string(s)).Chip
}

// toneYours is the tone of what the originator has to do: amber.
const toneYours = "yours"

// TimingOf describes how the current move relates to its due time or usual duration.
func (v Viewer) TimingOf(l *lead.Row, wait lead.UsualWait) Timing {
	switch l.WhoseMove {
	case heloc.MoverNobody:
		if l.HasScheduledRepull() {
			return Timing{Text: FixedText(v.DateTimeInText(TimeOfMillis(l.RepullAt)))}
		}
	case heloc.MoverYou:
		words, overdue := v.DueTime(TimeOfMillis(l.DueAt()))
		if l.FollowUpAt != 0 && l.FollowUpAt == l.DueAt() {
			words.Before = "reminder "
		}
		return Timing{words, overdue}
	case heloc.MoverBorrower:
		if l.Lane == heloc.LaneBorrower {
			return Timing{Text: FixedText("since " + v.DateTimeInText(TimeOfMillis(l.StepSince)))}
		}
	case heloc.MoverLender:
		if l.Lane == heloc.LaneLender {
			if wait.Known {
				return Timing{Text: v.SinceTimeOfUsual(lenderSince(l), wait.Median)}
			}
			words := v.SinceTime(lenderSince(l))
			words.Before = "for "
			return Timing{Text: words}
		}
	}
	return Timing{Text: FixedText(nextDateText(l))}
}

// WaitingSince returns since when the lender has had a lead whose step changes without anybody; zero for any other.
func WaitingSince(l *lead.Row) time.Time {
	if l.StatusKey != heloc.StatusInProgress {
		return time.Time{}
	}
	return lenderSince(l)
}

// lenderSince returns since when the lender has had the lead: since the start, or since the change
// that an accepted operation made.
func lenderSince(l *lead.Row) time.Time {
	if l.PendingOp != "" && l.Step != "" && l.Step != heloc.StepUnknown {
		return TimeOfMillis(l.ChangedAt)
	}
	return TimeOfMillis(l.StepSince)
}

// nextDateText returns the date that matters in the lead's status, if the lender has named one.
func nextDateText(l *lead.Row) string {
	rescissionEnds := "ends "
	if WaitsOnConditions(l) {
		rescissionEnds = "rescission ends " // the text before it is about the conditions
	}
	for _, n := range []struct {
		status heloc.StatusKey
		label  string
		day    heloc.Date
	}{
		{heloc.StatusRescission, rescissionEnds, l.RescissionDate},
		{heloc.StatusFunding, "rescission ended ", l.RescissionDate},
		{heloc.StatusSigned, "", l.SigningDate},
		{heloc.StatusSigning, "signing on ", l.SigningDate},
		{heloc.StatusSigning, "appointment ", l.NotaryDate},
		{heloc.StatusDisclosures, "sent ", l.DisclosureDate},
		{heloc.StatusFunded, "", l.FundedDate},
		{heloc.StatusCanceled, "", l.CanceledDate},
		{heloc.StatusDeclined, "", l.DeclinedDate},
		{heloc.StatusExpired, "", l.ExpirationDate},
	} {
		if n.status == l.StatusKey && n.day != "" {
			return n.label + Weekday(n.day)
		}
	}
	return ""
}

// TimeOfMillis converts stored milliseconds; 0 is the zero time.
func TimeOfMillis(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms)
}

// SinceOf returns what has changed on the lead since an operation with an unknown outcome was sent, up to now or until
// a user stopped the check.
func SinceOf(op lead.Operation) Since {
	switch {
	case op.State != lead.OpUnknown && op.State != lead.OpAbandoned || op.StepChangedAt == 0:
		return ""
	case op.StepAfter == op.StepBefore:
		return SinceChanged
	default:
		return SinceMoved
	}
}

// IsMine reports whether the user is the lead's own originator, or covers for them, and may respond to the lender. Only
// they read "you".
func (v Viewer) IsMine(l *lead.Row) bool {
	own := l.Originator != "" && string(l.Originator) == v.Who.OriginatorUUID
	return (own || v.Who.Scope().AsDeputy(l.Owner())) && v.Who.Can(access.ActOnLead)
}

// MoverText says in a list whose move it is: "you" as IsMine says, and the originator's name to others.
// The originator of an unassigned lead is nobody.
func (v Viewer) MoverText(l *lead.Row, originator string) string {
	switch {
	case l.HasScheduledRepull():
		return "re-pull scheduled"
	case !l.YourMove():
		if WaitsOnConditions(l) {
			return "conditions"
		}
		return string(l.WhoseMove)
	case v.IsMine(l):
		return "you"
	case l.Originator == "":
		return "unassigned"
	default:
		return cmp.Or(originator, "originator")
	}
}

// MoveText says the same on the lead's own page, "Your move".
func (v Viewer) MoveText(l *lead.Row, originator string) string {
	switch l.WhoseMove {
	case heloc.MoverBorrower:
		if WaitsOnConditions(l) {
			return "Waiting on conditions"
		}
		return "With the borrower"
	case heloc.MoverLender:
		if l.Lane == heloc.LaneClosing { // "With lender" is another lane
			return "Lender’s move"
		}
		return "With the lender"
	case heloc.MoverYou:
		switch {
		case v.IsMine(l):
			return "Your move"
		case l.Originator == "":
			return "Unassigned"
		default:
			return "With " + cmp.Or(originator, "the originator")
		}
	default:
		if l.HasScheduledRepull() {
			return "Re-pull scheduled"
		}
		return ""
	}
}

// WaitsOnConditions reports whether an application has open conditions. The lender does not say who has to satisfy
// them.
func WaitsOnConditions(l *lead.Row) bool {
	return l.Lane == heloc.LaneClosing && l.OpenConditions > 0
}
