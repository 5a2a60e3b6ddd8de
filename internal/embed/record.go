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

// Marks are the marks of a record of the client by every key, the present one's first; none
// where there is no record.
func (s *Service) Marks(c Client, record launch.Record) []string {
	if strings.TrimSpace(record.ID) == "" {
		return nil
	}
	return journal.RecordMarks(s.vault, store.CompanyOf(c.BrokerID, ""), c.Key, record.ID)
}

// Record is what is kept of a record of the client; the zero Record where there is none.
func (s *Service) Record(c Client, record launch.Record) store.Record {
	marks := s.Marks(c, record)
	if len(marks) == 0 {
		return store.Record{}
	}
	return store.Record{Client: c.Key, Mark: marks[0], Under: s.vault.DigestKey()}
}

// Lead finds the lead of a client's record within a scope: the one that has not ended, else
// the newest. False when there is none.
func (s *Service) Lead(ctx context.Context, scope access.Scope, c Client, record launch.Record) (store.Lead, bool, error) {
	marks := s.Marks(c, record)
	if len(marks) == 0 {
		return store.Lead{}, false, nil
	}
	all, err := s.leads(ctx, scope, marks)
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
	return s.leads(ctx, scope, journal.ReferenceMarks(s.vault, store.CompanyOf(c.BrokerID, ""), record.ID))
}

// leads are those of any of the marks within a scope, the ones that have not ended first, then the
// newest.
func (s *Service) leads(ctx context.Context, scope access.Scope, marks []string) ([]store.Lead, error) {
	all, err := s.store.LeadsOfReference(ctx, scope, marks)
	slices.SortStableFunc(all, func(a, b store.Lead) int {
		if Ended(a) != Ended(b) {
			if Ended(a) {
				return 1
			}
			return -1
		}
		return cmp.Compare(b.CreatedAt, a.CreatedAt)
	})
	return all, err
}

// Ended says whether nothing is to be done on a lead any more.
func Ended(l store.Lead) bool { return l.Lane == "ended" }
