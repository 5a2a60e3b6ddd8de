package lead

import (
	"context"

	"hearthline/internal/access"
	"hearthline/internal/desk/internal/core"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/partner"
	"hearthline/internal/store"
)

// Cancel closes the inquiry permanently (section 4.5).
func (l *Lead) Cancel(ctx context.Context, operationID string) (lead.Operation, error) {
	if err := l.d.May(access.CancelInquiry); err != nil {
		return lead.Operation{}, err
	}
	if l.d.Row.Converted {
		return lead.Operation{}, fault.New(fault.Conflict,
			"Applications can’t be canceled here. The borrower must contact the lender.")
	}
	return l.d.Submit(ctx, core.LeadWrite{
		Kind: heloc.OpCancel, Permission: access.CancelInquiry, OperationID: operationID,
		Send: func(ctx context.Context, by heloc.OriginatorID) (partner.WriteResult, error) {
			return l.d.Lender.Cancel(ctx, l.d.Row.App, by)
		},
	})
}

// SetAside treats a blocked inquiry, or one without offers, as ended, or undoes that. Only the portal knows it: the
// lender is not notified (rule of section 3).
func (l *Lead) SetAside(ctx context.Context, aside bool) error {
	if err := l.d.May(access.AnnotateLead); err != nil {
		return err
	}
	err := l.d.Store.Write(ctx, func(tx *store.Tx) error {
		row, err := tx.Lead(ctx, l.d.Actor.Scope(), l.d.Row.App)
		if err != nil {
			return err
		}
		if aside && !row.Step.CanSetAside() {
			return fault.New(fault.Conflict, "The lead changed and can’t be closed at its current step.")
		}
		if aside == (row.SetAsideAt != 0) {
			return nil // already in that state
		}
		now := l.d.Now()
		row.SetAsideAt = 0
		detail := "taken back"
		if aside {
			row.SetAsideAt, detail = store.Millis(now), "set aside"
		}
		if err := tx.SaveLead(ctx, &row, now, true); err != nil {
			return err
		}
		return l.d.AuditEvent(ctx, tx, l.d.NewEvent(lead.EventSetAside, detail), store.ActionSetAside, "done", detail)
	})
	if err == nil {
		l.d.RequestRefresh(l.d.Row.App)
	}
	return err
}
