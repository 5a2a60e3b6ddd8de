package admin

import (
	"context"

	"hearthline/internal/access"
	"hearthline/internal/embed"
)

// CRMs lists the CRM sign-ins that are linked to a user's account.
func (p *People) CRMs(ctx context.Context, userID string) ([]embed.Link, error) {
	if err := p.d.May(access.ManagePeople); err != nil {
		return nil, err
	}
	return p.d.Embeds.Links(ctx, userID)
}

// DisconnectCRM unlinks one of them, for example after a CRM sign-in was stolen or a CRM seat went to another user.
func (p *People) DisconnectCRM(ctx context.Context, userID, id string) error {
	if err := p.d.May(access.ManagePeople); err != nil {
		return err
	}
	return p.d.Embeds.Disconnect(ctx, p.d.ActingUnder(access.ManagePeople), userID, id)
}
