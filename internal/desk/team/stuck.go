package team

import (
	"context"
	"slices"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// StuckFilter selects stuck leads. The zero value selects all of them.
type StuckFilter struct {
	Step       heloc.Step // heloc.StepUnknown means every step at which the lender works
	Originator heloc.OriginatorID
	Unassigned bool
	After      string
}

// StuckPage is one page of stuck leads, and the counts of all of them.
type StuckPage struct {
	Groups []StuckGroup // by step and originator, largest first
	Leads  []StuckLead  // that are at their step for longest first
	Next   string
}

// StuckGroup is the stuck leads of one originator at one step.
type StuckGroup struct {
	lead.StuckCount
	lead.UsualStay
	Name   string // of the originator; empty for unassigned leads and where it is unknown
	Capped bool   // there are more leads at the step than are counted
}

// StuckLead is one stuck lead with what was tried.
type StuckLead struct {
	lead.PipelineRow
	lead.UsualStay
	Operation lead.Operation // the last one that was sent; zero for none
	Notes     int
	Nudge     lead.Nudge // since the lead is at its step; zero for none
	CanNudge  bool
	NoAccount bool // the originator has no account, so nobody can be notified
}

// Stuck lists the company's open inquiries that have been at their step for too long.
func (t *Team) Stuck(ctx context.Context, f StuckFilter) (StuckPage, error) {
	var page StuckPage
	if err := t.d.May(access.SeeTeam); err != nil {
		return page, err
	}
	steps, err := t.stuckSteps(ctx)
	if err != nil {
		return page, err
	}
	q := store.StuckQuery{Company: t.d.Company(), Steps: steps, Now: t.d.Now()}
	people, err := t.d.Store.OriginatorsOf(ctx, t.d.Actor.Scope())
	if err != nil {
		return page, err
	}
	names := make(map[heloc.OriginatorID]string, len(people))
	for _, o := range people {
		names[o.UUID] = o.Name()
	}
	if page.Groups, err = t.stuckGroups(ctx, q, names); err != nil {
		return page, err
	}
	if f.Step != "" {
		q.Steps = slices.DeleteFunc(slices.Clone(steps), func(s lead.StuckStep) bool {
			return lead.CountedStep(s.Step) != f.Step
		})
	}
	q.Originator, q.Unassigned, q.After = f.Originator, f.Unassigned, f.After
	found, err := t.d.Store.StuckLeads(ctx, q)
	if err != nil {
		return page, err
	}
	page.Next = found.Next
	page.Leads, err = t.stuckLeads(ctx, found.Leads, names, steps)
	return page, err
}

// stuckSteps lists the steps of the company's open inquiries at which a lead can be stuck.
func (t *Team) stuckSteps(ctx context.Context) ([]lead.StuckStep, error) {
	open, err := t.d.Store.OpenSteps(ctx, t.d.Company())
	if err != nil {
		return nil, err
	}
	var steps []lead.StuckStep
	for _, step := range open {
		if step == heloc.StepComplete {
			continue
		}
		usual, err := t.usualStay(ctx, step)
		if err != nil {
			return nil, err
		}
		if stuck, can := lead.StuckStepOf(step, usual); can {
			steps = append(steps, stuck)
		}
	}
	return steps, nil
}

// usualStay returns how long the company's leads usually stay at a step.
func (t *Team) usualStay(ctx context.Context, step heloc.Step) (lead.UsualStay, error) {
	stays, err := t.d.Store.Stays(ctx, t.d.Company(), step, lead.MaxStays)
	if err == nil && lead.CountedStep(step) == heloc.StepUnknown { // both names of the step have the same usual stay
		other := heloc.StepUnknown
		if step == other {
			other = ""
		}
		var more []int64
		more, err = t.d.Store.Stays(ctx, t.d.Company(), other, lead.MaxStays)
		stays = append(stays, more...)
	}
	return lead.UsualStayOf(step, stays), err
}

func (t *Team) stuckGroups(ctx context.Context, q store.StuckQuery,
	names map[heloc.OriginatorID]string) ([]StuckGroup, error) {
	counts, err := t.d.Store.StuckCounts(ctx, q)
	if err != nil {
		return nil, err
	}
	atStep := map[heloc.Step]int{}
	for _, c := range counts {
		atStep[c.Step] += c.Leads
	}
	var groups []StuckGroup
	for _, c := range counts {
		at := slices.IndexFunc(q.Steps, func(s lead.StuckStep) bool { return s.Step == c.Step })
		g := StuckGroup{StuckCount: c, UsualStay: q.Steps[at].UsualStay, Name: names[c.Originator],
			Capped: atStep[c.Step] >= store.StuckLimit}
		g.Step = lead.CountedStep(c.Step)
		known := slices.IndexFunc(groups, func(other StuckGroup) bool {
			return other.Step == g.Step && other.Originator == g.Originator
		})
		if known < 0 {
			groups = append(groups, g)
			continue
		}
		groups[known].Leads += g.Leads
		groups[known].Since = min(groups[known].Since, g.Since)
		groups[known].Capped = groups[known].Capped || g.Capped
	}
	slices.SortStableFunc(groups, func(a, b StuckGroup) int {
		if a.Leads != b.Leads {
			return b.Leads - a.Leads
		}
		return int(min(max(a.Since-b.Since, -1), 1))
	})
	return groups, nil
}

// stuckLeads adds what was tried to the leads of one page.
func (t *Team) stuckLeads(ctx context.Context, rows []lead.Row, names map[heloc.OriginatorID]string,
	steps []lead.StuckStep) ([]StuckLead, error) {
	apps := lead.Apps(rows)
	operations, err := t.d.Store.LastOperations(ctx, apps)
	if err != nil {
		return nil, err
	}
	notes, err := t.d.Store.NoteCounts(ctx, apps)
	if err != nil {
		return nil, err
	}
	nudges, err := t.d.Store.LastNudges(ctx, apps)
	if err != nil {
		return nil, err
	}
	accounts, err := t.d.Store.OriginatorAccounts(ctx, t.d.Actor.Scope())
	if err != nil {
		return nil, err
	}
	var all []StuckLead
	for _, l := range rows {
		one := StuckLead{Operation: operations[l.App], Notes: notes[l.App], Nudge: lead.NudgeOf(l, nudges[l.App])}
		if at := slices.IndexFunc(steps, func(s lead.StuckStep) bool { return s.Step == l.Step }); at >= 0 {
			one.UsualStay = steps[at].UsualStay
		}
		one.Row, one.Originator = &l, names[l.Originator]
		if one.Name, err = t.d.BorrowerName(l.App, l.Borrower); err != nil {
			return nil, err
		}
		hasAccount := slices.ContainsFunc(accounts, func(a store.OriginatorAccount) bool {
			return a.Originator == l.Originator && a.DisabledAt == 0
		})
		assigned := l.Originator != ""
		own := assigned && string(l.Originator) == t.d.Actor.OriginatorUUID
		one.NoAccount = assigned && !hasAccount
		one.CanNudge = assigned && !own && hasAccount && one.Nudge.At == 0
		all = append(all, one)
	}
	return all, nil
}
