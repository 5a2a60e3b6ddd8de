package lendersync

import (
	"hearthline/internal/access"
	"hearthline/internal/lead"
	"hearthline/internal/sandbox"
)

// faultsDown makes the lender fail every request.
func faultsDown() sandbox.Faults { return sandbox.Faults{ErrorRate: 1} }

// noFaults makes the lender work.
func noFaults() sandbox.Faults { return sandbox.Faults{} }

func scopeOf(l lead.Row) access.Scope {
	if l.BrokerID() != "" {
		return access.Scope{BrokerID: l.BrokerID()}
	}
	return access.Scope{Organization: l.Organization}
}
