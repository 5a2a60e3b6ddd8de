package storetest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

func sorts() []lead.Sort {
	return []lead.Sort{lead.SortDue, lead.SortOldest, lead.SortNewest, lead.SortUpdated, lead.SortAmount, "", "unheard of"}
}

// addManyLeads adds leads of one company with many equal sort keys.
func addManyLeads(t *testing.T, s *store.Store, n int) {
	t.Helper()
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		steps := []heloc.Step{heloc.StepOffersAvailable, heloc.StepCreditMatch, heloc.StepUnknown, heloc.StepClosed}
		for i := range n {
			l := leadOf(i+1, []string{"o1", "o2"}[i%2], "B1")
			l.Step, l.State = steps[i%len(steps)], []string{"CO", "TX"}[i/2%2]
			l.StepSince = store.Millis(noon().Add(time.Duration(i%5) * time.Minute))
			l.MaxAmount = heloc.Dollars(int64(i%4) * 1000)
			if err := tx.AddLead(ctx, &l, noon().Add(time.Duration(i%7)*time.Second)); err != nil {
				return err
			}
		}
		return nil
	})
}

// readAllPages reads all pages and calls between after each one.
func readAllPages(t *testing.T, s *store.Store, scope access.Scope, q lead.Query, between func()) []lead.Row {
	t.Helper()
	var all []lead.Row
	for pages := 0; ; pages++ {
		page := must(s.Leads(t.Context(), scope, q))(t)
		all = append(all, page.Leads...)
		if page.Next == "" {
			return all
		}
		if len(page.Leads) == 0 || pages > 1000 {
			t.Fatal("a page before the last one is empty, or the pages do not end")
		}
		q.After = page.Next
		between()
	}
}

func pagesWhole(t *testing.T, s *store.Store) {
	addManyLeads(t, s, 61)
	for _, sort := range sorts() {
		for _, limit := range []int{1, 7, 60, 61, 62, 0} {
			for scope, want := range map[access.Scope]int{{BrokerID: "B1"}: 61, {OriginatorUUID: "o1"}: 31,
				{OriginatorUUID: "o2"}: 30} {
				got := readAllPages(t, s, scope, lead.Query{Sort: sort, Limit: limit}, func() {})
				seen := map[heloc.AppID]bool{}
				for _, l := range got {
					seen[l.App] = true
				}
				if len(got) != want || len(seen) != want {
					t.Errorf("%s, pages of %d: got %d rows, %d of them different, want %d", sort, limit, len(got), len(seen), want)
				}
				if !slices.IsSortedFunc(got, func(a, b lead.Row) int { return compareLeads(sort, a, b) }) {
					t.Errorf("%s, pages of %d: the rows are out of order", sort, limit)
				}
			}
		}
	}
}

func compareLeads(sort lead.Sort, a, b lead.Row) int {
	less := func(x, y int64) int { return int(min(max(x-y, -1), 1)) }
	switch sort {
	case lead.SortOldest:
		return less(a.CreatedAt, b.CreatedAt)
	case lead.SortNewest:
		return less(b.CreatedAt, a.CreatedAt)
	case lead.SortUpdated:
		return less(b.ChangedAt, a.ChangedAt)
	case lead.SortAmount:
		return less(int64(b.Amount), int64(a.Amount))
	default:
		return less(a.DueSort, b.DueSort)
	}
}

// pagesWhileChanging moves, adds and deletes rows between the pages: each unchanged row must still appear
// exactly once.
func pagesWhileChanging(t *testing.T, s *store.Store) {
	addManyLeads(t, s, 80)
	next := 1000
	for _, sort := range sorts() {
		moving := 1 + rand.IntN(40)*2 // odd: an index of an o1 lead
		got := readAllPages(t, s, access.Scope{BrokerID: "B1"}, lead.Query{Sort: sort, Limit: 9}, func() {
			next++
			write(t, s, func(ctx context.Context, tx *store.Tx) error {
				l, err := tx.AnyLead(ctx, appID(moving))
				if err != nil {
					return err
				}
				l.MaxAmount, l.StepSince = heloc.Dollars(rand.Int64N(9000)),
					store.Millis(noon().Add(time.Duration(rand.IntN(9))*time.Minute))
				if err := tx.SaveLead(ctx, &l, noon().Add(time.Duration(rand.IntN(9))*time.Hour), true); err != nil {
					return err
				}
				fresh := leadOf(next, "o1", "B1")
				return tx.AddLead(ctx, &fresh, noon().Add(time.Duration(rand.IntN(9))*time.Second))
			})
		})
		times := map[heloc.AppID]int{}
		for _, l := range got {
			times[l.App]++
		}
		for i := 1; i <= 80; i++ {
			if n := times[appID(i)]; n != 1 && i != moving {
				t.Errorf("%s: lead %d was seen %d times, want once", sort, i, n)
			}
		}
	}
}

func pageFilters(t *testing.T, s *store.Store) {
	addManyLeads(t, s, 40)
	company := access.Scope{BrokerID: "B1"}
	for _, tt := range []struct {
		name string
		q    lead.Query
		fits func(lead.Row) bool
	}{
		{"lane", lead.Query{Lane: heloc.LaneOffers}, func(l lead.Row) bool { return l.Lane == heloc.LaneOffers }},
		{"status", lead.Query{StatusKey: heloc.StatusSSNNeeded}, func(l lead.Row) bool {
			return l.StatusKey == heloc.StatusSSNNeeded
		}},
		{"state", lead.Query{State: "TX"}, func(l lead.Row) bool { return l.State == "TX" }},
		{"originator", lead.Query{Originator: "o2"}, func(l lead.Row) bool { return l.Originator == "o2" }},
		{"all at once", lead.Query{Lane: heloc.LaneBlocked, StatusKey: heloc.StatusSSNNeeded, State: "CO", Originator: "o2"},
			func(l lead.Row) bool {
				return l.Lane == heloc.LaneBlocked && l.StatusKey == heloc.StatusSSNNeeded && l.State == "CO" &&
					l.Originator == "o2"
			}},
	} {
		want := 0
		for _, l := range readAllPages(t, s, company, lead.Query{}, func() {}) {
			if tt.fits(l) {
				want++
			}
		}
		tt.q.Limit = 3
		got := readAllPages(t, s, company, tt.q, func() {})
		if len(got) != want || slices.ContainsFunc(got, func(l lead.Row) bool { return !tt.fits(l) }) {
			t.Errorf("%s: got %d rows, want the %d that fit", tt.name, len(got), want)
		}
	}
	// An originator who filters by a colleague gets their own leads.
	for _, l := range readAllPages(t, s, access.Scope{OriginatorUUID: "o1"}, lead.Query{Originator: "o2"}, func() {}) {
		if l.Originator != "o1" {
			t.Fatalf("got a lead of %s, want only those of o1", l.Originator)
		}
	}
}

func malformedPageKey(t *testing.T, s *store.Store) {
	addManyLeads(t, s, 5)
	for _, key := range []string{"%", "AAAA", "x' OR '1'='1", "LQ"} {
		got := must(s.Leads(t.Context(), access.Scope{BrokerID: "B1"}, lead.Query{After: key}))(t)
		if len(got.Leads) != 5 {
			t.Errorf("%q: got %d rows, want all 5", key, len(got.Leads))
		}
	}
}

func countsLimited(t *testing.T, s *store.Store) {
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		for i := range lead.CountLimit + 5 {
			l := leadOf(i+1, "o1", "B1")
			if i == 0 {
				l.Step = heloc.StepClosed
			}
			if err := tx.AddLead(ctx, &l, noon()); err != nil {
				return err
			}
		}
		return nil
	})
	want := map[heloc.Lane]int{
		heloc.LaneBlocked: lead.CountLimit, heloc.LaneEnded: 1, heloc.LaneOffers: 0, heloc.LaneBorrower: 0,
		heloc.LaneLender: 0, heloc.LaneClosing: 0,
	}
	for _, scope := range []access.Scope{{BrokerID: "B1"}, {OriginatorUUID: "o1"}} {
		if got := must(s.ListCounts(t.Context(), store.TodayScope{Scope: scope}, 0))(t).Lanes; !reflect.DeepEqual(got, want) {
			t.Errorf("%+v: got %v, want %v", scope, got, want)
		}
		for at, want := range map[time.Time]int{noon(): 0, noon().Add(2 * time.Hour): lead.CountLimit} {
			if got := must(s.ListCounts(t.Context(), store.TodayScope{Scope: scope}, store.Millis(at)))(t).Overdue; got != want {
				t.Errorf("%+v at %v: got %d overdue, want %d", scope, at, got, want)
			}
		}
	}
}

// overdue counts the leads whose originator's move is past due, in whichever lane.
func overdue(t *testing.T, s *store.Store) {
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		for i, step := range []heloc.Step{heloc.StepCreditMatch, heloc.StepOffersAvailable, heloc.StepClosed,
			heloc.StepUnknown} {
			l := leadOf(i+1, "o1", "B1")
			l.Step, l.StepSince = step, store.Millis(noon())
			if err := tx.AddLead(ctx, &l, noon()); err != nil {
				return err
			}
		}
		return nil
	})
	if got := must(s.ListCounts(t.Context(), store.TodayScope{Scope: access.Scope{OriginatorUUID: "o1"}},
		store.Millis(noon().AddDate(0, 0, 5))))(t).Overdue; got != 2 {
		t.Errorf("got %d overdue, want the lead that needs an SSN and the one with offers", got)
	}
}

// oneKey returns terms of one token each.
func oneKey(tokens ...int64) (terms [][]int64) {
	for _, t := range tokens {
		terms = append(terms, []int64{t})
	}
	return terms
}

func tokensFind(t *testing.T, s *store.Store) {
	add(t, s, leadOf(1, "o1", "B1"), leadOf(2, "o2", "B1"), leadOf(3, "o3", "B2"))
	set := func(company string, app heloc.AppID, tokens ...int64) {
		write(t, s, func(ctx context.Context, tx *store.Tx) error {
			return tx.AddTokens(ctx, app, store.Tokens{KeyID: 1, Values: tokens})
		})
	}
	set("B1", appID(1), 10, 20, 20)
	set("B1", appID(2), 10, 30)
	set("B2", appID(3), 10, 20)
	for _, tt := range []struct {
		scope   access.Scope
		company string
		tokens  []int64
		want    []heloc.AppID
	}{
		{access.Scope{BrokerID: "B1"}, "B1", []int64{10}, []heloc.AppID{appID(2), appID(1)}}, // newest change first
		{access.Scope{BrokerID: "B1"}, "B1", []int64{10, 20}, []heloc.AppID{appID(1)}},
		{access.Scope{BrokerID: "B1"}, "B1", []int64{20, 30}, nil},
		{access.Scope{OriginatorUUID: "o2"}, "B1", []int64{10}, []heloc.AppID{appID(2)}},
		{access.Scope{BrokerID: "B1"}, "B2", []int64{10}, nil}, // tokens of one company, the scope of another
		{access.Scope{}, "B1", []int64{10}, nil},
		{access.Scope{BrokerID: "B1"}, "B1", nil, nil},
	} {
		var got []heloc.AppID
		for _, l := range must(s.Candidates(t.Context(), tt.scope, tt.company, oneKey(tt.tokens...), 10))(t) {
			got = append(got, l.App)
		}
		if !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%+v %v: got %v, want %v", tt.scope, tt.tokens, got, tt.want)
		}
	}
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		return tx.ReplaceTokens(ctx, appID(1), []store.Token{{Token: 10, KeyID: 1}, {Token: 20, KeyID: 1}},
			[]store.Token{{Token: 40, KeyID: 1}})
	})
	if got := must(s.Candidates(t.Context(), access.Scope{BrokerID: "B1"}, "B1", oneKey(20), 10))(t); len(got) != 0 {
		t.Errorf("got %d rows for a token that was replaced, want none", len(got))
	}
}

// tokensOfSeveralKeysFind has leads under an older key, under a newer one and under both.
func tokensOfSeveralKeysFind(t *testing.T, s *store.Store) {
	add(t, s, leadOf(1, "o1", "B1"), leadOf(2, "o1", "B1"), leadOf(3, "o1", "B1"), leadOf(4, "o9", "B2"))
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		// a limit takes them in the order in which they got tokens
		for i, tokens := range [][]int64{{10, 20}, {110, 120}, {10, 110, 120}} {
			if err := tx.AddTokens(ctx, appID(i+1), store.Tokens{KeyID: 1, Values: tokens}); err != nil {
				return err
			}
		}
		return tx.AddTokens(ctx, appID(4), store.Tokens{KeyID: 1, Values: []int64{10, 110}})
	})
	for name, tt := range map[string]struct {
		terms [][]int64
		limit int
		want  []heloc.AppID
	}{
		"one word":      {[][]int64{{110, 10}}, 9, []heloc.AppID{appID(3), appID(2), appID(1)}}, // each lead once
		"two words":     {[][]int64{{110, 10}, {120, 20}}, 9, []heloc.AppID{appID(3), appID(2), appID(1)}},
		"the newer key": {[][]int64{{110}, {120}}, 9, []heloc.AppID{appID(3), appID(2)}},
		"another word":  {[][]int64{{110, 10}, {130, 30}}, 9, nil},
		"a limit keeps those that were added last": {[][]int64{{110, 10}}, 2, []heloc.AppID{appID(3), appID(2)}},
	} {
		var got []heloc.AppID
		for _, l := range must(s.Candidates(t.Context(), access.Scope{BrokerID: "B1"}, "B1", tt.terms, tt.limit))(t) {
			got = append(got, l.App)
		}
		if !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: got %v, want %v", name, got, tt.want)
		}
	}
}

// searchPagesContinue reads a search page by page: no lead is left out or repeated, whichever key made its tokens.
func searchPagesContinue(t *testing.T, s *store.Store) {
	const leads = 9
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		for n := range leads {
			l := leadOf(n+1, []string{"o1", "o2"}[n%2], "B1")
			l.State = []string{"HI", "WA", "WA"}[n%3]
			if err := tx.AddLead(ctx, &l, noon()); err != nil {
				return err
			}
			if err := tx.AddTokens(ctx, l.App, store.Tokens{KeyID: 1, Values: [][]int64{{10, 20}, {110, 20}}[n/5]}); err != nil {
				return err
			}
		}
		return nil
	})
	for _, tt := range []struct {
		search store.LeadSearch
		want   []int // numbers of leads
	}{
		{store.LeadSearch{Scope: access.Scope{BrokerID: "B1"}, Terms: [][]int64{{10, 110}}},
			[]int{9, 8, 7, 6, 5, 4, 3, 2, 1}},
		{store.LeadSearch{Scope: access.Scope{BrokerID: "B1"}, Terms: [][]int64{{10, 110}, {20}}},
			[]int{9, 8, 7, 6, 5, 4, 3, 2, 1}},
		{store.LeadSearch{Scope: access.Scope{OriginatorUUID: "o2"}, Terms: [][]int64{{20}}}, []int{8, 6, 4, 2}},
		{store.LeadSearch{Scope: access.Scope{BrokerID: "B1"}, Terms: [][]int64{{20}},
			Filter: lead.Query{State: "HI", Lane: heloc.LaneEnded}}, []int{7, 4, 1}},
		{store.LeadSearch{Scope: access.Scope{BrokerID: "B1"}, Terms: [][]int64{{20}},
			Filter: lead.Query{Originator: "o1", State: "WA"}}, []int{9, 5, 3}},
		{store.LeadSearch{Scope: access.Scope{OriginatorUUID: "o2"}, Terms: [][]int64{{20}},
			Filter: lead.Query{Originator: "o1"}}, nil},
		{store.LeadSearch{Scope: access.Scope{BrokerID: "B1"}, Terms: [][]int64{{20}, {99}}}, nil},
	} {
		tt.search.Company = "B1"
		for _, limit := range []int{1, 2, 3, 20} {
			var got []int
			search := tt.search
			for range leads + 1 {
				page := must(s.NameCandidates(t.Context(), search, limit))(t)
				for _, c := range page {
					n, _ := strconv.Atoi(string(c.App[24:]))
					got = append(got, n)
					search.After = c.Key()
				}
				if len(page) < limit {
					break
				}
			}
			if !reflect.DeepEqual(got, tt.want) {
				t.Errorf("%+v in pages of %d: got %v, want %v", tt.search, limit, got, tt.want)
			}
		}
	}
}

func shortIDsFind(t *testing.T, s *store.Store) {
	ended := leadOf(1, "o1", "B1")
	ended.Step = heloc.StepClosed
	add(t, s, ended, leadOf(2, "o1", "B1"), leadOf(12, "o2", "B1"))
	for typed, want := range map[string]int{"1-26324-0": 3, "1-26324-00": 2, "1-26324-002": 1, "1-26325": 0, "": 3} {
		if got := must(s.LeadsByShortID(t.Context(), access.Scope{BrokerID: "B1"}, typed,
			lead.Query{}, 50))(t); len(got) != want {
			t.Errorf("%q: got %d rows, want %d", typed, len(got), want)
		}
	}
	if got := must(s.LeadsByShortID(t.Context(), access.Scope{OriginatorUUID: "o1"}, "1-",
		lead.Query{}, 50))(t); len(got) != 2 {
		t.Errorf("got %d rows, want the originator's own 2", len(got))
	}
	first := must(s.LeadsByShortID(t.Context(), access.Scope{BrokerID: "B1"}, "1-", lead.Query{}, 1))(t)
	write(t, s, func(ctx context.Context, tx *store.Tx) error { // also when the last lead of a page is deleted
		dropped, err := tx.DropLeads(ctx, noon().Add(time.Hour), 1)
		if len(dropped) != 1 || first[0].App != dropped[0] {
			t.Errorf("dropped %v, want the first lead %s", dropped, first[0].App)
		}
		return err
	})
	next := must(s.LeadsByShortID(t.Context(), access.Scope{BrokerID: "B1"}, "1-",
		lead.Query{After: store.ShortIDKey(first[0])}, 50))(t)
	if len(next) != 2 || next[0].App != appID(2) || next[1].App != appID(12) {
		t.Errorf("got %d rows after the first, want the other two", len(next))
	}
}

func duplicates(t *testing.T, s *store.Store) {
	for i, tt := range []struct {
		broker, key string
		step        heloc.Step
	}{
		{"B1", "key", heloc.StepCreditMatch}, {"B1", "key", heloc.StepClosed}, {"B2", "key", heloc.StepCreditMatch},
		{"B1", "", heloc.StepCreditMatch},
	} {
		l := leadOf(i+1, fmt.Sprint("o", i), tt.broker)
		l.Step = tt.step
		add(t, s, l)
		start := operationOf(i+1, lead.OpSucceeded)
		start.App, start.Company, start.DuplicateKey = l.App, tt.broker, tt.key
		addOperations(t, s, start)
	}
	got := must(s.Duplicates(t.Context(), "B1", []string{"key"}))(t)
	if len(got) != 1 || got[0].App != appID(1) {
		t.Errorf("got %d leads, want the open one of this company", len(got))
	}
	if got := must(s.Duplicates(t.Context(), "B1", nil))(t); len(got) != 0 {
		t.Errorf("got %d leads for an empty key, want none", len(got))
	}
}

// leadsAtStep has leads at the step of which the third is due first, one that was set aside, and one of a colleague.
func leadsAtStep(t *testing.T, s *store.Store) {
	aside, first, other := leadOf(2, "o1", "B1"), leadOf(3, "o1", "B1"), leadOf(5, "o1", "B1")
	aside.SetAsideAt = store.Millis(noon())
	first.StepSince = store.Millis(noon().Add(-time.Hour))
	other.Step = heloc.StepPayoff
	add(t, s, leadOf(1, "o1", "B1"), aside, first, leadOf(4, "o2", "B1"), other)
	found := must(s.LeadsAtStep(t.Context(), "o1", heloc.StepCreditMatch, 9))(t)
	if len(found) != 2 || found[0].App != appID(3) || found[1].App != appID(1) {
		t.Errorf("got %+v, want leads 3 and 1", found)
	}
	if found = must(s.LeadsAtStep(t.Context(), "o1", heloc.StepCreditMatch, 1))(t); len(found) != 1 {
		t.Errorf("got %d leads, want at most one", len(found))
	}
}
