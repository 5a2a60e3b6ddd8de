package reassign

import (
	"slices"
	"strconv"
	"testing"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

// rulePeople makes three people who take part: a, b and c, whose turns come in this order.
func rulePeople() []rulePerson {
	var all []rulePerson
	for i, id := range []string{"a", "b", "c"} {
		all = append(all, rulePerson{
			userID: id, last: "0" + strconv.Itoa(i+1), active: true,
			Originator: lead.Originator{UUID: heloc.OriginatorID("o-" + id), FirstName: id, BrokerID: "B1",
				Organization: "Evergreen"},
		})
	}
	return all
}

func TestChooseByRule_Table(t *testing.T) {
	t.Parallel()
	texas := lead.Row{App: "x", Company: "B1", Organization: "Evergreen", State: "TX"}
	licensed := func(states map[string]bool) lead.LicenseTable {
		table := lead.LicenseTable{}
		for holder, may := range states {
			table["o-"+holder] = []lead.License{{State: "TX", Allowed: may}}
		}
		return table
	}
	skipped := func(all ...lead.RuleSkip) []lead.RuleSkip { return all }
	for name, tt := range map[string]struct {
		change   func(people []rulePerson)
		licenses lead.LicenseTable
		limit    int
		row      lead.Row
		want     string
		skips    []lead.RuleSkip
		unknown  bool
	}{
		"nothing special: who got a lead longest ago": {want: "a", unknown: true},
		"who never got one is first": {change: func(p []rulePerson) { p[2].last = "" }, want: "c",
			unknown: true},
		"two who never got one: by name, then by id": {
			change: func(p []rulePerson) { p[1].last, p[2].last, p[1].FirstName, p[2].FirstName = "", "", "z", "y" }, want: "c",
			unknown: true,
		},
		"absent": {
			change: func(p []rulePerson) { p[0].absence = &lead.Absence{LastDay: "2026-11-30"} }, want: "b", unknown: true,
			skips: skipped(lead.RuleSkip{UserID: "a", Reason: lead.RuleSkipAbsent, Until: "2026-11-30"}),
		},
		"no active account": {
			change: func(p []rulePerson) { p[0].active = false }, want: "b", unknown: true,
			skips: skipped(lead.RuleSkip{UserID: "a", Reason: lead.RuleSkipInactive}),
		},
		"no longer in the directory": {
			change: func(p []rulePerson) { p[0].RemovedAt = 1 }, want: "b", unknown: true,
			skips: skipped(lead.RuleSkip{UserID: "a", Reason: lead.RuleSkipInactive}),
		},
		"another broker company": {
			change: func(p []rulePerson) { p[0].BrokerID = "B2" }, want: "b", unknown: true,
			skips: skipped(lead.RuleSkip{UserID: "a", Reason: lead.RuleSkipOtherGroup}),
		},
		"may not act in the state": {
			licenses: licensed(map[string]bool{"a": false}), want: "b", unknown: true,
			skips: skipped(lead.RuleSkip{UserID: "a", Reason: lead.RuleSkipMissing}),
		},
		"a license on file goes first": {
			licenses: licensed(map[string]bool{"c": true}), want: "c",
			skips: skipped(lead.RuleSkip{UserID: "a", Reason: lead.RuleSkipNotOnFile},
				lead.RuleSkip{UserID: "b", Reason: lead.RuleSkipNotOnFile}),
		},
		"the licensed one is at the limit: the next with nothing on file": {
			licenses: licensed(map[string]bool{"c": true}), change: func(p []rulePerson) { p[2].open = 4 }, limit: 4, want: "a",
			unknown: true,
			skips:   skipped(lead.RuleSkip{UserID: "c", Reason: lead.RuleSkipAtLimit, Open: 4, Licensed: true}),
		},
		"licensed ones before and after are not available: both are named": {
			licenses: licensed(map[string]bool{"a": true, "c": true}),
			change:   func(p []rulePerson) { p[0].absence, p[2].open = &lead.Absence{LastDay: "2026-11-30"}, 4 }, limit: 4,
			want: "b", unknown: true,
			skips: skipped(lead.RuleSkip{UserID: "a", Reason: lead.RuleSkipAbsent, Until: "2026-11-30", Licensed: true},
				lead.RuleSkip{UserID: "c", Reason: lead.RuleSkipAtLimit, Open: 4, Licensed: true}),
		},
		"under the limit": {change: func(p []rulePerson) { p[0].open = 3 }, limit: 4, want: "a", unknown: true},
		"at the limit": {
			change: func(p []rulePerson) { p[0].open, p[1].open = 4, 9 }, limit: 4, want: "c", unknown: true,
			skips: skipped(lead.RuleSkip{UserID: "a", Reason: lead.RuleSkipAtLimit, Open: 4},
				lead.RuleSkip{UserID: "b", Reason: lead.RuleSkipAtLimit, Open: 9}),
		},
		"everybody at the limit": {
			change: func(p []rulePerson) { p[0].open, p[1].open, p[2].open = 4, 5, 6 }, limit: 4, want: "",
			skips: skipped(lead.RuleSkip{UserID: "a", Reason: lead.RuleSkipAtLimit, Open: 4},
				lead.RuleSkip{UserID: "b", Reason: lead.RuleSkipAtLimit, Open: 5},
				lead.RuleSkip{UserID: "c", Reason: lead.RuleSkipAtLimit, Open: 6}),
		},
		"nobody may act in the state": {
			licenses: licensed(map[string]bool{"a": false, "b": false, "c": false}), want: "",
			skips: skipped(lead.RuleSkip{UserID: "a", Reason: lead.RuleSkipMissing},
				lead.RuleSkip{UserID: "b", Reason: lead.RuleSkipMissing}, lead.RuleSkip{UserID: "c", Reason: lead.RuleSkipMissing}),
		},
		"the state is not known": {licenses: licensed(map[string]bool{"a": false}),
			row: lead.Row{App: "x", Company: "B1", Organization: "Evergreen"}, want: "a"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			people := rulePeople()
			if tt.change != nil {
				tt.change(people)
			}
			if tt.row.App == "" {
				tt.row = texas
			}
			r := ruleChooser{people: people, licenses: tt.licenses, limit: tt.limit}
			at, choice := r.choose(tt.row)
			got := ""
			if at >= 0 {
				got = r.people[at].userID
			}
			if got != tt.want || !slices.Equal(choice.Skipped, tt.skips) || choice.Unlicensed != tt.unknown {
				t.Errorf("got %q, %+v, want %q, %+v", got, choice, tt.want, tt.skips)
			}
		})
	}
}

func TestChooseByRule_ManySkipped_Bounded(t *testing.T) {
	t.Parallel()
	var r ruleChooser
	for i := range maxRuleSkips + 5 {
		r.people = append(r.people, rulePerson{userID: strconv.Itoa(i), last: strconv.Itoa(i)})
	}
	at, choice := r.choose(lead.Row{App: "x"})
	if at >= 0 || len(choice.Skipped) != maxRuleSkips || choice.More != 5 {
		t.Errorf("got %d, %d skipped and %d more, want nobody, %d and 5", at, len(choice.Skipped), choice.More, maxRuleSkips)
	}
}

func TestChooseByRule_SeveralLeads_TakeTurnsUpToLimit(t *testing.T) {
	t.Parallel()
	r := ruleChooser{people: rulePeople(), limit: 2}
	r.people[1].open = 1
	var got string
	for range 6 {
		at, _ := r.choose(lead.Row{App: "x", Company: "B1", Organization: "Evergreen"})
		if at < 0 {
			got += "-"
			continue
		}
		got += r.people[at].userID
		r.give(at, "1"+strconv.Itoa(len(got)))
	}
	if got != "abcac-" {
		t.Errorf("got %q, want abcac-", got)
	}
}
