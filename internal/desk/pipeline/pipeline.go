// Package pipeline has the handles of a user's lists.
//
//	pipeline.go, list_page.go  the lists and their page
//	saved_view.go, search.go  saved lists, and what a user can jump to from any page
//	export.go, dates.go  files, coming dates, the calendar and its feed
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
	Counts     map[heloc.Lane]int                 // up to lead.CountLimit each
	Filtered   map[heloc.Lane]int                 // the same of a list that only an originator filters; otherwise nil
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
	counts, err := p.d.Store.ListCounts(ctx, p.list.ListScope(q), "", now)
	if err != nil {
		return page, err
	}
	page.Counts, page.Moves = counts.Lanes, counts.MoveCounts
	if p.list.Scope.OriginatorUUID == "" && q.Originator != "" && typed == "" && q.ByOriginatorOnly() {
		filtered, err := p.d.Store.ListCounts(ctx, p.list.Scope, q.Originator, now)
		if err != nil {
			return page, err
		}
		page.Filtered, page.Moves = filtered.Lanes, filtered.MoveCounts
	}
	if page.UsualWaits, err = p.d.UsualWaits.Read(ctx, p.d.Services); err != nil {
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
	if p.d.Actor.OriginatorUUID == "" {
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
