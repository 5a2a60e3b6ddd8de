package reassign

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/desk/internal/core"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// ReassignmentRun is a bulk reassignment, row by row.
type ReassignmentRun struct {
	lead.Job
	People    []lead.Originator // who was to get its leads, in the order of the rows
	Rows      []RunRow
	Undoable  int                // how many leads UndoAll would return
	UndoUntil time.Time          // until when
	From      heloc.OriginatorID // to whom leads go back later; "" if none do
}

// RunRow is one lead of a run. Name is set only while the user can see the lead.
type RunRow struct {
	lead.JobRow
	Name      heloc.Name
	Result    lead.RowResult
	ToName    string             // of the new originator; empty when nobody was to get the lead
	From      heloc.OriginatorID // who gets the lead back when it is undone
	UndoUntil time.Time          // until when it can be undone; zero when it cannot
	ActedBy   string             // who has acted on the lead since, other than this user; UndoAll leaves such a lead
}

// Retryable reports whether a retry includes the row.
func (r RunRow) Retryable() bool { return r.Result.Retryable() && r.Target != "" }

// FindRun reads a run of this user; fault.NotFound for any other.
func (b *Bulk) FindRun(ctx context.Context, id string) (ReassignmentRun, error) {
	if err := b.d.May(access.ReassignLead); err != nil {
		return ReassignmentRun{}, err
	}
	job, err := b.d.Store.Job(ctx, b.d.UserScope(), id)
	if err != nil {
		return ReassignmentRun{}, err
	}
	if job.Kind == lead.JobRule { // the log of the rules shows it to every manager of the company
		return ReassignmentRun{}, fault.New(fault.NotFound, "Page not found, or you don’t have access.")
	}
	return b.decryptRun(ctx, job)
}

func (b *Bulk) decryptRun(ctx context.Context, job lead.Job) (ReassignmentRun, error) {
	run := ReassignmentRun{Job: job}
	rows, err := b.d.Store.JobRows(ctx, job.ID)
	if err != nil {
		return run, err
	}
	apps := make([]heloc.AppID, len(rows))
	for i, row := range rows {
		apps[i] = row.App
	}
	names, err := b.d.NamesAmong(ctx, apps)
	if err != nil {
		return run, err
	}
	for _, row := range rows {
		row.Messages = b.d.Journal.WithMessages(lead.Operation{ID: row.OpID, Messages: row.Messages}).Messages
		shown := RunRow{JobRow: row, Result: row.ResultFor(row.Target), Name: names[row.App]}
		if row.Target != "" {
			at := slices.IndexFunc(run.People, func(o lead.Originator) bool { return o.UUID == row.Target })
			if at < 0 {
				o, err := b.d.Store.Originator(ctx, row.Target)
				if err != nil && !fault.Is(err, fault.NotFound) {
					return run, err
				}
				o.UUID = row.Target
				at, run.People = len(run.People), append(run.People, o)
			}
			shown.ToName = run.People[at].Name()
		}
		run.Rows = append(run.Rows, shown)
	}
	return run, b.setUndo(ctx, &run)
}

// setUndo records which reassignments of a run were undone since, and which can still be undone.
func (b *Bulk) setUndo(ctx context.Context, run *ReassignmentRun) error {
	if run.Kind == lead.JobUndo {
		return nil
	}
	done, err := b.d.Store.ReassignmentsOfJob(ctx, run.ID)
	if err != nil {
		return err
	}
	acted, err := b.d.Store.ActedSince(ctx, run.ID)
	if err != nil {
		return err
	}
	for i := range run.Rows {
		row, made := &run.Rows[i], done[run.Rows[i].OpID]
		if run.ReturnAt != 0 {
			run.From = cmp.Or(run.From, made.FromOriginator)
		}
		if row.Result != lead.RowConfirming && row.Result != lead.RowMoved {
			continue
		}
		if made.Undone {
			row.Result = lead.RowUndone
			continue
		}
		until := store.Instant(row.AnsweredAt).Add(undoWindow)
		open := b.d.Now().Before(until)
		if open && row.Verdict == lead.OpSucceeded && made.FromOriginator != "" && !made.MovedOn(b.d.Company()) {
			row.From, row.UndoUntil = made.FromOriginator, until
			if name, others := acted[row.OpID]; others {
				row.ActedBy = cmp.Or(name, "Someone")
			} else {
				run.Undoable++
				if run.UndoUntil.IsZero() || until.Before(run.UndoUntil) {
					run.UndoUntil = until
				}
			}
		}
		if row.Result == lead.RowConfirming && row.Originator != "" &&
			(made.ReassignedAgain() || b.d.Now().Sub(store.Instant(row.AnsweredAt)) > undoWindow) {
			row.Result = lead.RowMoved // it moved, and has moved on to another originator since
		}
	}
	return nil
}

// Retry retries the rows that failed, each with a new operation. It skips rows that may have reached the lender.
func (b *Bulk) Retry(ctx context.Context, id string) error {
	run, err := b.FindRun(ctx, id)
	if err != nil {
		return err
	}
	return b.d.Store.Write(ctx, func(tx *store.Tx) error {
		now, err := tx.JobRows(ctx, id)
		if err != nil {
			return err
		}
		for i, row := range run.Rows {
			if !row.Retryable() || now[i].State != row.State || now[i].OpID != row.OpID { // or it has begun again since
				continue
			}
			row.State, row.OpID, row.Reason = lead.JobRowWaiting, "", ""
			if err := tx.SaveJobRow(ctx, row.JobRow); err != nil {
				return err
			}
		}
		return tx.ReopenJob(ctx, id)
	})
}

// ErrJobTaken ends a turn of a job that another process has leased since.
var ErrJobTaken = errors.New("another process has the job")

// runRow is a row of a run that is being executed.
type runRow struct {
	job lead.Job
	lead.JobRow
}

// begin marks the row as sent in the transaction that stores its operation: whatever stops the process, a row that was
// not sent has no operation, and one that may have been sent does not begin again.
func (r runRow) begin(ctx context.Context, tx *store.Tx, opID string) error {
	r.State, r.OpID = lead.JobRowSent, opID
	return r.save(ctx, tx)
}

func (r runRow) save(ctx context.Context, tx *store.Tx) error {
	if ours, err := tx.ExtendJobLease(ctx, r.job); err != nil || !ours {
		return cmp.Or(err, ErrJobTaken)
	}
	return tx.SaveJobRow(ctx, r.JobRow)
}

// ExecuteRow executes one waiting row of a run, and stops it when a check refuses it. If ExecuteRow returns an error,
// the row keeps waiting.
func (b *Bulk) ExecuteRow(ctx context.Context, job lead.Job, waiting lead.JobRow) error {
	if err := b.d.May(access.ReassignLead); err != nil {
		return err
	}
	row := runRow{job, waiting}
	execute := b.reassignRow
	if job.Kind == lead.JobUndo {
		execute = b.undoRow
	}
	op, err := execute(ctx, row)
	if err == nil || op.ID != "" { // the operation has the outcome
		return nil
	}
	switch fault.KindOf(err) {
	case fault.Invalid, fault.Conflict, fault.Denied, fault.NotFound:
		row.State, row.Reason = lead.JobRowStopped, fault.Public(err)
		if fields := fault.FieldsOf(err); len(fields) > 0 {
			row.Reason = fields[0].Message
		}
		if errors.Is(err, errWorkedOn) {
			row.State, row.Reason = lead.JobRowAsked, ""
		}
		return b.d.Store.Write(ctx, func(tx *store.Tx) error {
			if err := row.save(ctx, tx); err != nil || job.Kind != lead.JobReturn {
				return err
			}
			return askAboutReturn(ctx, b.d.Services, tx, job)
		})
	}
	return err
}

func (b *Bulk) reassignRow(ctx context.Context, row runRow) (op lead.Operation, err error) {
	payload, err := vault.UnsealJSON[core.RunPayload](b.d.Vault, vault.JobAAD(row.job.ID), row.job.Sealed)
	if err != nil {
		return op, err
	}
	l, err := b.d.OpenLead(ctx, string(row.App))
	if err != nil {
		return op, rowNotFound(err)
	}
	return Reassign(ctx, l, Request{OperationID: l.NewOperationID(heloc.OpReassign), Assignee: string(row.Target),
		Note: payload.Note, row: &row})
}

// rowNotFound is the error of a row whose lead or reassignment the user cannot open.
func rowNotFound(err error) error {
	if fault.Is(err, fault.NotFound) {
		return fault.Wrap(fault.NotFound, leadNotFoundMessage, err)
	}
	return err
}

// StopRun stops the remaining rows of a run whose user may no longer do it. The system calls it, so it checks no
// permission.
func StopRun(ctx context.Context, s core.Services, job lead.Job, why string) error {
	return s.Store.Write(ctx, func(tx *store.Tx) error {
		rows, err := tx.JobRows(ctx, job.ID)
		if err != nil {
			return err
		}
		for _, row := range rows {
			if row.State != lead.JobRowWaiting || row.Verdict != "" {
				continue
			}
			row.State, row.Reason = lead.JobRowStopped, why
			if job.Kind == lead.JobReturn {
				row.State, row.Reason = lead.JobRowAsked, reasonManager
			}
			if err := tx.SaveJobRow(ctx, row); err != nil {
				return err
			}
		}
		if job.Kind == lead.JobReturn {
			return askAboutReturn(ctx, s, tx, job)
		}
		return nil
	})
}

// ReceivedLeads is what one originator received from a colleague's run.
type ReceivedLeads struct {
	ByName   string
	At       int64
	Note     string
	Undone   bool               // the run undid an earlier one, or gave the leads back
	Assigned int                // how many leads the run assigned to the originator
	Leads    []lead.PipelineRow // those that are still theirs, first the one that is due first
}

// Received opens what this user received from a run, and marks its notification as read; fault.NotFound when they
// received nothing from it.
func (b *Bulk) Received(ctx context.Context, id string) (ReceivedLeads, error) {
	if err := b.d.May(access.ReassignLead); err != nil {
		return ReceivedLeads{}, err
	}
	hidden := fault.New(fault.NotFound, "Page not found, or you don’t have access.")
	to := heloc.OriginatorID(b.d.Actor.OriginatorUUID)
	if to == "" {
		return ReceivedLeads{}, hidden
	}
	assigned, err := b.d.Store.ReceivedFrom(ctx, id, to, b.d.Company())
	if err != nil {
		return ReceivedLeads{}, err
	}
	if assigned == 0 {
		return ReceivedLeads{}, hidden
	}
	job, err := b.d.Store.AnyJob(ctx, id)
	if err != nil {
		return ReceivedLeads{}, err
	}
	r := ReceivedLeads{At: job.CreatedAt, Undone: job.Kind == lead.JobUndo || job.Kind == lead.JobReturn,
		Assigned: assigned}
	by, err := b.d.Store.User(ctx, job.ActorID)
	if err != nil && !fault.Is(err, fault.NotFound) {
		return r, err
	}
	if r.ByName = by.Name; job.Kind == lead.JobRule {
		r.ByName = lead.RulesActorName(by.Name)
	}
	payload, err := vault.UnsealJSON[core.RunPayload](b.d.Vault, vault.JobAAD(id), job.Sealed)
	if err != nil {
		return r, err
	}
	r.Note = payload.Note
	leads, err := b.d.Store.ReceivedLeads(ctx, id, to)
	if err != nil {
		return r, err
	}
	if r.Leads, err = b.d.LeadList().Rows(ctx, leads); err != nil {
		return r, err
	}
	return r, b.d.MarkRead(ctx, store.NoticeSelection{Batch: id})
}

// RecentReassignments is what the user has reassigned in the last days.
type RecentReassignments struct {
	Single []ReassignmentDetails
	Runs   []RunSummary
	// UndoOperationIDs are the ids of the forms that undo a single reassignment, by its operation.
	UndoOperationIDs map[string]string
}

// AllRecent reads what the user has reassigned, alone and in runs.
func (b *Bulk) AllRecent(ctx context.Context) (*RecentReassignments, error) {
	single, err := b.Recent(ctx)
	if err != nil {
		return nil, err
	}
	recent := &RecentReassignments{Single: single, UndoOperationIDs: make(map[string]string, len(single))}
	for _, one := range single {
		recent.UndoOperationIDs[one.OpID] = b.NewUndoOperationID(one.App)
	}
	recent.Runs, err = b.Runs(ctx)
	return recent, err
}

// Recent lists the user's reassignments of the last days, newest first. It contains no borrower data, because the
// user may no longer see those leads.
func (b *Bulk) Recent(ctx context.Context) ([]ReassignmentDetails, error) {
	if err := b.d.May(access.ReassignLead); err != nil {
		return nil, err
	}
	rows, err := b.d.Store.ReassignmentsBy(ctx, b.d.UserScope(), b.d.Now().Add(-lead.RecentReassignments), maxRecent)
	if err != nil {
		return nil, err
	}
	all := make([]ReassignmentDetails, len(rows))
	for i, row := range rows {
		all[i] = withNames(ctx, b.d, row)
		all[i].MovedOn = row.MovedOn(b.d.Company())
	}
	return all, nil
}
