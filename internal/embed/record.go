package embed

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"strings"

	"hearthline/internal/access"
	"hearthline/internal/fault"
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
	return sortLeads(all), err
}

// sortLeads sorts leads that have not ended first, then the newest.
func sortLeads(all []lead.Row) []lead.Row {
	slices.SortStableFunc(all, func(a, b lead.Row) int {
		if LeadEnded(a) == LeadEnded(b) {
			return cmp.Compare(b.CreatedAt, a.CreatedAt)
		}
		return map[bool]int{false: -1, true: 1}[LeadEnded(a)]
	})
	return all
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

// CRMCard is what a CRM may display about a record without a frame.
type CRMCard struct {
	Lead  lead.Row
	Found bool
}

// Caller is who asks for cards and statuses, and whose leads it may see.
type Caller struct {
	Client      Client
	Scope       access.Scope
	RequestedBy string // the CRM user who asks; "" for the CRM's server
	// NotConnected means that the CRM user is not linked to a portal user who may come from
	// the CRM, so it may see no lead.
	NotConnected bool
}

// CardRequest is the URL of a card, or of a list of statuses, as requested, which is what was signed.
type CardRequest struct {
	Key   string // of the client
	Path  string // as received, with its escapes
	Query string // as received, without its question mark
}

// record is the requested record: the last path element, unescaped once, and the type in the
// query. The error is fault.Invalid if there are several types.
func (c CardRequest) record() (launch.Record, error) {
	id, err := url.PathUnescape(c.Path[strings.LastIndexByte(c.Path, '/')+1:])
	if err != nil {
		return launch.Record{}, fault.Wrap(fault.Invalid, "The record’s ID is not URL-encoded.", err)
	}
	query, err := url.ParseQuery(c.Query)
	if err != nil || len(query["type"]) > 1 {
		return launch.Record{}, fault.Wrap(fault.Invalid, "Specify the record type once: ?type=contact.", err)
	}
	return launch.Record{Type: query.Get("type"), ID: id}, nil
}

// CallerByToken verifies a launch token for the requested URL; it ignores any record in the
// token. Only the CRM's server can sign one, and it decides who sees the answer: it may ask for
// every lead of its company.
func (s *Service) CallerByToken(ctx context.Context, ask CardRequest, raw string) (Caller, error) {
	c, err := s.Client(ctx, ask.Key)
	if err != nil {
		return Caller{}, err
	}
	audience := s.publicURL(ask.Path)
	if ask.Query != "" {
		audience += "?" + ask.Query
	}
	by, err := s.verifyToken(ctx, c, audience, raw)
	if err != nil {
		return Caller{}, s.logRejection(ctx, c, EndpointCard, err)
	}
	return Caller{Client: c, Scope: access.Scope{BrokerID: c.BrokerID}, RequestedBy: by.Subject}, nil
}

// CallerByCall verifies a request signed with the client's secret. HubSpot signs whatever the
// code of a card in a user's browser requests, and identifies that user: the user sees only
// leads that are accessible in the portal, and none until the CRM user is linked. A Canvas
// client's secret is known only to the CRM's server, which may ask as in CallerByToken.
func (s *Service) CallerByCall(ctx context.Context, ask CardRequest, call launch.Call) (Caller, error) {
	c, err := s.Client(ctx, ask.Key)
	if err != nil {
		return Caller{}, err
	}
	call.URI, call.Query = s.publicURL(ask.Path), ask.Query
	if c.Kind != launch.KindCall {
		if err := launch.VerifyCall(c.Client, call, s.Now()); err != nil {
			return Caller{}, s.logRejection(ctx, c, EndpointCard, err)
		}
		return Caller{Client: c, Scope: access.Scope{BrokerID: c.BrokerID}}, nil
	}
	by, err := launch.VerifyCaller(c.Client, call, s.Now())
	if err != nil {
		return Caller{}, s.logRejection(ctx, c, EndpointCard, err)
	}
	person, err := s.personOf(ctx, c, by.Subject())
	if err != nil {
		return Caller{}, err
	}
	return Caller{Client: c, Scope: person.Scope(), RequestedBy: by.Subject(),
		NotConnected: person.UserID == "" || !person.Can(access.SeePipeline)}, nil
}

// personOf returns the portal user who is linked to a CRM user, whichever key the link is stored under.
func (s *Service) personOf(ctx context.Context, c Client, subject string) (person access.User, err error) {
	for _, index := range s.vault.CRMUserIndexes(c.Key, subject) {
		if person, err = s.linkedUser(ctx, c, index); err != nil || person.UserID != "" {
			break
		}
	}
	return person, err
}

// Card finds the lead of the requested record. If no type is given, it searches every
// type; fault.Conflict if records of more than one type have a lead.
func (s *Service) Card(ctx context.Context, by Caller, ask CardRequest) (CRMCard, error) {
	if by.NotConnected {
		return CRMCard{}, nil
	}
	record, err := ask.record()
	if err != nil {
		return CRMCard{}, err
	}
	if launch.RecordType(by.Client.Kind, record.Type) != "" {
		l, found, err := s.Lead(ctx, by.Scope, by.Client, record)
		return CRMCard{Lead: l, Found: found}, err
	}
	byType, err := s.leadsByType(ctx, by.Scope, by.Client, record.ID)
	if err != nil {
		return CRMCard{}, err
	}
	var one CRMCard
	for _, leads := range byType {
		if one.Found && one.Lead.App != leads[0].App {
			return CRMCard{}, fault.New(fault.Conflict,
				"Records of more than one type have this ID. Specify the type: ?type=contact.")
		}
		one = CRMCard{Lead: leads[0], Found: true}
	}
	return one, nil
}
