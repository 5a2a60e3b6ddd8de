package core

import (
	"context"
	"slices"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// AssistantChoice is what is chosen for an assistant: for whom they work, as originators or access.AllOriginators, and
// whether they may reassign leads.
type AssistantChoice struct {
	Originators []string
	Reassigns   bool
}

// WorksFor returns the set of originators of a choice. A field error names the control worksFor.
func (c AssistantChoice) WorksFor(ctx context.Context, from store.Queries, who access.Actor) (access.Covers, error) {
	if slices.Contains(c.Originators, string(access.AllOriginators)) {
		return access.AllOriginators, nil
	}
	all, err := from.OriginatorsAtWork(ctx, who.CompanyScope())
	for _, id := range c.Originators {
		if err == nil && !slices.ContainsFunc(all, func(o lead.Originator) bool { return string(o.UUID) == id }) {
			err = fault.InvalidField("worksFor", "Choose from the originators listed")
		}
	}
	return access.CoversOf(c.Originators...), err
}

// SetAssistant saves a choice for an assistant of the user's company.
func (d Desk) SetAssistant(ctx context.Context, tx *store.Tx, who access.User, c AssistantChoice) error {
	if who.Role != access.Assistant {
		return fault.New(fault.Conflict, "This user isn’t an assistant. Nothing was changed.")
	}
	worksFor, err := c.WorksFor(ctx, tx.Queries, who.Actor)
	if err != nil {
		return err
	}
	return tx.SetAssistant(ctx, d.Actor, who.UserID, worksFor, c.Reassigns)
}

// OriginatorsFor lists for whom an assistant can work; nobody for users who are not assistants.
func (d Desk) OriginatorsFor(ctx context.Context, who access.Actor) ([]lead.Originator, error) {
	if who.Role != access.Assistant {
		return nil, nil
	}
	return d.Store.OriginatorsAtWork(ctx, who.CompanyScope())
}
