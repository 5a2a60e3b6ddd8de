package core

import (
	"context"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// StartName returns the borrower's name from the form with which a start was sent, for a user who may open its receipt.
// It is empty once the form has been deleted or transferred.
func (d Desk) StartName(ctx context.Context, op lead.Operation) (heloc.Name, error) {
	draft, err := d.Store.DraftOfOperation(ctx, op.DraftID)
	if fault.Is(err, fault.NotFound) || err == nil && draft.OwnerID != op.ActorID || len(draft.StartSnapshot) == 0 {
		return heloc.Name{}, nil
	}
	if err != nil {
		return heloc.Name{}, err
	}
	snapshots, err := journal.DecryptStartSnapshots(d.Vault, draft)
	return snapshots[op.ID].Name, err
}

// CoversStart reports whether the user covers for the originator in whose name a start without a lead was sent. Nobody
// else could settle it while its sender is away.
func (d Desk) CoversStart(op lead.Operation) bool {
	return op.Kind == heloc.OpStart && op.App == "" && op.Company == d.Company() &&
		d.Actor.Scope().AsDeputy(access.Owner{OriginatorUUID: string(op.Originator)})
}

// StartsReported reports whether a notification from the lender can show that it received a start whose response was
// lost. The portal must accept notifications, and the lender must not be known to omit our reference.
func (d Desk) StartsReported(ctx context.Context) (bool, error) {
	if !d.Webhooks {
		return false, nil
	}
	echo, err := d.Store.Setting(ctx, store.LenderEcho)
	return echo != "no", err
}
