package desk

import (
	"context"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/partner"
	"hearthline/internal/store"
)

// CanCancel reports whether the inquiry can still be canceled: not after conversion, and not once it has ended
// (section 4.5).
func CanCancel(l lead.Row) bool {
	return !l.Converted && l.Step != heloc.StepClosed && l.Step != heloc.StepWithdrawn && l.CanceledDate == "" && l.DeclinedDate == ""
}

// Cancel closes the inquiry permanently (section 4.5).
func (l *Lead) Cancel(ctx context.Context, operationID string) (lead.Operation, error) {
	if err := l.d.may(access.CancelInquiry); err != nil {
		return lead.Operation{}, err
	}
	if l.row.Converted {
		return lead.Operation{}, fault.New(fault.Conflict, "Applications can’t be canceled here. The borrower must contact the lender.")
	}
	return l.submit(ctx, leadWrite{
		kind: heloc.OpCancel, permission: access.CancelInquiry, operationID: operationID,
		send: func(ctx context.Context, by heloc.OriginatorID) (partner.WriteResult, error) {
			return l.d.lender.Cancel(ctx, l.row.App, by)
		},
	})
}

// SetAside treats a blocked inquiry, or one without offers, as ended, or undoes that. Only the portal knows it: the
// lender is not notified (rule of section 3).
func (l *Lead) SetAside(ctx context.Context, aside bool) error {
	if err := l.d.may(access.AnnotateLead); err != nil {
		return err
	}
	err := l.d.store.Write(ctx, func(tx *store.Tx) error {
		row, err := tx.Lead(ctx, l.d.Actor.Scope(), l.row.App)
		if err != nil {
			return err
		}
		if aside && !row.Step.CanSetAside() {
			return fault.New(fault.Conflict, "The lead changed and can’t be closed at its current step.")
		}
		if aside == (row.SetAsideAt != 0) {
			return nil // already in that state
		}
		now := l.d.now()
		row.SetAsideAt = 0
		detail := "taken back"
		if aside {
			row.SetAsideAt, detail = store.Millis(now), "set aside"
		}
		if err := tx.SaveLead(ctx, &row, now, true); err != nil {
			return err
		}
		if err := tx.Audit(ctx, store.AuditEntry{
			At: store.Millis(now), ActorID: l.d.Actor.UserID, Company: row.Company, Action: store.ActionSetAside, Object: "lead:" + string(row.App), Outcome: "done", Detail: detail,
		}); err != nil {
			return err
		}
		return tx.AddEvent(ctx, lead.Event{
			App: row.App, Originator: row.Originator, At: store.Millis(now), Kind: lead.EventSetAside,
			ActorID: l.d.Actor.UserID, ActorName: l.d.Actor.Name, Detail: detail,
		})
	})
	if err == nil {
		l.d.refreshAndPublish(ctx, l.row.App)
	}
	return err
}
