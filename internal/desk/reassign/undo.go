package reassign

import (
	"context"
	"time"

	"github.com/oklog/ulid/v2"

	"hearthline/internal/access"
	"hearthline/internal/desk/internal/core"
	desklead "hearthline/internal/desk/lead"
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
func (r ReassignmentDetails) UndoUntil() time.Time {
	if done := r.DoneAt(); done != 0 && r.Undoes == "" && r.FromOriginator != "" && !r.MovedOn {
		return store.Instant(done).Add(undoWindow)
	}
	return time.Time{}
}

// ReassignmentOf returns the reassignment of an operation; fault.NotFound for any other operation and for another
// user's.
func ReassignmentOf(ctx context.Context, d core.Desk, op lead.Operation) (ReassignmentDetails, error) {
	if err := d.May(access.ReassignLead); err != nil {
		return ReassignmentDetails{}, err
	}
	if op.Kind != heloc.OpReassign || op.ActorID != d.Actor.UserID {
		return ReassignmentDetails{}, fault.New(fault.NotFound, "This isn’t one of your reassignments.")
	}
	row, err := d.Store.Reassignment(ctx, op.ID)
	if err != nil {
		return ReassignmentDetails{}, err
	}
	return withNames(ctx, d, row), nil
}

// NewUndoOperationID makes the operation id of the form that undoes the reassignment. The user may no longer have
// access to the lead, so the id does not contain the lead's step.
func NewUndoOperationID(d core.Desk, op lead.Operation) string {
	return d.Journal.NewOperationID(d.Actor, heloc.OpReassign, op.App, "undo")
}

// Undo undoes a reassignment by reassigning the lead to its former originator. It is journaled like any other
// reassignment. Only the user who reassigned the lead can undo it, for fifteen minutes, and only while the new
// originator still has the lead.
func Undo(ctx context.Context, d core.Desk, op lead.Operation, operationID string) (lead.Operation, error) {
	return undo(ctx, d, op, undoOptions{operationID: operationID, at: d.Now()})
}

// undoOptions are what differs when a run is undone.
type undoOptions struct {
	operationID string
	at          time.Time // when the user decided to undo it
	row         *runRow   // of a run, which leaves leads on which others have acted since
}

func undo(ctx context.Context, d core.Desk, of lead.Operation, o undoOptions) (lead.Operation, error) {
	details, err := ReassignmentOf(ctx, d, of)
	if err != nil {
		return lead.Operation{}, err
	}
	intent := journal.Intent{
		OperationID: o.operationID, Kind: heloc.OpReassign, Actor: d.Actor, App: of.App, Target: details.FromOriginator,
		Undoes:        of.ID,
		DigestContent: []string{string(details.FromOriginator), "undo", of.ID},
	}
	intent.Prepare = func(ctx context.Context, tx *store.Tx, row lead.Row, id string) error {
		if err := checkUndo(ctx, tx, d, undoCheck{details, o, row}); err != nil {
			return err
		}
		return saveReassignment(ctx, d, tx, row,
			reassignmentWrite{assignee: details.FromOriginator, undoes: of.ID, row: o.row}, id)
	}
	op, err := d.Execute(ctx, intent, func(ctx context.Context, _ string) heloc.CallResult {
		return partner.ResultOf(d.Lender.Reassign(ctx, of.App, details.FromOriginator))
	})
	if op.ID != "" {
		d.RequestRefresh(of.App)
	}
	if err == nil && op.State == lead.OpSucceeded {
		confirmReassign(ctx, d, of.App, details.FromOriginator)
	}
	return op, err
}

// undoCheck is a reassignment that is to be undone, and its lead as it is now.
type undoCheck struct {
	ReassignmentDetails
	undoOptions
	lead lead.Row
}

// checkUndo returns an error that explains why the reassignment cannot be undone.
func checkUndo(ctx context.Context, tx *store.Tx, d core.Desk, u undoCheck) error {
	refuse := func(why string) error { return fault.New(fault.Conflict, why+" Nothing was sent.") }
	if until := u.UndoUntil(); until.IsZero() || !u.at.Before(until) {
		return refuse("A reassignment can only be undone for 15 minutes. " +
			"Ask the new originator or your manager to reassign the lead.")
	}
	now, err := tx.Reassignment(ctx, u.OpID)
	if err != nil {
		return err
	}
	if now.Undone {
		return refuse("This reassignment was already undone.")
	}
	if u.row != nil {
		acted, err := tx.ActedOn(ctx, u.App, u.DoneAt(), d.Actor.UserID)
		if err != nil {
			return err
		}
		if acted {
			return refuse("The new originator or a colleague has acted on the lead since.")
		}
	}
	switch {
	case now.LeftBoth():
		return refuse("The lead has since been reassigned to someone else.")
	case now.ReassignedAgain():
		return refuse("The lead has since been reassigned again.")
	case u.lead.Company != d.Company():
		return refuse("The lead is now with a different company.")
	}
	return nil
}

// UndoAll starts a run that returns the leads of a run to their former originators. It leaves leads on which others
// have acted since, and lists them. The same form sent again is the same run.
func (b *Bulk) UndoAll(ctx context.Context, id, formKey string) (undo string, err error) {
	run, err := b.FindRun(ctx, id)
	if err != nil {
		return "", err
	}
	if _, err := ulid.ParseStrict(formKey); err != nil {
		return "", fault.New(fault.Invalid, "This form is no longer valid. Nothing was sent. Reload the page.")
	}
	if _, err := b.d.Store.Job(ctx, b.d.UserScope(), formKey); err == nil {
		return formKey, nil // the same form sent again
	}
	var rows []lead.JobRow
	for _, row := range run.Rows {
		if row.Result == lead.RowWaiting {
			return "", fault.New(fault.Conflict,
				"This reassignment is still in progress. Nothing was undone. Wait until it is done.")
		}
		if row.UndoUntil.IsZero() {
			continue
		}
		rows = append(rows, lead.JobRow{
			JobID: formKey, N: len(rows), App: row.App, ShortID: row.ShortID, State: lead.JobRowWaiting, Target: row.From,
			Undoes: row.OpID,
		})
	}
	if run.Kind != lead.JobReassign && run.Kind != lead.JobReturn || len(rows) == 0 {
		return "", fault.New(fault.Conflict,
			"A reassignment can only be undone for 15 minutes. Nothing was undone. Reassign the leads instead.")
	}
	job, err := b.d.NewRun(formKey, lead.JobUndo, core.RunPayload{})
	if err != nil {
		return "", err
	}
	return formKey, b.d.Store.Write(ctx, func(tx *store.Tx) error {
		return b.addRun(ctx, tx, job, rows, "undo:"+id)
	})
}

// undoRow executes a row that undoes a reassignment. The user who undoes it may have no access to the lead.
func (b *Bulk) undoRow(ctx context.Context, row runRow) (op lead.Operation, err error) {
	receipt, err := desklead.OpenReceipt(ctx, b.d, row.Undoes)
	if err != nil {
		return op, rowNotFound(err)
	}
	at := store.Instant(row.job.CreatedAt) // a long run may end after the window
	if b.d.Now().Sub(at) > undoWindow {
		at = b.d.Now() // but a retry does not extend it
	}
	return undo(ctx, b.d, receipt.Op, undoOptions{operationID: NewUndoOperationID(b.d, receipt.Op), at: at, row: &row})
}
