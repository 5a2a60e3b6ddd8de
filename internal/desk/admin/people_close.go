package admin

import (
	"context"
	"slices"

	"hearthline/internal/access"
	"hearthline/internal/embed"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// CloseOptions decides what happens to a user's work when their account is closed. Assignee is a colleague's
// originator, or empty: then the leads stay in the unassigned queue of the company, and its manager reassigns them.
type CloseOptions struct{ Assignee string }

// Close closes an account immediately, as Offboard does, and moves its work to a colleague. It transfers the drafts at
// once. The leads wait in the unassigned queue while a background run reassigns them with their scheduled work, because
// the lender decides each one.
func (p *People) Close(ctx context.Context, id string, l CloseOptions) error {
	if err := p.mayChange(id); err != nil {
		return err
	}
	one, err := p.Find(ctx, id)
	if err != nil {
		return err
	}
	var assignee lead.Assignee
	if l.Assignee != "" {
		at := slices.IndexFunc(one.Assignees, func(t lead.Assignee) bool { return string(t.UUID) == l.Assignee })
		if at < 0 {
			return lead.AssigneeError("Choose an originator")
		}
		assignee = one.Assignees[at]
	}
	leads, err := p.leadsOf(ctx, one.Actor)
	if err != nil {
		return err
	}
	if one.Disabled && assignee.UUID == "" {
		return lead.AssigneeError("Choose an originator")
	}
	return p.write(ctx, func(tx *store.Tx) error {
		if err := p.reassignWork(ctx, tx, one.User, assignee, leads); err != nil {
			return err
		}
		err := p.d.Accounts.Close(ctx, tx, p.d.Actor, one.UserID)
		if one.Disabled && fault.Is(err, fault.Conflict) {
			return nil // it was closed for good before, and only its work was left
		}
		return err
	})
}

// reassignWork transfers the drafts of somebody who leaves to their successor, and starts to reassign the leads.
// Without a successor, it does nothing.
func (p *People) reassignWork(ctx context.Context, tx *store.Tx, from access.User, to lead.Assignee,
	leads []lead.Row) error {
	if to.UUID == "" {
		return nil
	}
	if to.UserID != "" {
		if err := p.d.TransferAllDrafts(ctx, tx, store.UserScopeOf(from.Actor), to.UserID); err != nil {
			return err
		}
	}
	for chunk := range slices.Chunk(leads, lead.MaxBulkLeads) {
		if err := p.d.StartDepartureRun(ctx, tx, from.UserID, to.UUID, chunk); err != nil {
			return err
		}
	}
	return nil
}

// leadsOf are the open leads of somebody, and those that they left at their company when the
// directory lost them.
func (p *People) leadsOf(ctx context.Context, who access.Actor) ([]lead.Row, error) {
	leads, err := p.d.Store.OpenLeadsOf(ctx, heloc.OriginatorID(who.OriginatorUUID))
	if err != nil {
		return nil, err
	}
	left, err := p.d.Store.DepartedLeads(ctx, who.Company(), heloc.OriginatorID(who.OriginatorUUID))
	return append(leads, left...), err
}

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
