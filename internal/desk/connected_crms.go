package desk

import (
	"context"

	"hearthline/internal/access"
	"hearthline/internal/embed"
)

// CRMs lists the CRM sign-ins that are linked to the user's account, newest first.
func (a *Account) CRMs(ctx context.Context) ([]embed.Link, error) {
	if err := a.may(); err != nil {
		return nil, err
	}
	return a.d.embeds.Links(ctx, a.d.Actor.UserID)
}

// DisconnectCRM unlinks one of them by its id; fault.NotFound when it belongs to another user.
func (a *Account) DisconnectCRM(ctx context.Context, id string) error {
	if err := a.mayChange(); err != nil {
		return err
	}
	return a.d.embeds.Disconnect(ctx, a.d.actingUnder(access.ChangeSignIn), a.d.Actor.UserID, id)
}

// CRMs lists the CRM sign-ins that are linked to a user's account.
func (p *People) CRMs(ctx context.Context, userID string) ([]embed.Link, error) {
	if err := p.d.may(access.ManagePeople); err != nil {
		return nil, err
	}
	return p.d.embeds.Links(ctx, userID)
}

// DisconnectCRM unlinks one of them, for example after a CRM sign-in was stolen or a CRM seat went to another user.
func (p *People) DisconnectCRM(ctx context.Context, userID, id string) error {
	if err := p.d.may(access.ManagePeople); err != nil {
		return err
	}
	return p.d.embeds.Disconnect(ctx, p.d.actingUnder(access.ManagePeople), userID, id)
}
