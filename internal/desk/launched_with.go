package desk

import (
	"context"

	"hearthline/internal/access"
	"hearthline/internal/embed"
	"hearthline/internal/fault"
)

// With says with whom in the person's company the lead of a record is that is beyond their
// own reach: enough to ask, and nothing of the borrower.
type With struct {
	ShortID    string
	Originator string // "" while it is with nobody, and for whom a CRM alone vouches
	Handed     bool   // by this person, or away from them
	Ended      bool
}

// With finds it; false where the record has no lead, or one within the person's reach.
func (r *Launched) With(ctx context.Context) (With, bool, error) {
	if err := r.d.may(access.SeePipeline); err != nil {
		return With{}, false, err
	}
	if _, mine, err := r.Lead(ctx); err != nil || mine {
		return With{}, false, err
	}
	lead, found, err := r.d.Embeds.Lead(ctx, access.Scope{BrokerID: r.d.Actor.BrokerID}, r.l.Client, r.l.Record)
	if err != nil || !found {
		return With{}, false, err
	}
	w := With{ShortID: lead.ShortID, Ended: embed.Ended(lead)}
	handed, err := r.d.Store.LastHandOver(ctx, lead.App)
	switch {
	case fault.KindOf(err) == fault.NotFound:
	case err != nil:
		return With{}, false, err
	default:
		w.Handed = string(handed.From) == r.d.Actor.OriginatorUUID && handed.From != "" || handed.ActorID == r.d.Actor.UserID
	}
	if r.d.Actor.Unconfirmed {
		return w, true, nil
	}
	of, err := r.d.Store.Originator(ctx, lead.Originator)
	if fault.KindOf(err) == fault.NotFound {
		return w, true, nil
	}
	w.Originator = of.Name()
	return w, err == nil, err
}
