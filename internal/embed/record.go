package embed

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"hearthline/internal/access"
	"hearthline/internal/launch"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// RecordIndexes are the blind indexes of a client's record for every key, the current key's
// first; none if there is no record.
func (s *Service) RecordIndexes(c Client, record launch.Record) []string {
	return s.typedRecordIndexes(c, launch.RecordType(c.Kind, record.Type), record.ID)
}

// LegacyIndexes are the blind indexes of a record with the same number that the client sent without a
// type: a match may be this record or one of another type. None for a record without a type.
func (s *Service) LegacyIndexes(c Client, record launch.Record) []string {
	if launch.RecordType(c.Kind, record.Type) == "" {
		return nil
	}
	return s.typedRecordIndexes(c, "", record.ID)
}

func (s *Service) typedRecordIndexes(c Client, kind, id string) []string {
	if strings.TrimSpace(id) == "" {
		return nil
	}
	return s.vault.RecordIndexes(access.CompanyOf(c.BrokerID, ""), vault.CRMRecord{Client: c.Key, Type: kind, ID: id})
}

// RecordIndex is what is stored for a client's record; the zero value if there is none.
func (s *Service) RecordIndex(c Client, record launch.Record) store.RecordIndex {
	indexes := s.RecordIndexes(c, record)
	if len(indexes) == 0 {
		return store.RecordIndex{}
	}
	return store.RecordIndex{Client: c.Key, Type: launch.RecordType(c.Kind, record.Type), BlindIndex: indexes[0],
		KeyID: s.vault.DigestKey()}
}

// Lead finds the lead of a client's record within a scope: one that has not ended, otherwise
// the newest. False if there is none.
func (s *Service) Lead(ctx context.Context, scope access.Scope, c Client,
	record launch.Record) (lead.Row, bool, error) {
	indexes := s.RecordIndexes(c, record)
	if len(indexes) == 0 {
		return lead.Row{}, false, nil
	}
	all, err := s.leadsByIndexes(ctx, scope, indexes)
	if err != nil || len(all) == 0 {
		return lead.Row{}, false, err
	}
	return all[0], true, nil
}

// UnlinkedLeads finds the leads within a scope that have a record's id but are not linked to the
// record: started in the portal, from a record of another CRM, or from one without a type.
// A user decides whether they are the same. Leads that are linked to the client's record of
// another type with the same number are excluded.
func (s *Service) UnlinkedLeads(ctx context.Context, scope access.Scope, c Client,
	record launch.Record) ([]lead.Row, error) {
	if strings.TrimSpace(record.ID) == "" {
		return nil, nil
	}
	all, err := s.leadsByIndexes(ctx, scope, append(s.vault.ReferenceIndexes(access.CompanyOf(c.BrokerID, ""), record.ID),
		s.LegacyIndexes(c, record)...))
	if err != nil {
		return nil, err
	}
	own, err := s.leadsByIndexes(ctx, scope, s.RecordIndexes(c, record))
	if err != nil {
		return nil, err
	}
	leads := all[:0]
	for _, l := range all {
		another, err := s.belongsToOtherType(ctx, l, c, record)
		if err != nil {
			return nil, err
		}
		if !another && !slices.ContainsFunc(own, func(o lead.Row) bool { return o.App == l.App }) {
			leads = append(leads, l)
		}
	}
	return leads, nil
}

// belongsToOtherType reports whether a lead is linked to the client's record of another type
// with the same number.
func (s *Service) belongsToOtherType(ctx context.Context, l lead.Row, c Client, record launch.Record) (bool, error) {
	refs, err := s.store.ReferencesOf(ctx, l.App)
	return slices.ContainsFunc(refs, func(r store.Reference) bool {
		return r.Client == c.Key && r.Type != "" && r.Type != launch.RecordType(c.Kind, record.Type) &&
			slices.Contains(s.typedRecordIndexes(c, r.Type, record.ID), r.BlindIndex)
	}), err
}

// leadsByType finds the leads within a scope of the client's records with a number, grouped by
// record type; types without leads are omitted.
func (s *Service) leadsByType(ctx context.Context, scope access.Scope, c Client,
	id string) (map[string][]lead.Row, error) {
	types, err := s.store.RecordTypes(ctx, c.Key)
	if err != nil || strings.TrimSpace(id) == "" {
		return nil, err
	}
	found := map[string][]lead.Row{}
	for _, kind := range types {
		leads, err := s.leadsByIndexes(ctx, scope, s.typedRecordIndexes(c, kind, id))
		if err != nil {
			return nil, err
		}
		if len(leads) > 0 {
			found[kind] = leads
		}
	}
	return found, nil
}

// leadsByIndexes finds the leads with any of the indexes within a scope: those that have not ended first,
// then the newest.
func (s *Service) leadsByIndexes(ctx context.Context, scope access.Scope, indexes []string) ([]lead.Row, error) {
	all, err := s.store.LeadsOfReference(ctx, scope, indexes)
	slices.SortStableFunc(all, func(a, b lead.Row) int {
		if LeadEnded(a) == LeadEnded(b) {
			return cmp.Compare(b.CreatedAt, a.CreatedAt)
		}
		return map[bool]int{false: -1, true: 1}[LeadEnded(a)]
	})
	return all, err
}

// LeadEnded reports whether a lead has ended.
func LeadEnded(l lead.Row) bool { return l.Lane == "ended" }

// ReferenceControl is the control of the intake that sends a record's id to the lender: the
// customer id for a person or company of the CRM, otherwise the reference id, or the other
// one if that control contains the portal's own number.
func (s *Service) ReferenceControl(record launch.Record) string {
	const reference, customer = "externalReferenceId", "externalCustomerId"
	people := []string{"contact", "person", "personaccount", "account", "customer", "client", "company", "borrower"}
	name := reference
	if slices.Contains(people, strings.ToLower(record.Type)) {
		name = customer
	}
	if s.ReservedReference == name {
		name = map[string]string{reference: customer, customer: reference}[name]
	}
	return "partnerDataRequest." + name
}
