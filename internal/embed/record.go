package embed

import (
	"cmp"
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

// Mark is the mark of a record of the client; "" where there is no record.
func (s *Service) Mark(c Client, record launch.Record) string {
	if strings.TrimSpace(record.ID) == "" {
		return ""
	}
	return journal.RecordMark(s.vault, store.CompanyOf(c.BrokerID, ""), c.Key, record.ID)
}

// Lead finds the lead of a client's record within a scope: the one that has not ended, else
// the newest. False when there is none.
func (s *Service) Lead(ctx context.Context, scope access.Scope, c Client, record launch.Record) (store.Lead, bool, error) {
	mark := s.Mark(c, record)
	if mark == "" {
		return store.Lead{}, false, nil
	}
	all, err := s.leads(ctx, scope, mark)
	if err != nil || len(all) == 0 {
		return store.Lead{}, false, err
	}
	return all[0], true, nil
}

// Carrying finds the leads within a scope that carry a record's id without being of the
// record: started in the portal itself, or beside a record of another CRM. Whether they
// are the same is for a person to say.
func (s *Service) Carrying(ctx context.Context, scope access.Scope, c Client, record launch.Record) ([]store.Lead, error) {
	if strings.TrimSpace(record.ID) == "" {
		return nil, nil
	}
	return s.leads(ctx, scope, journal.ReferenceMark(s.vault, store.CompanyOf(c.BrokerID, ""), record.ID))
}

// leads are those of a mark within a scope, the ones that have not ended first, then the
// newest.
func (s *Service) leads(ctx context.Context, scope access.Scope, mark string) ([]store.Lead, error) {
	all, err := s.store.LeadsOfReference(ctx, scope, mark)
	slices.SortStableFunc(all, func(a, b store.Lead) int {
		if ended(a) != ended(b) {
			if ended(a) {
				return 1
			}
			return -1
		}
		return cmp.Compare(b.CreatedAt, a.CreatedAt)
	})
	return all, err
}

func ended(l store.Lead) bool { return l.Lane == "ended" }
