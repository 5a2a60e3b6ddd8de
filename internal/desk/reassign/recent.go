package reassign

import (
	"context"

	"hearthline/internal/access"
	"hearthline/internal/lead"
)

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
