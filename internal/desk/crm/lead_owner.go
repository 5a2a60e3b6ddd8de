package crm

import (
	"context"

	"hearthline/internal/access"
	"hearthline/internal/embed"
	"hearthline/internal/fault"
)

// LeadOwner names the colleague who has the record's lead when the user cannot access it. It is enough to ask them,
// and contains nothing about the borrower.
type LeadOwner struct {
	ShortID    string
	Originator string // "" while nobody has the lead, and for users that only a CRM vouches for
	Reassigned bool   // by this user, or away from them
	Ended      bool
}

// LeadOwner finds the owner; false when the record has no lead or the user can access it.
func (l *Launch) LeadOwner(ctx context.Context) (LeadOwner, bool, error) {
	if err := l.d.May(access.SeePipeline); err != nil {
		return LeadOwner{}, false, err
	}
	if _, mine, err := l.Lead(ctx); err != nil || mine {
		return LeadOwner{}, false, err
	}
	lead, found, err := l.d.Embeds.Lead(ctx, access.Scope{BrokerID: l.d.Actor.BrokerID}, l.launch.Client, l.launch.Record)
	if err != nil || !found {
		return LeadOwner{}, false, err
	}
	w := LeadOwner{ShortID: lead.ShortID, Ended: embed.LeadEnded(lead)}
	reassignment, err := l.d.Store.LastAcceptedReassignment(ctx, lead.App)
	switch {
	case fault.Is(err, fault.NotFound):
	case err != nil:
		return LeadOwner{}, false, err
	default:
		w.Reassigned = string(reassignment.FromOriginator) == l.d.Actor.OriginatorUUID && reassignment.FromOriginator != "" ||
			reassignment.ActorID == l.d.Actor.UserID
	}
	if l.d.Actor.VouchedByCRM {
		return w, true, nil
	}
	of, err := l.d.Store.Originator(ctx, lead.Originator)
	if fault.Is(err, fault.NotFound) {
		return w, true, nil
	}
	w.Originator = of.Name()
	return w, err == nil, err
}
