package core

import (
	"context"

	"hearthline/internal/lead"
	"hearthline/internal/pubsub"
	"hearthline/internal/store"
)

// Audit writes that this user did something to the lead.
func (l Lead) Audit(ctx context.Context, tx *store.Tx, action store.AuditAction, outcome, detail string) error {
	return tx.Audit(ctx, store.AuditEntry{
		ActorID: l.Actor.UserID, Company: l.Row.Company, Action: action, Object: "lead:" + string(l.Row.App), Outcome: outcome, Detail: detail,
	})
}

// AuditEvent writes that this user did something to the lead, in the audit and in the lead's activity.
func (l Lead) AuditEvent(ctx context.Context, tx *store.Tx, e lead.Event, action store.AuditAction, outcome, detail string) error {
	if err := l.Audit(ctx, tx, action, outcome, detail); err != nil {
		return err
	}
	return tx.AddEvent(ctx, e)
}

// NotifyAll notifies several users of the same, and returns those whom it had not notified before.
func NotifyAll(ctx context.Context, tx *store.Tx, people []string, n lead.Notice) (notified []string, err error) {
	for _, n.UserID = range people {
		fresh, err := tx.Notify(ctx, n)
		if err != nil {
			return nil, err
		}
		if fresh {
			notified = append(notified, n.UserID)
		}
	}
	return notified, nil
}

// PublishInbox tells the open pages of users that they have notifications.
func (s Services) PublishInbox(people []string) {
	for _, who := range people {
		s.Hub.Publish(pubsub.Event{Inbox: true}, pubsub.Person(who))
	}
}
