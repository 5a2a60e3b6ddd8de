package pipeline

import (
	"context"

	"hearthline/internal/access"
	"hearthline/internal/desk/internal/core"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

// ListRequest says which list a page shows, and what it shows beside it.
type ListRequest struct {
	Query lead.Query
	Typed string // what the user searches for
	// Start reports whether this is where a user begins: the first page of a list without filters.
	Start bool
	// Reassignments reports whether the page shows the user's recent reassignments to those who may reassign.
	Reassignments bool
	// Views reports whether the page offers the user's saved views.
	Views bool
}

// ListPage is what the page of a list shows.
type ListPage struct {
	Page
	Updates     Updates
	Originators []lead.Originator // by whom the user can filter; nil for users who see only their own leads
	Drafts      int               // how many drafts the user has
	Unread      int               // notifications, up to lead.UnreadLimit
	Unsettled   []UnsettledStart  // starts of the user, and of those for whom they cover, whose outcome is unknown
	// StartsReported reports whether a notification from the lender can show that it received one of Unsettled.
	StartsReported bool
	HasReturned    bool       // there may be something to show about the user's last absence
	Views          SavedViews // empty inside a CRM
	HasReassigned  bool       // the user may have reassigned leads in the last few days
	// Matching counts the leads on all pages of the list for those who may reassign them, up to one more than a run can
	// have; 0 when all of them are on this page.
	Matching int
	// Masked reports whether places and amounts are masked, for users that only a CRM vouches for.
	Masked                             bool
	MayPrepare, MayAnnotate, MayExport bool
}

// UnsettledStart is a start whose outcome is unknown, with the borrower's name as its sender typed it; the name is
// empty if it is not stored anymore, and for users that only a CRM vouches for.
type UnsettledStart struct {
	lead.Operation
	Name heloc.Name
}

// unsettledStarts lists the starts of unknown outcome that the user can settle. The caller has checked the permission.
func unsettledStarts(ctx context.Context, d core.Desk) ([]UnsettledStart, error) {
	ops, err := d.Store.UnsettledOf(ctx, d.UserScope(), d.Actor.Scope().Covering.All())
	if err != nil || len(ops) == 0 {
		return nil, err
	}
	all := make([]UnsettledStart, len(ops))
	for i, op := range ops {
		all[i].Operation = op
		if d.Actor.VouchedByCRM {
			continue
		}
		if all[i].Name, err = d.StartName(ctx, op); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// ListPage composes the page of a list.
func (p *Pipeline) ListPage(ctx context.Context, req ListRequest) (page ListPage, err error) {
	if err := p.d.May(access.SeePipeline); err != nil {
		return page, err
	}
	extras, err := p.d.Store.ListExtras(ctx, p.d.UserScope(), p.d.Now().Add(-lead.RecentReassignments))
	if err != nil {
		return page, err
	}
	page.Unread = extras.Unread
	if page.Page, err = p.read(ctx, req.Query, req.Typed, extras.Unknown); err != nil {
		return page, err
	}
	actor := p.d.Actor
	page.Masked = actor.VouchedByCRM
	page.MayPrepare, page.MayAnnotate, page.MayExport = actor.Can(access.PrepareDraft), actor.Can(access.AnnotateLead),
		actor.Can(access.ExportPipeline)
	if page.Updates, err = p.updates(ctx, extras); err != nil {
		return page, err
	}
	if p.list.Scope.OriginatorUUID == "" {
		if page.Originators, err = p.list.People(ctx); err != nil {
			return page, err
		}
	}
	if page.MayPrepare && extras.Drafts {
		if page.Drafts, err = p.d.Store.CountUnsentDrafts(ctx, p.d.UserScope(), actor.Scope()); err != nil {
			return page, err
		}
	}
	page.HasReturned = req.Start && extras.Returned
	if req.Views && (extras.OwnViews || extras.SharedViews) {
		if page.Views, err = (&Views{p.d}).List(ctx); err != nil {
			return page, err
		}
	}
	if extras.Unsettled || extras.Unknown && actor.Scope().Covering != "" {
		if page.Unsettled, err = unsettledStarts(ctx, p.d); err != nil {
			return page, err
		}
	}
	if len(page.Unsettled) > 0 {
		if page.StartsReported, err = p.d.StartsReported(ctx); err != nil {
			return page, err
		}
	}
	if !req.Reassignments || !actor.Can(access.ReassignLead) {
		return page, nil
	}
	if req.Typed == "" && (page.Next != "" || req.Query.After != "") {
		if page.Matching, err = p.matching(ctx, req.Query, page.Page); err != nil {
			return page, err
		}
	}
	page.HasReassigned = extras.Reassigned || extras.Runs
	return page, nil
}

// matching counts the leads on all pages of a list, up to one more than a run can have. If only a tab or an
// originator filters the list, the tab's count is the same and is used instead.
func (p *Pipeline) matching(ctx context.Context, q lead.Query, page Page) (int, error) {
	if q.Lane != "" && q.ByOriginatorOnly() {
		return min(page.LaneCounts()[q.Lane], lead.MaxBulkLeads+1), nil
	}
	return p.d.Store.CountLeads(ctx, p.list.Scope, q, lead.MaxBulkLeads+1)
}
