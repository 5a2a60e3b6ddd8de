package reassign

import (
	"cmp"
	"context"
	"slices"

	"hearthline/internal/access"
	"hearthline/internal/desk/internal/core"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

// maxTargets is how many originators are listed before a user searches for one.
const maxTargets = 12

// Target is an originator who can be chosen for leads.
type Target struct {
	lead.Candidate
	Gets   int // how many of the leads they would get
	Chosen bool
}

// TargetGroup orders originators by whether somebody would see the leads, and by their licenses in the states of the
// leads.
type TargetGroup int

// The groups, in the order of the list.
const (
	LicensedInAll TargetGroup = iota
	LicensedInSome
	LicensesUnknown // none on file
	NoAccount       // nobody signs in for their leads
	LicensedNowhere // somebody has recorded for every state that they may not
	AccountDisabled // nobody could work on their leads; only if they were chosen before
)

// Group returns the group of a target.
func (t Target) Group() TargetGroup {
	licenses := t.Licenses()
	switch {
	case !t.CanWork():
		return AccountDisabled
	case licenses == lead.LicensedNowhere:
		return LicensedNowhere
	case !t.HasAccount:
		return NoAccount
	default:
		return TargetGroup(licenses)
	}
}

// Targets are the originators from which a user chooses.
type Targets struct {
	lead.DirectoryResult // its People are those of the list
	List                 []Target
	States               []string // of the leads
	Team                 bool     // the open leads and the availability are known to this user
}

// Targets finds who can get the leads of a plan: the originators of this user's company, first those who are licensed
// in the states of the leads, then those with the fewest open leads. If all leads have the same originator, it leaves
// them out. Those who are chosen are always among them.
func (b *Bulk) Targets(ctx context.Context, typed string, plan Plan) (Targets, error) {
	if err := b.d.May(access.ReassignLead); err != nil {
		return Targets{}, err
	}
	search := targetSearch{typed: typed, limit: maxTargets}
	if typed != "" {
		search.limit = core.MaxPeople
	}
	return reassignTargets(ctx, b.d, search, plan)
}

// targetSearch is a search for originators who can get leads.
type targetSearch struct {
	typed    string
	limit    int
	eligible func(o lead.Originator) bool // nil for everybody in the directory
}

func reassignTargets(ctx context.Context, d core.Desk, search targetSearch, plan Plan) (Targets, error) {
	owner, states := ownerAndStates(plan)
	all := func(ctx context.Context) ([]lead.Originator, error) {
		people, err := d.Assignable(ctx)
		return slices.DeleteFunc(people, func(o lead.Originator) bool {
			a := plan.facts.Available[o.UUID]
			return o.RemovedAt != 0 || o.UUID == owner || a.Disabled || a.NoLeads ||
				search.eligible != nil && !search.eligible(o)
		}), err
	}
	found, err := d.SearchOriginators(ctx, search.typed, all)
	if err != nil {
		return Targets{}, err
	}
	t := Targets{DirectoryResult: found, States: states, Team: plan.facts.Team}
	listed := func(id heloc.OriginatorID) bool {
		return slices.ContainsFunc(found.People, func(o lead.Originator) bool { return o.UUID == id })
	}
	for _, id := range plan.Assignees {
		if o, known := plan.facts.Person(id); known && !listed(id) {
			found.People = append(found.People, o)
		}
	}
	for _, o := range found.People {
		t.List = append(t.List, plan.target(o, states))
	}
	slices.SortStableFunc(t.List, compareTargets)
	t.Total, t.List = len(t.List), firstTargets(t.List, search.limit)
	t.People = make([]lead.Originator, len(t.List))
	for i, one := range t.List {
		t.People[i] = one.Originator
	}
	return t, nil
}

func (p Plan) target(o lead.Originator, states []string) Target {
	return Target{Candidate: p.facts.Candidate(o, states...), Gets: p.Gets(o.UUID),
		Chosen: slices.Contains(p.Assignees, o.UUID)}
}

// Barred reports whether the originator cannot get any of the leads: they are not licensed in any of the states, or
// their account is disabled.
func (t Target) Barred() bool { return t.Group() >= LicensedNowhere }

// compareTargets orders people as every list of candidates; those who were chosen and cannot work come last.
func compareTargets(a, b Target) int {
	return cmp.Or(cmp.Compare(a.Group(), b.Group()), lead.CompareCandidates(a.Candidate, b.Candidate))
}

// firstTargets limits a list, but includes everybody who is chosen.
func firstTargets(list []Target, limit int) []Target {
	first := slices.Clone(list[:min(len(list), limit)])
	for _, t := range list[len(first):] {
		if t.Chosen {
			first = append(first, t)
		}
	}
	return first
}

// ownerAndStates returns the originator who has all leads of a plan, or "", and the states of their properties.
func ownerAndStates(p Plan) (owner heloc.OriginatorID, states []string) {
	same, first := true, true
	for _, l := range p.Leads {
		if l.Problem == leadNotFoundMessage {
			continue
		}
		if first {
			owner, first = l.Row.Originator, false
		}
		same = same && l.Row.Originator == owner
		if l.State != "" && !slices.Contains(states, l.State) {
			states = append(states, l.State)
		}
	}
	slices.Sort(states)
	if !same {
		owner = ""
	}
	return owner, states
}
