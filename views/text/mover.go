package text

import (
	"cmp"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

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
		if waitsOnConditions(l) {
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
		if waitsOnConditions(l) {
			return "Waiting on conditions"
		}
		return "With the borrower"
	case heloc.MoverLender:
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

// waitsOnConditions reports whether an application has open conditions. The lender does not say who has to satisfy
// them.
func waitsOnConditions(l *lead.Row) bool {
	return l.Lane == heloc.LaneClosing && l.OpenConditions > 0
}
