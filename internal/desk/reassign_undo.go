package desk

import (
	"context"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/lead"
	"hearthline/internal/partner"
	"hearthline/internal/store"
)

// undoWindow is how long the user who reassigned a lead can undo it.
const undoWindow = 15 * time.Minute

// UndoUntil returns until when the reassignment can be undone; the zero time when it cannot, for example because the
// lead had no originator before, or has moved on since.
func (h ReassignmentDetails) UndoUntil() time.Time {
	if done := h.DoneAt(); done != 0 && h.Undoes == "" && h.FromOriginator != "" && !h.MovedOn {
		return store.Instant(done).Add(undoWindow)
	}
	return time.Time{}
}

// Reassignment returns the reassignment of this receipt; fault.NotFound for any other operation and for another
// user's.
func (r *Receipt) Reassignment(ctx context.Context) (ReassignmentDetails, error) {
	if err := r.d.may(access.ReassignLead); err != nil {
		return ReassignmentDetails{}, err
	}
	if r.Op.Kind != heloc.OpReassign || r.Op.ActorID != r.d.Actor.UserID {
		return ReassignmentDetails{}, fault.New(fault.NotFound, "This isn’t one of your reassignments.")
	}
	row, err := r.d.store.Reassignment(ctx, r.Op.ID)
	if err != nil {
		return ReassignmentDetails{}, err
	}
	return r.d.withNames(ctx, row), nil
}

// NewUndoOperationID makes the operation id of the form that undoes the reassignment. The user may no longer have
// access to the lead, so the id does not contain the lead's step.
func (r *Receipt) NewUndoOperationID() string {
	return r.d.journal.NewOperationID(r.d.Actor, heloc.OpReassign, r.Op.App, "undo")
}

// Undo undoes a reassignment by reassigning the lead to its former originator. It is journaled like any other
// reassignment. Only the user who reassigned the lead can undo it, for fifteen minutes, and only while the new
// originator still has the lead.
func (r *Receipt) Undo(ctx context.Context, operationID string) (lead.Operation, error) {
	return r.undo(ctx, operationID, undoOptions{at: r.d.now()})
}

// undoOptions are what differs when a run is undone.
type undoOptions struct {
	at        time.Time // when the user decided to undo it
	jobID     string
	untouched bool // refuse it when others have acted on the lead since
}

func (r *Receipt) undo(ctx context.Context, operationID string, o undoOptions) (lead.Operation, error) {
	details, err := r.Reassignment(ctx)
	if err != nil {
		return lead.Operation{}, err
	}
	intent := journal.Intent{
		OperationID: operationID, Kind: heloc.OpReassign, Actor: r.d.Actor, App: r.Op.App, Target: details.FromOriginator, Undoes: r.Op.ID,
		DigestContent: []string{string(details.FromOriginator), "undo", r.Op.ID},
	}
	intent.Prepare = func(ctx context.Context, tx *store.Tx, id string) error {
		row, err := r.checkUndo(ctx, tx, details, o)
		if err != nil {
			return err
		}
		return r.d.saveReassignment(ctx, tx, row, reassignmentWrite{assignee: details.FromOriginator, undoes: r.Op.ID, jobID: o.jobID}, id)
	}
	op, err := r.d.execute(ctx, intent, func(ctx context.Context, _ string) heloc.CallResult {
		return partner.ResultOf(r.d.lender.Reassign(ctx, r.Op.App, details.FromOriginator))
	}, r.d.journal.AcceptOnLead)
	if op.ID != "" {
		r.d.refreshAndPublish(ctx, r.Op.App)
	}
	if err == nil && op.State == lead.OpSucceeded {
		r.d.confirmReassign(ctx, r.Op.App, details.FromOriginator)
	}
	return op, err
}

// checkUndo returns the lead's current row, or an error that explains why the reassignment cannot be undone.
func (r *Receipt) checkUndo(ctx context.Context, tx *store.Tx, details ReassignmentDetails, o undoOptions) (lead.Row, error) {
	refuse := func(why string) (lead.Row, error) {
		return lead.Row{}, fault.New(fault.Conflict, why+" Nothing was sent.")
	}
	if until := details.UndoUntil(); until.IsZero() || !o.at.Before(until) {
		return refuse("A reassignment can only be undone for 15 minutes. Ask the new originator or your manager to reassign the lead.")
	}
	if again, err := tx.ReassignmentUndone(ctx, r.Op.ID); err != nil || again {
		if err != nil {
			return lead.Row{}, err
		}
		return refuse("This reassignment was already undone.")
	}
	if o.untouched {
		acted, err := tx.ActedOn(ctx, r.Op.App, details.DoneAt(), r.d.Actor.UserID)
		if err != nil {
			return lead.Row{}, err
		}
		if acted {
			return refuse("The new originator or a colleague has acted on the lead since.")
		}
	}
	row, err := tx.AnyLead(ctx, r.Op.App)
	if err != nil {
		return row, err
	}
	if row.Originator != details.ToOriginator && row.Originator != details.FromOriginator {
		return refuse("The lead has since been reassigned to someone else.")
	}
	if again, err := reassignedAgain(ctx, tx, r.Op.App, r.Op.ID); err != nil || again {
		if err != nil {
			return row, err
		}
		return refuse("The lead has since been reassigned again.")
	}
	if row.Company != r.d.company() {
		return refuse("The lead is now with a different company.")
	}
	return row, nil
}

// latestReassignments reads the latest reassignment of a lead, in a transaction or outside of one.
type latestReassignments interface {
	LatestReassignment(ctx context.Context, app heloc.AppID) (lead.Reassignment, error)
}

// reassignedAgain reports whether the lead may have been reassigned again after the reassignment of an operation.
func reassignedAgain(ctx context.Context, from latestReassignments, app heloc.AppID, opID string) (bool, error) {
	latest, err := from.LatestReassignment(ctx, app)
	if fault.Is(err, fault.NotFound) {
		return false, nil
	}
	return err == nil && latest.OpID != opID, err
}

// movedOn reports whether the lead is no longer where a reassignment left it, and returns the lead's short id. Until the
// lender's details name the new originator, the lead is still with the former one.
func (d *Desk) movedOn(ctx context.Context, h lead.Reassignment) (shortID string, moved bool, err error) {
	row, err := d.store.AnyLead(ctx, h.App)
	if fault.Is(err, fault.NotFound) {
		return "", true, nil
	}
	if err != nil || row.Originator != h.ToOriginator && row.Originator != h.FromOriginator || row.Company != d.company() {
		return row.ShortID, true, err
	}
	moved, err = reassignedAgain(ctx, d.store, h.App, h.OpID)
	return row.ShortID, moved, err
}
