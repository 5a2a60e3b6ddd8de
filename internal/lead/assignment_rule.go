package lead

import (
	"cmp"
	"slices"

	"hearthline/internal/heloc"
)

// The limits of assignment rules.
const (
	MaxAssignmentRules = 5 // of a company
	MaxRuleWeight      = 5
)

// AssignmentRule says who gets which unassigned leads. A condition that is not set fits every lead.
type AssignmentRule struct {
	ID     string      `json:"id"` // stays when the rule is changed, so that the turns of its people go on
	States []string    `json:"states,omitempty"`
	Source Source      `json:"source,omitempty"`
	From   heloc.Money `json:"from,omitempty"`
	To     heloc.Money `json:"to,omitempty"`
	People []RuleShare `json:"people"`
}

// RuleShare is a user who takes part in a rule. With weight 2 they get twice as many leads as with weight 1.
type RuleShare struct {
	UserID string `json:"user"`
	Weight int    `json:"weight"`
}

// RuleTurn is a lead that a user got by a rule.
type RuleTurn struct{ Rule, UserID string }

// Fits reports whether a rule is for a lead. What is not known about a lead fits no condition about it.
func (r AssignmentRule) Fits(l Row) bool {
	amount := cmp.Or(l.Amount, l.RequestedAmount)
	return (len(r.States) == 0 || slices.Contains(r.States, l.State)) && (r.Source == "" || r.Source == l.Source) &&
		(r.From == 0 && r.To == 0 || amount > 0 && amount >= r.From && (r.To == 0 || amount <= r.To))
}

// People lists the users who take part in any of the rules, each once.
func (r AssignmentRules) People() []string {
	var all []string
	for _, rule := range r.Rules {
		for _, share := range rule.People {
			all = append(all, share.UserID)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// NextTurn returns who gets the next lead, as an index into weights. latest lists who got the most recent leads,
// latest first. A round has as many leads as the sum of the weights, and only the latest leads, one fewer than a
// round, count. Each person therefore gets exactly as many leads in a round as their weight, no one gets a whole lead
// ahead of their share so far, and no one can make up for more than one round. A tie goes to the person who got a lead
// longest ago, and then to the first in the list.
//
// It is earliest-deadline-first: a share may get its lead number n once n of them would have been due to it, and the
// one whose next lead is due first gets it.
func NextTurn(weights, latest []int) int {
	round := 0
	for _, w := range weights {
		round += w
	}
	counted := latest[:min(len(latest), round-1)]
	got := make([]int, len(weights))
	for _, at := range counted {
		got[at]++
	}
	waited := func(at int) int { // how many leads ago they got one
		if i := slices.Index(latest, at); i >= 0 {
			return i
		}
		return len(latest)
	}
	ahead := func(at int) int {
		if got[at]*round < (len(counted)+1)*weights[at] {
			return 0
		}
		return 1
	}
	best := 0
	for at := 1; at < len(weights); at++ {
		if cmp.Or(cmp.Compare(ahead(at), ahead(best)), cmp.Compare((got[at]+1)*weights[best], (got[best]+1)*weights[at]),
			cmp.Compare(waited(best), waited(at))) < 0 {
			best = at
		}
	}
	return best
}
