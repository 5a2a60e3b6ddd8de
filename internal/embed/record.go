package embed

import (
	"context"
	"slices"
	"strings"

	"hearthline/internal/access"
	"hearthline/internal/journal"
	"hearthline/internal/launch"
	"hearthline/internal/store"
)

// ReferenceControl is the control of the intake that carries a record's id to the lender:
// a person or company of the CRM is a customer, all else a reference, unless that one
// carries the portal's own number.
func (s *Service) ReferenceControl(record launch.Record) string {
	const reference, customer = "externalReferenceId", "externalCustomerId"
	people := []string{"contact", "person", "personaccount", "account", "customer", "client", "company", "borrower"}
	name := reference
	if slices.Contains(people, strings.ToLower(record.Type)) {
		name = customer
	}
	switch s.Taken {
	case name:
		name = map[string]string{reference: customer, customer: reference}[name]
	}
	return "partnerDataRequest." + name
}

// Lead finds the lead of a record within a scope: the one that has not ended, else the
// newest. False when there is none.
func (s *Service) Lead(ctx context.Context, scope access.Scope, brokerID string, record launch.Record) (store.Lead, bool, error) {
	if record.ID == "" {
		return store.Lead{}, false, nil
	}
	mark := journal.ReferenceMark(s.vault, store.CompanyOf(brokerID, ""), record.ID)
	all, err := s.store.LeadsOfReference(ctx, scope, mark)
	if err != nil || len(all) == 0 {
		return store.Lead{}, false, err
	}
	slices.SortFunc(all, func(a, b store.Lead) int {
		if ended(a) != ended(b) {
			if ended(a) {
				return 1
			}
			return -1
		}
		return int(b.CreatedAt - a.CreatedAt)
	})
	return all[0], true, nil
}

func ended(l store.Lead) bool { return l.Lane == "ended" }
