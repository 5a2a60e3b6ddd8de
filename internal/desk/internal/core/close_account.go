package core

import (
	"context"

	"hearthline/internal/access"
	"hearthline/internal/lead"
	"hearthline/internal/pubsub"
	"hearthline/internal/store"
)

// AccountEffects lists how a change to an account affects other users. It is published after the commit.
type AccountEffects struct {
	company    string
	unassigned []pubsub.Event // the leads of the user's originator
	notified   []string
}

// EffectsOn collects the effects of the changes in a transaction to an account of a company.
func EffectsOn(company string, tx *store.Tx) AccountEffects {
	e := AccountEffects{company: company, notified: tx.Notified}
	for _, l := range tx.Unassigned {
		e.unassigned = append(e.unassigned, pubsub.Event{App: string(l.App), Revision: l.Revision + 1})
	}
	return e
}

// Publish publishes the effects to the open pages of affected users.
func (e AccountEffects) Publish(hub *pubsub.Hub) {
	for _, event := range e.unassigned {
		hub.Publish(event, pubsub.Company(e.company))
	}
	for _, who := range e.notified {
		hub.Publish(pubsub.Event{Inbox: true}, pubsub.Person(who))
	}
}

// CloseAccount closes an account in this user's name. The caller publishes the effects.
func (d Desk) CloseAccount(ctx context.Context, tx *store.Tx, who access.User) (AccountEffects, error) {
	err := d.Accounts.Close(ctx, tx, d.Actor, who.UserID)
	return EffectsOn(who.Company(), tx), err
}

// PublishReturned publishes leads that their former originators got back.
func (d Desk) PublishReturned(leads []lead.Row) {
	for _, before := range leads {
		event := pubsub.Event{App: string(before.App), Revision: before.Revision + 1}
		d.Hub.Publish(event, pubsub.Originator(string(before.FormerOriginator)), pubsub.Company(before.Company))
	}
}
