package storetest

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// todayFacts: Today has every lead with a reason, in the order of the rule, as often as its tab says, for the lead's
// originator; their manager sees of it only the moves.
func todayFacts(t *testing.T, s *store.Store) {
	now := noon()
	s.Now = func() time.Time { return now }
	addUser(t, s, userOf("olivia", access.Originator))
	addUser(t, s, userOf("maya", access.Manager))
	in := func(d time.Duration) int64 { return store.Millis(now.Add(d)) }
	const day = 24 * time.Hour
	leads := make([]lead.Row, 16)
	for i := range leads {
		leads[i] = leadOf(i+1, "o1", "B1")
		leads[i].Step = heloc.StepBorrowerAuth // the borrower's move
	}
	at := func(n int) *lead.Row { return &leads[n-1] }
	at(1).Step, at(1).StepSince = heloc.StepUnfreezeCredit, in(-day)
	at(1).RepullAt, at(1).LastContactAt = in(-2*time.Hour), in(-3*time.Hour)
	at(2).ExpirationDate = "2026-11-22"
	at(3).Step = heloc.StepOffersAvailable // its link expires
	at(4).Step, at(4).StepSince = heloc.StepCreditMatch, in(-day)
	at(6).Step = heloc.StepOffersAvailable // opened
	at(7).Step = heloc.StepOffersAvailable
	at(8).Step, at(8).OpenConditions, at(8).ConditionAt = heloc.StepComplete, 1, in(-day)
	at(9).StepSince = in(-49 * time.Hour) // to follow up
	at(10).Step = heloc.StepNoOffers
	at(11).ExpirationDate = "2026-11-24"                                                       // too far ahead
	at(12).Step, at(12).ExpirationDate = heloc.StepWithdrawn, "2026-11-21"                     // ended
	at(13).Step, at(13).OpenConditions, at(13).ConditionAt = heloc.StepComplete, 1, in(-2*day) // the borrower knows
	at(13).LastContactAt = in(-day)
	at(14).Converted, at(14).ExpirationDate = true, "2026-11-21" // no inquiry anymore
	at(15).Originator, at(15).ExpirationDate = "o2", "2026-11-21"
	at(16).Step, at(16).StepSince = heloc.StepUnfreezeCredit, in(-day) // its planned re-pull was canceled
	at(16).RepullAt, at(16).LastContactAt = in(-2*time.Hour), in(-3*time.Hour)
	add(t, s, leads...)
	quote := func(n int, opened, created, expires time.Duration) store.SharedQuote {
		return store.SharedQuote{ID: fmt.Sprint("q", n), App: appID(n), TokenDigest: fmt.Sprint("q", n), Token: []byte{},
			Sealed: []byte{}, Language: "en", ActorID: "olivia", CreatedAt: in(created), ExpiresAt: in(expires),
			LastOpenedAt: in(opened)}
	}
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		for n, state := range map[int]lead.RepullState{1: lead.RepullWaiting, 16: lead.RepullCanceled} {
			if err := tx.PlanRepull(ctx, lead.Repull{ID: fmt.Sprint("r", n), App: appID(n), UserID: "olivia", Originator: "o1",
				State: state, UntilAt: in(time.Hour), DueAt: in(-time.Hour)}); err != nil {
				return err
			}
		}
		for _, q := range []store.SharedQuote{quote(3, -2*day, -6*day, 2*day+time.Minute),
			quote(6, -time.Minute, -day, 6*day), quote(7, -2*day, -3*day, 4*day)} {
			if err := tx.AddSharedQuote(ctx, q); err != nil {
				return err
			}
		}
		return tx.AddOperation(ctx, lead.Operation{ID: "op", Kind: heloc.OpSelectOffer, App: appID(5), ActorID: "olivia",
			Company: "B1", State: lead.OpUnknown, SentAt: in(-time.Hour)})
	})
	returned := noticeOf(11, "olivia", "returned")
	returned.Kind, returned.At = lead.NoticeLeadReturned, in(-time.Hour)
	notify(t, s, returned)
	for _, tt := range []struct {
		name  string
		scope store.TodayScope
		want  []int
	}{
		{"Olivia", store.TodayScope{Scope: access.Scope{OriginatorUUID: "o1"}, Own: "o1",
			User: store.UserScope{UserID: "olivia", Company: "B1"}}, []int{1, 3, 2, 4, 16, 5, 6, 7, 9, 8, 11, 10}},
		{"her manager", store.TodayScope{Scope: access.Scope{BrokerID: "B1"}, Own: "o3",
			User: store.UserScope{UserID: "maya", Company: "B1"}}, []int{4, 1, 16, 3, 6, 7, 9, 10}},
		{"her manager, about her", store.TodayScope{Scope: access.Scope{BrokerID: "B1"}, Own: "o3", Originator: "o1",
			User: store.UserScope{UserID: "maya", Company: "B1"}}, []int{4, 1, 16, 3, 6, 7, 9, 10}},
		{"a colleague", store.TodayScope{Scope: access.Scope{OriginatorUUID: "o2"}, Own: "o2",
			User: store.UserScope{UserID: "marcus", Company: "B1"}}, []int{15}},
		{"nobody", store.TodayScope{}, nil},
	} {
		rows, next, err := s.Today(t.Context(), tt.scope, lead.Query{})
		if err != nil || next != "" {
			t.Fatalf("%s: %v, next page %q", tt.name, err, next)
		}
		var got []int
		for _, r := range rows {
			got = append(got, slices.IndexFunc(leads, func(l lead.Row) bool { return l.App == r.App })+1)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: got %v, want %v", tt.name, got, tt.want)
		}
		if counts := must(s.ListCounts(t.Context(), tt.scope, store.Millis(now)))(t); counts.Today != len(tt.want) {
			t.Errorf("%s: the tab counts %d leads, want %d", tt.name, counts.Today, len(tt.want))
		}
	}
}

// todayPages: leads with a fact are on the first page only, and no lead is on two pages.
func todayPages(t *testing.T, s *store.Store) {
	addManyLeads(t, s, 61)
	s.Now = noon
	in := store.TodayScope{Scope: access.Scope{OriginatorUUID: "o1"}, Own: "o1"}
	all := must(s.Leads(t.Context(), in.Scope, lead.Query{YourMove: true}))(t).Leads
	last := all[len(all)-1]
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		return tx.AddOperation(ctx, lead.Operation{ID: "op", Kind: heloc.OpSelectOffer, App: last.App, ActorID: "olivia",
			Company: "B1", State: lead.OpUnknown, SentAt: store.Millis(noon())})
	})
	var got []heloc.AppID
	for q := (lead.Query{Limit: 7}); ; {
		rows, next, err := s.Today(t.Context(), in, q)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rows {
			got = append(got, r.App)
		}
		if q.After == "" && !slices.Contains(got, last.App) {
			t.Error("the first page lacks the lead with a fact")
		}
		if q.After = next; next == "" {
			break
		}
	}
	want := lead.Apps(all)
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got %d leads on all pages, want each of %d once", len(got), len(want))
	}
}
