package embed

import (
	"context"
	"net/url"
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

// Card is what a CRM's server may show of a record without a frame.
type Card struct {
	Lead  store.Lead
	Found bool
}

// CardByToken answers a call that carries a launch token for the card's own address; any
// record of the token's is beside the point.
func (s *Service) CardByToken(ctx context.Context, key, record, raw string) (Card, error) {
	c, err := s.Client(ctx, key)
	if err != nil {
		return Card{}, err
	}
	if _, err := launch.Token(c.Client, s.cardAddress(key, record), raw, s.Now()); err != nil {
		return Card{}, err
	}
	return s.card(ctx, c, record)
}

// CardByCall answers a call signed under the client's secret.
func (s *Service) CardByCall(ctx context.Context, key, record string, call launch.Call) (Card, error) {
	c, err := s.Client(ctx, key)
	if err != nil {
		return Card{}, err
	}
	call.URI = s.cardAddress(key, record)
	if err := launch.SignedCall(c.Client, call, s.Now()); err != nil {
		return Card{}, err
	}
	return s.card(ctx, c, record)
}

func (s *Service) card(ctx context.Context, c Client, record string) (Card, error) {
	l, found, err := s.Lead(ctx, access.Scope{BrokerID: c.BrokerID}, c.BrokerID, launch.Record{ID: record})
	return Card{Lead: l, Found: found}, err
}

func (s *Service) cardAddress(key, record string) string {
	return s.address("/api/embed/" + url.PathEscape(key) + "/records/" + url.PathEscape(record))
}
