// Package pipeline has the handles of a user's lists.
//
//	pipeline.go      the lists and their page
//	saved_view.go, search.go  saved lists, and what a user can jump to from any page
//	dates.go         coming dates, the calendar and its feed, exported lists
//	today.go         the next lead in Today
//	inbox.go         the user's notifications
package pipeline

import (
	"context"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/desk/internal/core"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// Pipeline is the lead lists of a user.
type Pipeline struct {
	d    core.Desk
	list core.List
}

// Open returns the lists; fault.Denied without the permission.
func Open(d core.Desk) (*Pipeline, error) {
	return core.Opened(&Pipeline{d, d.LeadList()}, d.May(access.SeePipeline))
}

// Page is one page of a list with the counts of all lanes.
type Page struct {
	Rows       []lead.PipelineRow
	Next       string
	Today      bool                               // the rows are Today, in its sections
	Counts     map[heloc.Lane]int                 // up to lead.CountLimit each
	Filtered   map[heloc.Lane]int                 // the same for a list filtered by an originator only; otherwise nil
	Moves      lead.MoveCounts                    // of the leads of Filtered or, without it, of Counts
	UsualWaits map[heloc.Operation]lead.UsualWait // how long the lender usually takes for each
}

// LaneCounts returns the counts of this list's lanes: Filtered if only an originator filters the list, otherwise
// Counts.
func (p Page) LaneCounts() map[heloc.Lane]int {
	if p.Filtered != nil {
		return p.Filtered
	}
	return p.Counts
}

// Page reads one page. With a query, the lane does not filter: a search covers everything that the user may see.
func (p *Pipeline) Page(ctx context.Context, q lead.Query, typed string) (Page, error) {
	if err := p.d.May(access.SeePipeline); err != nil {
		return Page{}, err
	}
	return p.read(ctx, q, typed, true)
}

// read reads one page for a user who may see it; unknown is false if no lead has a write whose outcome is unknown.
func (p *Pipeline) read(ctx context.Context, q lead.Query, typed string, unknown bool) (page Page, err error) {
	if p.d.Actor.VouchedByCRM { // a filter or a sort order would reveal what is masked
		q.State, typed = "", ""
		if q.Sort == lead.SortAmount {
			q.Sort, q.After = lead.SortDue, ""
		}
	}
	now := store.Millis(p.d.Now())
	counts, err := p.d.Store.ListCounts(ctx, p.list.TodayScope(q, ""), now)
	if err != nil {
		return page, err
	}
	page.Counts, page.Moves = counts.Lanes, counts.MoveCounts
	if p.list.Scope.OriginatorUUID == "" && q.Originator != "" && typed == "" &&
		(q.ByOriginatorOnly() || q.InToday()) {
		filtered, err := p.d.Store.ListCounts(ctx, p.list.TodayScope(q, q.Originator), now)
		if err != nil {
			return page, err
		}
		page.Filtered, page.Moves = filtered.Lanes, filtered.MoveCounts
	}
	if page.UsualWaits, err = p.d.UsualWaits.Read(ctx, p.d.Services); err != nil {
		return page, err
	}
	if page.Today = q.InToday() && typed == ""; page.Today {
		page.Rows, page.Next, err = p.list.Today(ctx, q)
		return page, err
	}
	var leads []lead.Row
	if leads, page.Next, err = p.list.Leads(ctx, q, typed); err != nil {
		return page, err
	}
	page.Rows, err = p.list.RowsOf(ctx, leads, unknown)
	return page, err
}

// Updates is what has happened since the user last marked updates as seen or, before that, since their account
// exists.
type Updates struct {
	Since     time.Time
	Counts    []lead.StatusCount
	FollowUps int // leads with a follow-up that has come due since
	Notes     int // leads on which others have written a note
}

// updates reads the updates; empty for users without leads of their own.
func (p *Pipeline) updates(ctx context.Context, extras store.ListExtras) (n Updates, err error) {
	if p.d.Actor.OriginatorUUID == "" || p.d.Actor.Role == access.Assistant {
		return n, nil
	}
	who := heloc.OriginatorID(p.d.Actor.OriginatorUUID)
	n.Since, n.FollowUps = store.Instant(extras.UpdatesSeenAt), extras.FollowUps
	if !extras.Events {
		return n, nil
	}
	n.Counts, n.Notes, err = p.d.Store.UpdatesSince(ctx, who, n.Since, p.d.Actor.UserID)
	return n, err
}

// MarkUpdatesSeen records that the user has seen the updates.
func (p *Pipeline) MarkUpdatesSeen(ctx context.Context) error {
	if err := p.d.May(access.SeePipeline); err != nil {
		return err
	}
	return p.d.Store.MarkUpdatesSeen(ctx, p.d.Actor.UserID)
}

// Adopt adds an application that exists at the lender to the lists, by its id, if the user may see the leads of its
// originator.
func (p *Pipeline) Adopt(ctx context.Context, typed string) (heloc.AppID, error) {
	if err := p.d.May(access.AnnotateLead); err != nil {
		return "", err
	}
	return p.d.Adopt(typed, func(app heloc.AppID, by store.Adopter) error {
		if _, err := p.d.Store.Lead(ctx, by.Scope, app); err == nil {
			return nil
		}
		return p.d.Refresher.Adopt(ctx, app, by)
	})
}

// Snapshot returns a context with which all that a page reads is of one state of the database. The caller ends it
// before it writes the page to the browser.
func (p *Pipeline) Snapshot(ctx context.Context) (_ context.Context, end func(), err error) {
	if err := p.d.May(access.SeePipeline); err != nil {
		return nil, nil, err
	}
	return p.d.Store.Snapshot(ctx)
}

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
	Masked bool
	// FirstDay is what a new user has still to do, on the page where they begin while Today is empty; nil when all is
	// done.
	FirstDay *FirstDay
	// WaitingOwn and WaitingFormer count the open leads that were a new user's before their account existed: those that
	// are theirs, and those that have no originator.
	WaitingOwn, WaitingFormer int
	// NextDates are the next dates of an empty Today.
	NextDates                          []lead.Date
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
	if page.Today && len(page.Rows) == 0 {
		if page.NextDates, err = p.nextDates(ctx, req.Query); err != nil {
			return page, err
		}
	}
	if err := p.addFirstDay(ctx, &page, req, extras); err != nil {
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
