package storetest

import (
	"context"
	"testing"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// scopesIsolate calls every query with every scope: none returns a lead outside the scope.
func scopesIsolate(t *testing.T, s *store.Store) {
	owners := []access.Owner{
		{OriginatorUUID: "o1", BrokerID: "B1", Organization: "org"},
		{OriginatorUUID: "o2", BrokerID: "B1", Organization: "org"},
		{OriginatorUUID: "o3", BrokerID: "B2", Organization: "org"}, {OriginatorUUID: "o4", Organization: "org"},
		{OriginatorUUID: "o5", Organization: "other"},
	}
	for i, o := range owners {
		l := leadOf(i+1, o.OriginatorUUID, o.BrokerID)
		l.Company, l.Organization = access.CompanyOf(o.BrokerID, o.Organization), o.Organization
		add(t, s, l)
		write(t, s, func(ctx context.Context, tx *store.Tx) error {
			return tx.AddTokens(ctx, l.App, store.Tokens{Values: []int64{7}})
		})
		from := originatorOf(o.OriginatorUUID, o.BrokerID)
		from.Organization = o.Organization
		addOriginator(t, s, from, noon())
	}
	for _, tt := range []struct {
		name    string
		scope   access.Scope
		company string
		want    []int
	}{
		{"an originator", access.Scope{OriginatorUUID: "o1"}, "B1", []int{1}},
		{"a company", access.Scope{BrokerID: "B1"}, "B1", []int{1, 2}},
		{"another company", access.Scope{BrokerID: "B2"}, "B2", []int{3}},
		{"an organization without companies", access.Scope{Organization: "org"}, "org:org", []int{4}},
		{"some originators of a company", access.Scope{BrokerID: "B1", Among: "o2 o3"}, "B1", []int{2}},
		{"some without companies", access.Scope{Organization: "org", Among: "o1 o4"}, "org:org", []int{4}},
		{"nothing", access.Scope{}, "", nil},
		{"a company that is named like an organization", access.Scope{BrokerID: "org"}, "org", nil},
	} {
		inside := map[heloc.AppID]bool{}
		for _, n := range tt.want {
			inside[appID(n)] = true
		}
		queries := map[string][]lead.Row{
			"list":     must(s.Leads(t.Context(), tt.scope, lead.Query{}))(t).Leads,
			"tokens":   must(s.Candidates(t.Context(), tt.scope, tt.company, oneKey(7), 50))(t),
			"short id": must(s.LeadsByShortID(t.Context(), tt.scope, "1-", lead.Query{}, 50))(t),
		}
		for query, leads := range queries {
			for _, l := range leads {
				if !inside[l.App] {
					t.Errorf("%s: the %s contains lead %s of another scope", tt.name, query, l.App)
				}
			}
			if len(leads) != len(tt.want) {
				t.Errorf("%s: the %s contains %d leads, want %d", tt.name, query, len(leads), len(tt.want))
			}
		}
		for i := range owners {
			_, err := s.Lead(t.Context(), tt.scope, appID(i+1))
			if inside[appID(i+1)] && err != nil {
				t.Errorf("%s: lead %d: got %v, want it open", tt.name, i+1, err)
			} else if !inside[appID(i+1)] {
				wantKind(t, err, fault.NotFound)
			}
		}
		counted := 0
		for _, n := range must(s.ListCounts(t.Context(), store.TodayScope{Scope: tt.scope}, 0))(t).Lanes {
			counted += n
		}
		if counted != len(tt.want) {
			t.Errorf("%s: counts %d leads, want %d", tt.name, counted, len(tt.want))
		}
		if got := must(s.ListCounts(t.Context(), store.TodayScope{Scope: tt.scope},
			store.Millis(noon().AddDate(1, 0, 0))))(t).Overdue; got != len(tt.want) {
			t.Errorf("%s: %d overdue, want %d", tt.name, got, len(tt.want))
		}
		if got := must(s.OriginatorsOf(t.Context(), tt.scope))(t); len(got) != len(tt.want) {
			t.Errorf("%s: %d originators, want %d", tt.name, len(got), len(tt.want))
		}
	}
}
