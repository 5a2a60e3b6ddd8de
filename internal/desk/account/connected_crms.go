package account

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
	return a.d.Embeds.Links(ctx, a.d.Actor.UserID)
}

// DisconnectCRM unlinks one of them by its id; fault.NotFound when it belongs to another user.
func (a *Account) DisconnectCRM(ctx context.Context, id string) error {
	if err := a.mayChange(); err != nil {
		return err
	}
	return a.d.Embeds.Disconnect(ctx, a.d.ActingUnder(access.ChangeSignIn), a.d.Actor.UserID, id)
}
