package desk

import (
	"context"

	"hearthline/internal/access"
	"hearthline/internal/desk/intake"
	"hearthline/internal/desk/internal/core"
	desklead "hearthline/internal/desk/lead"
	"hearthline/internal/desk/offers"
	"hearthline/internal/desk/reassign"
	"hearthline/internal/lead"
)

// Lead is one lead opened by one user, with the methods of every area. Opening it checked that the user may see it.
type Lead struct {
	*desklead.Lead
	core core.Lead
}

// Lead opens a lead. It returns fault.NotFound for a lead that does not exist, that this user cannot access, or that
// their role may not see: the three cases look alike.
func (d *Desk) Lead(ctx context.Context, app string) (*Lead, error) {
	return openLead(ctx, d.core, app)
}

func openLead(ctx context.Context, d core.Desk, app string) (*Lead, error) {
	l, err := d.OpenLead(ctx, app)
	if err != nil {
		return nil, err
	}
	return &Lead{desklead.Of(l), l}, nil
}

// Reopen opens the lead again, as it is now: what refused a form may have changed the lead after it was opened.
func (l *Lead) Reopen(ctx context.Context) (*Lead, error) {
	if err := l.core.May(access.SeeLead); err != nil {
		return nil, err
	}
	return openLead(ctx, l.core.Desk, string(l.App()))
}

// Offers returns what can be done about the lead's offers.
func (l *Lead) Offers() *offers.Offers { return offers.Of(l.core) }

// Clone creates a draft from what was sent for this lead; see intake.Clone.
func (l *Lead) Clone(ctx context.Context) (string, error) { return intake.Clone(ctx, l.core) }

// Assignees finds who can take this lead.
func (l *Lead) Assignees(ctx context.Context, typed string) (reassign.Targets, error) {
	return reassign.Assignees(ctx, l.core, typed)
}

// Reassign moves the lead to another originator.
func (l *Lead) Reassign(ctx context.Context, req reassign.Request) (lead.Operation, error) {
	return reassign.Reassign(ctx, l.core, req)
}

// Received returns the reassignment that gave the lead to its current originator; nil when there was none.
func (l *Lead) Received(ctx context.Context) (*reassign.ReassignmentDetails, error) {
	return reassign.Received(ctx, l.core)
}
