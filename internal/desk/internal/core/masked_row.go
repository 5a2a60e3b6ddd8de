package core

import (
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

// FillRow sets what a list and an export show of a lead, except its encrypted parts. It omits city, state and amounts
// for users that only a CRM vouches for.
func (list List) FillRow(row *lead.PipelineRow, l *lead.Row, names map[heloc.OriginatorID]string) {
	row.Row, row.Masked = l, list.d.Actor.VouchedByCRM
	if row.Masked {
		masked := *l
		masked.City, masked.State, masked.SelectedAmount, masked.MaxAmount, masked.RequestedAmount = "", "", 0, 0, 0
		row.Row = &masked
	}
	row.Originator, row.AsDeputy = names[l.Originator], list.d.Actor.Scope().AsDeputy(l.Owner())
}
