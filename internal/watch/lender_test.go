package watch

import (
	"hearthline/internal/access"
	"hearthline/internal/sandbox"
	"hearthline/internal/store"
)

// sandbox503 is a lender that is down.
func sandbox503() sandbox.Faults { return sandbox.Faults{ErrorRate: 1} }

// sandboxWell is one that is not.
func sandboxWell() sandbox.Faults { return sandbox.Faults{} }

func scopeOf(l store.Lead) access.Scope {
	if l.BrokerID != "" {
		return access.Scope{BrokerID: l.BrokerID}
	}
	return access.Scope{Organization: l.Organization}
}
