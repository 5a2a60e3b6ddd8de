package core

import (
	"context"

	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// Audit writes that this user did something to the lead.
func (l Lead) Audit(ctx context.Context, tx *store.Tx, action store.AuditAction, outcome, detail string) error {
	return tx.Audit(ctx, store.AuditEntry{
		ActorID: l.Actor.UserID, Company: l.Row.Company, Action: action, Object: "lead:" + string(l.Row.App),
		Outcome: outcome, Detail: detail,
	})
}

// AuditEvent records an action of this user on the lead, in the audit and in the lead's activity.
func (l Lead) AuditEvent(ctx context.Context, tx *store.Tx, e lead.Event, action store.AuditAction,
	outcome, detail string) error {
	if err := l.Audit(ctx, tx, action, outcome, detail); err != nil {
		return err
	}
	return tx.AddEvent(ctx, e)
}
