package team

import (
	"context"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

// UnassignedReason is why a lead has no originator, as far as it is known.
type UnassignedReason string

// The reasons.
const (
	UnassignedNotListed UnassignedReason = "not-listed" // the lender's directory no longer lists the originator
	UnassignedMoved     UnassignedReason = "moved"      // the originator is at another company now
	// the originator is still listed here, but did not get the lead back
	UnassignedCannot UnassignedReason = "cannot"
	// its originator moved to another company before the lender confirmed the start
	UnassignedStarted UnassignedReason = "started"
	UnassignedUnknown UnassignedReason = "unknown"
)

// UnassignedLead is a lead without an originator.
type UnassignedLead struct {
	lead.PipelineRow
	Reason UnassignedReason
	Former string // the name of whoever had it, or started it; empty if unknown
	Since  int64  // since when it has no originator, in milliseconds
}

// QueuePage is one page of the unassigned leads.
type QueuePage struct {
	Leads []UnassignedLead
	Next  string
}

// Unassigned lists the open leads of the company that have no originator, by due time. They wait here until they are
// assigned to somebody.
func (t *Team) Unassigned(ctx context.Context, after string) (QueuePage, error) {
	if err := t.d.May(access.SeeTeam); err != nil {
		return QueuePage{}, err
	}
	found, err := t.d.Store.UnassignedLeads(ctx, t.d.Actor.Scope(), after)
	if err != nil {
		return QueuePage{}, err
	}
	apps := lead.Apps(found.Leads)
	formers, err := t.d.Store.FormerOriginators(ctx, apps)
	if err != nil {
		return QueuePage{}, err
	}
	events, err := t.d.Store.UnassignedEvents(ctx, apps)
	if err != nil {
		return QueuePage{}, err
	}
	page := QueuePage{Next: found.Next}
	for _, l := range found.Leads {
		one := UnassignedLead{PipelineRow: lead.PipelineRow{Row: &l}}
		if one.Name, err = t.d.BorrowerName(l.App, l.Borrower); err != nil {
			return page, err
		}
		if one.Reason, one.Former, err = t.unassignedReason(ctx, formers[l.App], events[l.App]); err != nil {
			return page, err
		}
		one.Since = l.CreatedAt
		if e := events[l.App]; e.At != 0 {
			one.Since = e.At
		}
		page.Leads = append(page.Leads, one)
	}
	return page, nil
}

// unassignedReason returns why a lead has no originator, and who had it or started it.
func (t *Team) unassignedReason(ctx context.Context, former heloc.OriginatorID,
	e lead.Event) (UnassignedReason, string, error) {
	if former == "" {
		if e.Kind == lead.EventStarted {
			return UnassignedStarted, e.ActorName, nil
		}
		return UnassignedUnknown, "", nil
	}
	o, err := t.d.Store.Originator(ctx, former)
	switch {
	case fault.Is(err, fault.NotFound):
		return UnassignedNotListed, "", nil
	case err != nil:
		return "", "", err
	case o.RemovedAt != 0:
		return UnassignedNotListed, o.Name(), nil
	case access.CompanyOf(o.BrokerID, o.Organization) != t.d.Company():
		return UnassignedMoved, o.Name(), nil
	default:
		return UnassignedCannot, o.Name(), nil
	}
}

// UnassignedCount counts the unassigned leads.
func (t *Team) UnassignedCount(ctx context.Context) (int, error) {
	if err := t.d.May(access.SeeTeam); err != nil {
		return 0, err
	}
	return t.d.Store.CountUnassigned(ctx, t.d.Company())
}

// AssignmentRules reads the company's rules, which every page about unassigned leads mentions.
func (t *Team) AssignmentRules(ctx context.Context) (lead.AssignmentRules, error) {
	if err := t.d.May(access.SeeTeam); err != nil {
		return lead.AssignmentRules{}, err
	}
	return t.d.Store.AssignmentRules(ctx, t.d.Company())
}
