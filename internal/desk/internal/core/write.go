package core

import (
	"context"
	"slices"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/lead"
	"hearthline/internal/partner"
	"hearthline/internal/store"
)

// LeadWrite is one write to a lead.
type LeadWrite struct {
	Kind          heloc.Operation
	Permission    access.Permission
	Steps         []heloc.Step // where it is allowed; empty means everywhere
	OperationID   string
	DigestContent []string // everything that is sent; of the SSN only whether it is present
	Consent       *lead.Consent
	Assignee      heloc.OriginatorID // the new originator of a reassignment
	DepartureRun  string             // the administrator's run that it belongs to
	Prepare       func(ctx context.Context, tx *store.Tx, row lead.Row, id string) error
	Send          func(ctx context.Context, by heloc.OriginatorID) (partner.WriteResult, error)
}

// Submit runs a write: it checks the permission and the step, executes the write through the journal and requests
// that the lead be read. The error is nil for an operation that was accepted and for one whose outcome is unknown.
func (l Lead) Submit(ctx context.Context, a LeadWrite) (lead.Operation, error) {
	if err := l.May(a.Permission); err != nil {
		return lead.Operation{}, err
	}
	intent := journal.Intent{
		OperationID: a.OperationID, Kind: a.Kind, Actor: l.Actor, App: l.Row.App, DigestContent: a.DigestContent,
		Consent: a.Consent, Target: a.Assignee, DepartureRun: a.DepartureRun, Prepare: a.Prepare,
		RepeatConfirmed: l.RepeatConfirmed,
	}
	if len(a.Steps) > 0 && !slices.Contains(a.Steps, l.Row.Step) {
		// The same form may have been sent before. Then its sender gets the first result.
		if outcome, err := l.Journal.ExistingOutcome(ctx, intent); err == nil {
			return outcome.Result()
		}
		return lead.Operation{}, fault.New(fault.Conflict,
			"The lead changed after you opened this page. Nothing was sent. Check its current step.")
	}
	by := heloc.OriginatorID(l.Actor.OriginatorUUID)
	op, err := l.Execute(ctx, intent, func(ctx context.Context, _ string) heloc.CallResult {
		return partner.ResultOf(a.Send(ctx, by))
	})
	if op.ID != "" {
		l.RequestRefresh(l.Row.App)
	}
	return op, err
}
