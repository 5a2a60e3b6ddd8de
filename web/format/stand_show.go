package format

import (
	"strings"
	"time"

	"hearthline/internal/desk"
	"hearthline/internal/heloc"
	"hearthline/views/ui"
	"hearthline/views/words"
)

// clocked is what a standing says of time: one of the two texts, or neither.
type clocked struct {
	Clock string
	Late  string
}

// standingWords are the words of a lead's standing. The standing itself was judged
// when the row was saved; nothing here judges it again.
func StandingWords(l desk.Record) words.Standing {
	return words.StandingOf(string(l.Stand), string(l.Step))
}

func ChipOf(l desk.Record) ui.ChipView {
	s := StandingWords(l)
	return ui.ChipView{Label: s.Chip, Icon: s.Icon, Tone: s.Tone}
}

// clockOf says how a lead's move stands against the time it has.
func (v Viewer) ClockOf(l desk.Record, wait desk.Wait) clocked {
	switch l.Mover {
	case heloc.YouMove:
		text, late := v.Due(Instant(l.DueAt))
		if l.FollowUpAt != 0 && l.FollowUpAt == l.DueAt {
			text = "follow-up " + text
		}
		if late {
			return clocked{Late: text}
		}
		return clocked{Clock: text}
	case heloc.BorrowerMove:
		if l.Lane == heloc.LaneBorrower {
			return clocked{Clock: "since " + v.Within(Instant(l.StepSince))}
		}
	case heloc.LenderMoves:
		if l.Lane == heloc.LaneLender {
			if !wait.Known {
				return clocked{Clock: "for " + Span(max(v.Now.Sub(handedOver(l)), time.Second))}
			}
			return clocked{Clock: Against(v.Now.Sub(handedOver(l)), wait.Usual)}
		}
	}
	return clocked{Clock: nextDate(l)}
}

// handedOver is since when the lender has had the lead: since the start, or since
// the change that an accepted operation made.
func handedOver(l desk.Record) time.Time {
	if l.UnderWayOp != "" && l.Step != "" && l.Step != heloc.StepUnknown {
		return Instant(l.ChangedAt)
	}
	return Instant(l.CreatedAt)
}

// nextDate is the date that a standing turns on, when the lender has named one.
func nextDate(l desk.Record) string {
	for _, n := range []struct {
		stand heloc.Stand
		words string
		day   heloc.Date
	}{
		{heloc.StandRescission, "ends ", l.RescissionDate},
		{heloc.StandSigning, "signed ", l.SigningDate},
		{heloc.StandSigning, "appointment ", l.NotaryDate},
		{heloc.StandDisclosures, "sent ", l.DisclosureDate},
		{heloc.StandFunded, "", l.FundedDate},
		{heloc.StandCancelled, "", l.CanceledDate},
		{heloc.StandDeclined, "", l.DeclinedDate},
		{heloc.StandExpired, "", l.ExpirationDate},
	} {
		if n.stand == l.Stand && n.day != "" {
			return n.words + Weekday(n.day)
		}
	}
	return ""
}

// instant reads kept milliseconds; 0 is the zero time.
func Instant(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms)
}

// lowered begins with a small letter, for the middle of a sentence; what begins with
// two capitals, such as SSN, stays.
func Lowered(s string) string {
	if len(s) > 1 && s[1] >= 'A' && s[1] <= 'Z' {
		return s
	}
	if s == "" {
		return s
	}
	return strings.ToLower(s[:1]) + s[1:]
}

// sinceOf is what the lead has done since an operation of unknown outcome was sent.
func SinceOf(op desk.Operation) words.Since {
	switch {
	case op.State != desk.OpUnknown || op.MovedAt == 0:
		return ""
	case op.MovedTo == op.StepBefore:
		return words.SinceChanged
	default:
		return words.SinceMoved
	}
}
