package core

import (
	"context"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/lead"
)

// StartName returns the borrower's name from the form with which the user sent a start. It is empty once the form has
// been deleted.
func (d Desk) StartName(ctx context.Context, op lead.Operation) (heloc.Name, error) {
	draft, err := d.Store.Draft(ctx, d.UserScope(), op.DraftID)
	if fault.Is(err, fault.NotFound) || len(draft.StartSnapshot) == 0 {
		return heloc.Name{}, nil
	}
	if err != nil {
		return heloc.Name{}, err
	}
	snapshots, err := journal.DecryptStartSnapshots(d.Vault, draft)
	return snapshots[op.ID].Name, err
}
