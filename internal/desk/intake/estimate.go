package intake

import (
	"context"
	"encoding/json"

	"hearthline/internal/access"
	"hearthline/internal/desk/internal/core"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/lead"
	"hearthline/internal/partner"
)

// Estimates requests offers without an inquiry.
type Estimates struct{ d core.Desk }

// OpenEstimates returns the estimates; fault.Denied without the permission, fault.NotFound when this portal has none.
func OpenEstimates(d core.Desk) (*Estimates, error) {
	if err := d.May(access.Prequalify); err != nil {
		return nil, err
	}
	if !d.EstimateAccess.Enabled() {
		return nil, fault.New(fault.NotFound, "Quick estimates aren’t available here.")
	}
	return &Estimates{d}, nil
}

// NewOperationID makes the operation id of a form that is being rendered.
func (e *Estimates) NewOperationID() string {
	return e.d.Journal.NewOperationID(e.d.Actor, heloc.OpPrequalify, "", "new")
}

// TakesSSN reports whether an SSN can be sent: only encrypted, and by a user who may send one.
func (e *Estimates) TakesSSN() bool {
	return !e.d.EstimateAccess.Unencrypted && e.d.May(access.SendSSN) == nil
}

// Request requests an estimate (section 4.20). The lender stores a record of it, so it is journaled and sent once.
// The result is for this page only and is not stored. It is nil for an operation that has no answer now: one whose
// outcome is unknown, or a form that was sent before.
func (e *Estimates) Request(ctx context.Context, operationID string,
	ask heloc.Prequalification) (lead.Operation, *heloc.Estimate, error) {
	if err := e.d.May(access.Prequalify); err != nil {
		return lead.Operation{}, nil, err
	}
	has := "no ssn"
	if ask.SSN.Reveal() != "" {
		if has = "ssn"; e.d.EstimateAccess.Unencrypted {
			return lead.Operation{}, nil, fault.New(fault.Invalid,
				"Estimates aren’t encrypted here, so the SSN can’t be sent. Nothing was sent.")
		}
		if err := e.d.May(access.SendSSN); err != nil {
			return lead.Operation{}, nil, err
		}
	}
	if ask.Address != nil {
		if err := e.d.RequireLicense(ctx, ask.Address.State, "address.state"); err != nil {
			return lead.Operation{}, nil, err
		}
	}
	ask.AffiliateID, ask.RequestType = e.d.EstimateAccess.Affiliate, "OFFERS"
	content, err := json.Marshal(ask)
	if err != nil {
		return lead.Operation{}, nil, err
	}
	var got *heloc.Estimate
	op, err := e.d.Execute(ctx, journal.Intent{
		OperationID: operationID, Kind: heloc.OpPrequalify, Actor: e.d.Actor, DigestContent: []string{string(content), has},
	}, func(ctx context.Context, _ string) heloc.CallResult {
		result, err := e.send(ctx, ask)
		if err == nil {
			got = &result.Value
		}
		return partner.ResultOf(partner.WriteResult{Status: statusOK, Messages: result.Messages, RequestID: result.RequestID,
			Effect: heloc.EffectStated}, err)
	})
	return op, got, err
}

// statusOK is the status that the client has accepted as a success.
const statusOK = 200

func (e *Estimates) send(ctx context.Context, ask heloc.Prequalification) (partner.Result[heloc.Estimate], error) {
	if e.d.EstimateAccess.Unencrypted {
		return e.d.Lender.PrequalifyPlain(ctx, ask)
	}
	return e.d.Lender.Prequalify(ctx, ask)
}
