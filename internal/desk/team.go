package desk

import (
	"context"

	"hearthline/internal/access"
)

// Team is what a manager does for the leads of a company.
type Team struct{ d *Desk }

// Team returns the team's work; fault.Denied without the permission.
func (d *Desk) Team() (*Team, error) {
	if err := d.may(access.SeeTeam); err != nil {
		return nil, err
	}
	return &Team{d}, nil
}

// QueuePage is one page of the unassigned leads.
type QueuePage struct {
	Rows []PipelineRow
	Next string
}

// Unassigned lists the leads of the company whose originator has left it, by due time. They wait here until they are
// assigned to somebody.
func (t *Team) Unassigned(ctx context.Context, after string) (QueuePage, error) {
	if err := t.d.may(access.SeeTeam); err != nil {
		return QueuePage{}, err
	}
	found, err := t.d.store.UnassignedLeads(ctx, t.d.Actor.Scope(), after)
	if err != nil {
		return QueuePage{}, err
	}
	page := QueuePage{Next: found.Next}
	for _, l := range found.Leads {
		name, err := t.d.borrowerName(l)
		if err != nil {
			return page, err
		}
		page.Rows = append(page.Rows, PipelineRow{Row: l, Name: name})
	}
	return page, nil
}

// UnassignedCount counts the unassigned leads, up to store.CountLimit.
func (t *Team) UnassignedCount(ctx context.Context) (int, error) {
	if err := t.d.may(access.SeeTeam); err != nil {
		return 0, err
	}
	return t.d.store.CountUnassigned(ctx, t.d.company())
}
