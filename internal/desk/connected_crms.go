package desk

import (
	"context"

	"hearthline/internal/access"
	"hearthline/internal/embed"
)

// CRMs are the log-ins of CRMs that belong to the person's account, the newest first.
func (a *Account) CRMs(ctx context.Context) ([]embed.Link, error) {
	if err := a.may(); err != nil {
		return nil, err
	}
	return a.d.Embeds.Links(ctx, a.d.Actor.UserID)
}

// DisconnectCRM takes one of them away, by its id; fault.NotFound when it is not theirs.
func (a *Account) DisconnectCRM(ctx context.Context, id string) error {
	if err := a.mayChange(); err != nil {
		return err
	}
	return a.d.Embeds.Disconnect(ctx, a.d.actingUnder(access.ChangeSignIn), a.d.Actor.UserID, id)
}

// CRMs are those of somebody's account.
func (p *People) CRMs(ctx context.Context, userID string) ([]embed.Link, error) {
	if err := p.d.may(access.ManagePeople); err != nil {
		return nil, err
	}
	return p.d.Embeds.Links(ctx, userID)
}

// DisconnectCRM takes one of theirs away: a stolen log-in, a seat that somebody else has.
func (p *People) DisconnectCRM(ctx context.Context, userID, id string) error {
	if err := p.d.may(access.ManagePeople); err != nil {
		return err
	}
	return p.d.Embeds.Disconnect(ctx, p.d.actingUnder(access.ManagePeople), userID, id)
}
