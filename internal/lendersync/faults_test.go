package lendersync

import (
	"hearthline/internal/access"
	"hearthline/internal/sandbox"
	"hearthline/internal/store"
)

// faultsDown is a lender that is down.
func faultsDown() sandbox.Faults { return sandbox.Faults{ErrorRate: 1} }

// noFaults is one that is not.
func noFaults() sandbox.Faults { return sandbox.Faults{} }

func scopeOf(l store.Lead) access.Scope {
	if l.BrokerID != "" {
		return access.Scope{BrokerID: l.BrokerID}
	}
	return access.Scope{Organization: l.Organization}
}
