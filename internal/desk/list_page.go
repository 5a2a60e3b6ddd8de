package desk

import (
	"context"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

// ListRequest says which list a page shows, and what it shows beside it.
type ListRequest struct {
	Query lead.Query
	Typed string // what the user searches for
	// Dates is whether the page shows the upcoming dates.
	Dates bool
	// Reassignments is whether the page shows the user's recent reassignments to those who may reassign.
	Reassignments bool
	// Views is whether the page offers the user's saved views.
	Views bool
}

// ListPage is what the page of a list shows.
type ListPage struct {
	PipelinePage
	Updates     Updates
	Originators []lead.Originator // by whom the user can filter; nil for users who see only their own leads
	Drafts      int               // how many drafts the user has
	Unread      int               // notifications, up to lead.UnreadLimit
	Dates       []ComingDate
	Unsettled   []UnsettledStart // the user's starts whose outcome is unknown
	Covers      []Cover          // for whom the user covers now
	Returned    *Returned        // what was done during the user's last absence; nil if there is nothing to show
	Views       SavedViews       // nobody's in a CRM
	// Reassignments is nil unless it was requested and the user may reassign.
	Reassignments *RecentReassignments
	// Matching counts the leads on all pages of the list for those who may reassign them, up to one more than a run can
	// have; 0 when all of them are on this page.
	Matching int
	// Masked is whether places and amounts are masked, for users that only a CRM vouches for.
	Masked                             bool
	MayPrepare, MayAnnotate, MayExport bool
}

// UnsettledStart is a start whose outcome is unknown, with the borrower's name as the user typed it; the name is empty
// if it is not stored anymore, and for users that only a CRM vouches for.
type UnsettledStart struct {
	lead.Operation
	Name heloc.Name
}

// unsettledStarts lists the user's starts whose outcome is unknown. The caller has checked the permission.
func (d *Desk) unsettledStarts(ctx context.Context) ([]UnsettledStart, error) {
	ops, err := d.store.UnsettledOf(ctx, d.userScope())
	if err != nil || len(ops) == 0 {
		return nil, err
	}
	all := make([]UnsettledStart, len(ops))
	for i, op := range ops {
		all[i].Operation = op
		if d.Actor.VouchedByCRM {
			continue
		}
		if all[i].Name, err = d.startName(ctx, op); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// RecentReassignments is what the user has reassigned in the last days.
type RecentReassignments struct {
	Single []ReassignmentDetails
	Runs   []RunSummary
	// UndoOperationIDs are the ids of the forms that undo a single reassignment, by its operation.
	UndoOperationIDs map[string]string
}

// ListPage composes the page of a list.
func (p *Pipeline) ListPage(ctx context.Context, req ListRequest) (page ListPage, err error) {
	if err := p.d.may(access.SeePipeline); err != nil {
		return page, err
	}
	extras, err := p.d.store.ListExtras(ctx, p.d.userScope(), p.d.now().Add(-recentFor))
	if err != nil {
		return page, err
	}
	page.Unread = extras.Unread
	if page.PipelinePage, err = p.read(ctx, req.Query, req.Typed, extras.Unknown); err != nil {
		return page, err
	}
	actor := p.d.Actor
	page.Masked = actor.VouchedByCRM
	page.MayPrepare, page.MayAnnotate, page.MayExport = actor.Can(access.PrepareDraft), actor.Can(access.AnnotateLead), actor.Can(access.ExportPipeline)
	if page.Updates, err = p.updates(ctx, extras); err != nil {
		return page, err
	}
	if p.scope.OriginatorUUID == "" {
		if page.Originators, err = p.d.store.OriginatorsOf(ctx, p.scope); err != nil {
			return page, err
		}
	}
	if page.MayPrepare && extras.Drafts {
		if page.Drafts, err = (&Drafts{p.d}).Count(ctx); err != nil {
			return page, err
		}
	}
	if page.Covers, err = p.d.covers(ctx); err != nil {
		return page, err
	}
	if req.Dates {
		if extras.Returned {
			if page.Returned, err = p.d.returned(ctx); err != nil {
				return page, err
			}
		}
		if page.Dates, err = p.dates(ctx); err != nil {
			return page, err
		}
	}
	if req.Views && (extras.OwnViews || extras.SharedViews) {
		if page.Views, err = (&Views{p.d}).List(ctx); err != nil {
			return page, err
		}
	}
	if extras.Unsettled {
		if page.Unsettled, err = p.d.unsettledStarts(ctx); err != nil {
			return page, err
		}
	}
	if !req.Reassignments || !actor.Can(access.ReassignLead) {
		return page, nil
	}
	if req.Typed == "" && (page.Next != "" || req.Query.After != "") {
		if page.Matching, err = p.d.store.CountLeads(ctx, p.scope, req.Query, MaxBulkLeads+1); err != nil {
			return page, err
		}
	}
	page.Reassignments = &RecentReassignments{}
	if extras.Reassigned || extras.Runs {
		page.Reassignments, err = p.d.recentReassignments(ctx)
	}
	return page, err
}

// recentReassignments reads what the user has reassigned. The caller has checked the permission.
func (d *Desk) recentReassignments(ctx context.Context) (*RecentReassignments, error) {
	h := &BulkReassignments{d}
	single, err := h.Recent(ctx)
	if err != nil {
		return nil, err
	}
	recent := &RecentReassignments{Single: single, UndoOperationIDs: make(map[string]string, len(single))}
	for _, one := range single {
		recent.UndoOperationIDs[one.OpID] = h.NewUndoOperationID(one.App)
	}
	recent.Runs, err = h.Runs(ctx)
	return recent, err
}
