package reassign

import (
	"context"

	"github.com/oklog/ulid/v2"

	"hearthline/internal/desk/internal/core"
	desklead "hearthline/internal/desk/lead"
	"hearthline/internal/fault"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

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
	if run.Kind != lead.JobReassign || len(rows) == 0 {
		return "", fault.New(fault.Conflict,
			"A reassignment can only be undone for 15 minutes. Nothing was undone. Reassign the leads instead.")
	}
	sealed, err := vault.SealJSON(b.d.Vault, vault.JobAAD(formKey), core.RunPayload{})
	if err != nil {
		return "", err
	}
	return formKey, b.addRun(ctx, lead.Job{
		ID: formKey, Kind: lead.JobUndo, ActorID: b.d.Actor.UserID, Company: b.d.Company(), Sealed: sealed,
		CreatedAt: store.Millis(b.d.Now()),
	}, rows, "undo:"+id)
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
