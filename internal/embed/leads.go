package embed

import (
	"context"
	"errors"
	"maps"
	"net/url"
	"slices"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/launch"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// LeadStatus is a lead and the caller's records that it is linked to.
type LeadStatus struct {
	Lead lead.Row
	// Records have the ID only if the lender returns it with the lead: we store blind indexes of records.
	Records []launch.Record
}

// LeadPage is one page of statuses.
type LeadPage struct {
	Leads  []LeadStatus
	Cursor string // where the next page begins; "" if the leads of one record were asked for
	More   bool   // the next page can be read at once
}

// MaxLeads is the number of leads on a page.
const MaxLeads = 500

// Leads lists the leads that are linked to the client's records and that the caller may see: those of one record, or
// those that have changed since a cursor, in the order of their last changes.
func (s *Service) Leads(ctx context.Context, by Caller, ask CardRequest) (LeadPage, error) {
	query, err := url.ParseQuery(ask.Query)
	if err != nil {
		return LeadPage{}, fault.Wrap(fault.Invalid, "The query is not URL-encoded.", err)
	}
	record := query.Has("record")
	if record && query.Has("changed_since") || !record && query.Has("type") ||
		max(len(query["record"]), len(query["type"]), len(query["changed_since"])) > 1 { // HubSpot adds its own names
		return LeadPage{}, fault.New(fault.Invalid, "Use either record, with or without type, or changed_since, each once.")
	}
	var rows []lead.Row
	var page LeadPage
	switch {
	case by.NotConnected:
	case record:
		rows, err = s.leadsOfRecord(ctx, by, launch.Record{Type: query.Get("type"), ID: query.Get("record")})
	default:
		rows, page, err = s.changedLeads(ctx, by, query.Get("changed_since"))
	}
	if err != nil {
		return LeadPage{}, err
	}
	page.Leads, err = s.withRecords(ctx, by.Client, rows)
	return page, err
}

// leadsOfRecord finds the leads of a record: those that have not ended first, then the newest. Without a type it
// searches every type.
func (s *Service) leadsOfRecord(ctx context.Context, by Caller, record launch.Record) ([]lead.Row, error) {
	if launch.RecordType(by.Client.Kind, record.Type) != "" {
		return s.leadsByIndexes(ctx, by.Scope, s.RecordIndexes(by.Client, record))
	}
	byType, err := s.leadsByType(ctx, by.Scope, by.Client, record.ID)
	if err != nil {
		return nil, err
	}
	var all []lead.Row
	for _, kind := range slices.Sorted(maps.Keys(byType)) {
		for _, l := range byType[kind] {
			if !slices.ContainsFunc(all, func(o lead.Row) bool { return o.App == l.App }) {
				all = append(all, l)
			}
		}
	}
	return sortLeads(all), nil
}

// changedLeads lists the leads that changed after a cursor, and where the next page begins.
func (s *Service) changedLeads(ctx context.Context, by Caller, cursor string) ([]lead.Row, LeadPage, error) {
	after, ok := store.ParseChangeKey(cursor)
	if !ok && cursor != "" {
		return nil, LeadPage{}, fault.New(fault.Invalid, "The cursor isn’t one that this service returned.")
	}
	found, err := s.store.LeadChanges(ctx, access.CompanyOf(by.Client.BrokerID, ""), by.Client.Key, after, MaxLeads+1)
	if err != nil {
		return nil, LeadPage{}, err
	}
	page := LeadPage{More: len(found) > MaxLeads}
	var rows []lead.Row
	for i := range found[:min(len(found), MaxLeads)] {
		after = found[i].Key()
		if by.Scope.Covers(found[i].Owner()) {
			rows = append(rows, found[i].Row)
		}
	}
	page.Cursor = after.String()
	return rows, page, nil
}

// withRecords adds the client's records to leads.
func (s *Service) withRecords(ctx context.Context, c Client, rows []lead.Row) ([]LeadStatus, error) {
	if len(rows) == 0 {
		return nil, nil
	}
	apps := make([]heloc.AppID, len(rows))
	for i := range rows {
		apps[i] = rows[i].App
	}
	links, err := s.store.ClientReferences(ctx, c.Key, apps)
	if err != nil {
		return nil, err
	}
	references, err := s.store.PartOfEach(ctx, lead.PartReferences, apps)
	if err != nil {
		return nil, err
	}
	ids := map[heloc.AppID][]string{}
	for _, p := range references {
		if ids[p.App], err = s.lenderIDs(p); err != nil {
			return nil, err
		}
	}
	linked := map[heloc.AppID][]store.Reference{}
	for _, link := range links {
		linked[link.App] = append(linked[link.App], link)
	}
	all := make([]LeadStatus, len(rows))
	for i, row := range rows {
		all[i] = LeadStatus{Lead: row, Records: s.recordsOf(c, linked[row.App], ids[row.App]...)}
	}
	return all, nil
}

// lenderIDs returns the ids of other systems that the lender returned with a lead; none if they cannot be decrypted.
func (s *Service) lenderIDs(of store.SealedPart) ([]string, error) {
	d, err := vault.UnsealJSON[heloc.Integrations](s.vault, vault.PartAAD(of.App, of.Part), of.Sealed)
	if errors.Is(err, vault.ErrUndecryptable) {
		return nil, nil
	}
	return []string{d.ApplicationID, d.CustomerID, d.ReferenceID}, err
}

// recordsOf returns the client's records of a lead, with the ID if it is among some. Several links may be to one
// record, under different keys.
func (s *Service) recordsOf(c Client, links []store.Reference, ids ...string) []launch.Record {
	var records []launch.Record
	for _, link := range links {
		record := launch.Record{Type: link.Type}
		for _, id := range ids {
			if slices.Contains(s.typedRecordIndexes(c, link.Type, id), link.BlindIndex) {
				record.ID = id
			}
		}
		if !slices.Contains(records, record) {
			records = append(records, record)
		}
	}
	return records
}
