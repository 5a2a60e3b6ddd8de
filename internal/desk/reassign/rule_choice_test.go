package reassign

import (
	"cmp"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

// newTestChooser makes three people who take part in one rule: a, b and c, whose turns come in this order.
func newTestChooser() *ruleChooser {
	c := &ruleChooser{people: map[string]*rulePerson{}, rules: []lead.AssignmentRule{{ID: "r"}}}
	for _, id := range []string{"a", "b", "c"} {
		c.people[id] = &rulePerson{
			userID: id, active: true,
			Originator: lead.Originator{UUID: heloc.OriginatorID("o-" + id), FirstName: id, BrokerID: "B1",
				Organization: "Evergreen"},
		}
		c.rules[0].People = append(c.rules[0].People, lead.RuleShare{UserID: id, Weight: 1})
		c.turns = append([]lead.RuleTurn{{Rule: "r", UserID: id}}, c.turns...)
	}
	return c
}

// addRule adds a rule before the others.
func addRule(c *ruleChooser, id string, people ...string) {
	rule := lead.AssignmentRule{ID: id}
	for _, who := range people {
		rule.People = append(rule.People, lead.RuleShare{UserID: who, Weight: 1})
	}
	c.rules = append([]lead.AssignmentRule{rule}, c.rules...)
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
		change   func(c *ruleChooser)
		licenses lead.LicenseTable
		limit    int
		row      lead.Row
		want     string
		skips    []lead.RuleSkip
		unknown  bool
	}{
		"nothing special: who got a lead longest ago": {want: "a", unknown: true},
		"who never got one is first": {change: func(c *ruleChooser) { c.turns = c.turns[1:] }, want: "c",
			unknown: true},
		"two who never got one: by name, then by id": {
			change: func(c *ruleChooser) {
				c.turns, c.people["b"].FirstName, c.people["c"].FirstName = c.turns[2:], "z", "y"
			}, want: "c",
			unknown: true,
		},
		"absent": {
			change: func(c *ruleChooser) { c.people["a"].absence = &lead.Absence{LastDay: "2026-11-30"} }, want: "b",
			unknown: true,
			skips:   skipped(lead.RuleSkip{UserID: "a", Reason: lead.RuleSkipAbsent, Until: "2026-11-30"}),
		},
		"no active account": {
			change: func(c *ruleChooser) { c.people["a"].active = false }, want: "b", unknown: true,
			skips: skipped(lead.RuleSkip{UserID: "a", Reason: lead.RuleSkipInactive}),
		},
		"no longer in the directory": {
			change: func(c *ruleChooser) { c.people["a"].RemovedAt = 1 }, want: "b", unknown: true,
			skips: skipped(lead.RuleSkip{UserID: "a", Reason: lead.RuleSkipInactive}),
		},
		"another broker company": {
			change: func(c *ruleChooser) { c.people["a"].BrokerID = "B2" }, want: "b", unknown: true,
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
			licenses: licensed(map[string]bool{"c": true}), change: func(c *ruleChooser) { c.people["c"].open = 4 }, limit: 4,
			want: "a", unknown: true,
			skips: skipped(lead.RuleSkip{UserID: "c", Reason: lead.RuleSkipAtLimit, Open: 4, Licensed: true}),
		},
		"licensed ones before and after are not available: both are named": {
			licenses: licensed(map[string]bool{"a": true, "c": true}),
			change: func(c *ruleChooser) {
				c.people["a"].absence, c.people["c"].open = &lead.Absence{LastDay: "2026-11-30"}, 4
			}, limit: 4,
			want: "b", unknown: true,
			skips: skipped(lead.RuleSkip{UserID: "a", Reason: lead.RuleSkipAbsent, Until: "2026-11-30", Licensed: true},
				lead.RuleSkip{UserID: "c", Reason: lead.RuleSkipAtLimit, Open: 4, Licensed: true}),
		},
		"under the limit": {change: func(c *ruleChooser) { c.people["a"].open = 3 }, limit: 4, want: "a", unknown: true},
		"at the limit": {
			change: func(c *ruleChooser) { c.people["a"].open, c.people["b"].open = 4, 9 }, limit: 4, want: "c", unknown: true,
			skips: skipped(lead.RuleSkip{UserID: "a", Reason: lead.RuleSkipAtLimit, Open: 4},
				lead.RuleSkip{UserID: "b", Reason: lead.RuleSkipAtLimit, Open: 9}),
		},
		"everybody at the limit": {
			change: func(c *ruleChooser) { c.people["a"].open, c.people["b"].open, c.people["c"].open = 4, 5, 6 }, limit: 4,
			skips: skipped(lead.RuleSkip{UserID: "a", Reason: lead.RuleSkipAtLimit, Open: 4},
				lead.RuleSkip{UserID: "b", Reason: lead.RuleSkipAtLimit, Open: 5},
				lead.RuleSkip{UserID: "c", Reason: lead.RuleSkipAtLimit, Open: 6}),
		},
		"nobody may act in the state": {
			licenses: licensed(map[string]bool{"a": false, "b": false, "c": false}), want: "",
			skips: skipped(lead.RuleSkip{UserID: "a", Reason: lead.RuleSkipMissing},
				lead.RuleSkip{UserID: "b", Reason: lead.RuleSkipMissing}, lead.RuleSkip{UserID: "c", Reason: lead.RuleSkipMissing}),
		},
		"twice the weight: a second lead before the others": {change: func(c *ruleChooser) {
			c.rules[0].People[0].Weight, c.turns = 2, c.turns[1:]
			c.turns[0].UserID, c.turns[1].UserID = "c", "b"
		}, want: "a", unknown: true},
		"no rule fits":               {change: func(c *ruleChooser) { c.rules[0].States = []string{"CO"} }},
		"an earlier rule goes first": {change: func(c *ruleChooser) { addRule(c, "first", "c") }, want: "c", unknown: true},
		"an earlier rule without anybody who can: the next one": {
			change: func(c *ruleChooser) { addRule(c, "first", "c"); c.people["c"].active = false }, want: "a", unknown: true,
			skips: skipped(lead.RuleSkip{UserID: "c", Reason: lead.RuleSkipInactive}),
		},
		"a license on file in a later rule goes before nothing on file in an earlier one": {
			change:   func(c *ruleChooser) { addRule(c, "first", "b") },
			licenses: licensed(map[string]bool{"c": true}), want: "c",
			skips: skipped(lead.RuleSkip{UserID: "b", Reason: lead.RuleSkipNotOnFile},
				lead.RuleSkip{UserID: "a", Reason: lead.RuleSkipNotOnFile}),
		},
		"turns of another rule do not count": {change: func(c *ruleChooser) { addRule(c, "first", "a", "b") }, want: "a",
			unknown: true},
		"the state is not known": {licenses: licensed(map[string]bool{"a": false}),
			row: lead.Row{App: "x", Company: "B1", Organization: "Evergreen"}, want: "a"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newTestChooser()
			if tt.change != nil {
				tt.change(r)
			}
			if tt.row.App == "" {
				tt.row = texas
			}
			r.licenses, r.limit = tt.licenses, tt.limit
			got, choice := r.choose(tt.row)
			if got != tt.want || !slices.Equal(choice.Skipped, tt.skips) || choice.Unlicensed != tt.unknown {
				t.Errorf("got %q, %+v, want %q, %+v", got, choice, tt.want, tt.skips)
			}
		})
	}
}

func TestChooseByRule_ManySkipped_Bounded(t *testing.T) {
	t.Parallel()
	r := ruleChooser{people: map[string]*rulePerson{}, rules: make([]lead.AssignmentRule, 1)}
	for i := range maxRuleSkips + 5 {
		id := strconv.Itoa(i)
		r.people[id] = &rulePerson{userID: id}
		r.rules[0].People = append(r.rules[0].People, lead.RuleShare{UserID: id, Weight: 1})
	}
	who, choice := r.choose(lead.Row{App: "x"})
	if who != "" || len(choice.Skipped) != maxRuleSkips || choice.More != 5 {
		t.Errorf("got %q, %d skipped and %d more, want nobody, %d and 5", who, len(choice.Skipped), choice.More, maxRuleSkips)
	}
}

func TestChooseByRule_SeveralLeads_TakeTurnsUpToLimit(t *testing.T) {
	t.Parallel()
	r := newTestChooser()
	r.limit, r.people["b"].open = 2, 1
	var got string
	for range 6 {
		who, choice := r.choose(lead.Row{App: "x", Company: "B1", Organization: "Evergreen"})
		if who == "" {
			got += "-"
			continue
		}
		got += who
		r.give(who, choice.Rule)
	}
	if got != "abcac-" {
		t.Errorf("got %q, want abcac-", got)
	}
}

// TestChooseByRule_RandomCompanies_PlacesEveryLeadItCan lets rules of random companies give random leads.
func TestChooseByRule_RandomCompanies_PlacesEveryLeadItCan(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(38, 1))
	states, licenses := []string{"TX", "CO", "UT"}, []lead.LicenseStatus{lead.LicenseHeld, lead.LicenseMissing, ""}
	for range 300 {
		c := &ruleChooser{people: map[string]*rulePerson{}, licenses: lead.LicenseTable{}, limit: random.IntN(6)}
		var ids []string
		for i := range 1 + random.IntN(6) {
			id := strconv.Itoa(i)
			ids = append(ids, id)
			c.people[id] = &rulePerson{userID: id, active: random.IntN(6) > 0, open: random.IntN(4),
				Originator: lead.Originator{UUID: heloc.OriginatorID("o-" + id), BrokerID: "B1"}}
			if random.IntN(5) == 0 {
				c.people[id].absence = &lead.Absence{}
			}
			for _, state := range states {
				if status := licenses[random.IntN(3)]; status != "" {
					c.licenses["o-"+id] = append(c.licenses["o-"+id],
						lead.License{State: state, Allowed: status == lead.LicenseHeld})
				}
			}
		}
		for i := range 1 + random.IntN(4) {
			rule := lead.AssignmentRule{ID: strconv.Itoa(i)}
			if random.IntN(2) == 0 {
				rule.States = states[:1+random.IntN(2)]
			}
			if random.IntN(3) == 0 {
				rule.From = heloc.Money(random.IntN(100))
			}
			for _, id := range ids {
				if random.IntN(2) == 0 {
					rule.People = append(rule.People, lead.RuleShare{UserID: id, Weight: 1 + random.IntN(5)})
				}
			}
			c.rules = append(c.rules, rule)
		}
		for range 30 {
			checkChoice(t, c, lead.Row{App: "x", Company: "B1", State: states[random.IntN(3)],
				RequestedAmount: heloc.Money(random.IntN(100))})
		}
	}
}

// checkChoice lets the rules give a lead, and checks what they chose.
func checkChoice(t *testing.T, c *ruleChooser, row lead.Row) {
	t.Helper()
	able := map[string]bool{} // by whom the rules allow, whether their license is on file
	for _, rule := range c.rules {
		for _, share := range rule.People {
			p := c.people[share.UserID]
			status := c.licenses.Status(p.Originator, row.State)
			if rule.Fits(row) && p.active && p.absence == nil && status != lead.LicenseMissing &&
				(c.limit == 0 || p.open < c.limit) {
				able[p.userID] = status == lead.LicenseHeld
			}
		}
	}
	who, choice := c.choose(row)
	held, isAble := able[who]
	switch {
	case who == "" && len(able) == 0:
		return
	case who == "":
		t.Fatalf("a lead stays although %v can take it: %+v", able, choice)
	case !isAble:
		t.Fatalf("%s got a lead and cannot take it; %v can", who, able)
	case !held && slices.Contains(slices.Collect(maps.Values(able)), true):
		t.Fatalf("%s got a lead without a license on file; of %v, somebody has one", who, able)
	case choice.Unlicensed == held:
		t.Fatalf("the choice says unlicensed: %v, but it is %v", choice.Unlicensed, !held)
	}
	c.give(who, choice.Rule)
	if c.limit > 0 && c.people[who].open > c.limit {
		t.Fatalf("%s has %d open leads, more than %d", who, c.people[who].open, c.limit)
	}
}

func TestTryRules_LeadsHeldNow_CountForWhoWouldHaveGotThem(t *testing.T) {
	t.Parallel()
	c := newTestChooser()
	c.turns, c.limit, c.people["a"].open, c.people["b"].open, c.people["c"].open = nil, 2, 2, 2, 1
	lane := heloc.Lanes()[0]
	rows := []lead.Row{{App: "1", Company: "B1", Organization: "Evergreen", Originator: "o-b", Lane: lane},
		{App: "2", Company: "B1", Organization: "Evergreen", Lane: heloc.LaneEnded},
		{App: "3", Company: "B1", Organization: "Evergreen", Lane: lane},
		{App: "4", Company: "B1", Organization: "Evergreen"}}
	got := ""
	for _, l := range tryRules(c, rows) {
		got += cmp.Or(l.UserID, "-")
	}
	if got != "bcc-" { // a is at the limit, b gives up one, and an ended lead does not count
		t.Errorf("got %s, want bcc-", got)
	}
}
