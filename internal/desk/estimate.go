package desk

import (
	"context"
	"encoding/json"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/partner"
	"hearthline/internal/store"
)

// EstimateAccess says how estimates are asked for here. Without an affiliate there are
// none: its id is the only key that the lender takes for them (section 5).
type EstimateAccess struct {
	Affiliate   string
	Unencrypted bool // by the deprecated first version, which is not encrypted
}

// Enabled says whether estimates are to be had at all.
func (a EstimateAccess) Enabled() bool { return a.Affiliate != "" }

// Estimates asks for offers without an inquiry.
type Estimates struct{ d *Desk }

// Estimates opens it; fault.Denied without the permission, fault.NotFound where this
// portal has none.
func (d *Desk) Estimates() (*Estimates, error) {
	if err := d.may(access.Prequalify); err != nil {
		return nil, err
	}
	if !d.EstimateAccess.Enabled() {
		return nil, fault.New(fault.NotFound, "There is no quick estimate here.")
	}
	return &Estimates{d}, nil
}

// NewOperationID makes the operation id of a form that is being rendered.
func (e *Estimates) NewOperationID() string {
	return e.d.Journal.NewOperationID(e.d.Actor, heloc.OpPrequalify, "", "new")
}

// Request asks for an estimate (section 4.20). It leaves a record at the lender, so it is
// journalled and sent once; the answer is for this page alone and is kept nowhere. It is
// nil for an operation that was not answered now: one whose outcome is not known, and a
// form that was sent before.
func (e *Estimates) Request(ctx context.Context, ticket string, ask heloc.Prequalification) (store.Operation, *heloc.Estimate, error) {
	if err := e.d.may(access.Prequalify); err != nil {
		return store.Operation{}, nil, err
	}
	if ask.Address != nil {
		if err := e.d.requireLicense(ctx, ask.Address.State, "address.state"); err != nil {
			return store.Operation{}, nil, err
		}
	}
	ask.AffiliateID, ask.RequestType = e.d.EstimateAccess.Affiliate, "OFFERS"
	content, err := json.Marshal(ask)
	if err != nil {
		return store.Operation{}, nil, err
	}
	var got *heloc.Estimate
	op, err := e.d.Journal.Execute(ctx, journal.Intent{
		OperationID: ticket, Kind: heloc.OpPrequalify, Actor: e.d.Actor, DigestContent: []string{string(content)},
	}, func(ctx context.Context, _ string) journal.Outcome {
		result, err := e.send(ctx, ask)
		if err == nil {
			got = &result.Value
		}
		return outcome(partner.WriteResult{Status: statusOK, Messages: result.Messages, RequestID: result.RequestID}, err)
	}, nil)
	return op, got, err
}

// statusOK is the status that the client has taken for a result.
const statusOK = 200

func (e *Estimates) send(ctx context.Context, ask heloc.Prequalification) (partner.Result[heloc.Estimate], error) {
	if e.d.EstimateAccess.Unencrypted {
		return e.d.Lender.PrequalifyPlain(ctx, ask)
	}
	return e.d.Lender.Prequalify(ctx, ask)
}
