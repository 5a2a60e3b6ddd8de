package desk

import (
	"context"

	"hearthline/internal/access"
	"hearthline/internal/desk/pipeline"
	"hearthline/internal/desk/reassign"
	"hearthline/internal/desk/team"
)

// ListPage is what the page of a list shows.
type ListPage struct {
	pipeline.ListPage
	Covers   []team.Cover   // for whom the user covers now
	Returned *team.Returned // what was done during the user's last absence; nil if there is nothing to show
	// Reassignments is nil unless it was requested and the user may reassign.
	Reassignments *reassign.RecentReassignments
}

// ListPage composes the page of a list.
func (d *Desk) ListPage(ctx context.Context, req pipeline.ListRequest) (page ListPage, err error) {
	list, err := pipeline.Open(d.core)
	if err != nil {
		return page, err
	}
	if page.ListPage, err = list.ListPage(ctx, req); err != nil {
		return page, err
	}
	if page.Covers, err = team.CoversOf(ctx, d.core); err != nil {
		return page, err
	}
	if page.HasReturned {
		if page.Returned, err = team.ReturnedOf(ctx, d.core); err != nil {
			return page, err
		}
	}
	if !req.Reassignments || !d.Actor.Can(access.ReassignLead) {
		return page, nil
	}
	page.Reassignments = &reassign.RecentReassignments{}
	if page.HasReassigned {
		var bulk *reassign.Bulk
		if bulk, err = reassign.OpenBulk(d.core); err == nil {
			page.Reassignments, err = bulk.AllRecent(ctx)
		}
	}
	return page, err
}
