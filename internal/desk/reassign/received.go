package reassign

import (
	"context"

	"hearthline/internal/access"
	"hearthline/internal/desk/internal/core"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// ReceivedLeads is what one originator received from a colleague's run.
type ReceivedLeads struct {
	ByName   string
	At       int64
	Note     string
	Undone   bool               // the run undid an earlier one
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
	r := ReceivedLeads{At: job.CreatedAt, Undone: job.Kind == lead.JobUndo, Assigned: assigned}
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
