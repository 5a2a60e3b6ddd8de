// Package demo has the handle of the demo's practice missions.
package demo

import (
	"context"
	"slices"
	"strconv"
	"time"

	"hearthline/internal/desk/internal/core"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// Rehearsal is what a user practices in the demo: every blocked step once, and a reassignment.
type Rehearsal struct{ d core.Desk }

// OpenRehearsal returns the rehearsal; fault.Denied for users who cannot act on leads in their own name.
func OpenRehearsal(d core.Desk) (*Rehearsal, error) { return core.Opened(&Rehearsal{d}, d.MayAct()) }

// Mission is one thing to practice.
type Mission struct {
	Step   heloc.Step      // the blocked step to resolve; empty for the reassignment
	Status heloc.StatusKey // of a lead that has just reached the step; empty for the reassignment
	Done   *lead.Operation // the first write with which the user has done it; nil until then
	Lead   *MissionLead    // a lead to do it on, which is no other mission's; nil once done, and if there is none
}

// MissionLead is a lead on which a mission can be done now.
type MissionLead struct {
	lead.Row
	Name       heloc.Name
	Originator string // the originator's name
}

// RehearsalProgress is a user's missions, and since when their writes are counted.
type RehearsalProgress struct {
	Since    time.Time
	Missions []Mission
}

// Done counts the missions that are done.
func (p RehearsalProgress) Done() int {
	n := 0
	for _, m := range p.Missions {
		if m.Done != nil {
			n++
		}
	}
	return n
}

// Progress reads the missions from the journal: a blocked step is done when the user sent its form, the lender accepted
// it and the lead left the step for another one than the end; the reassignment, when the lender accepted it.
func (r *Rehearsal) Progress(ctx context.Context) (p RehearsalProgress, err error) {
	if err := r.d.MayAct(); err != nil {
		return p, err
	}
	if p.Since, err = r.since(ctx); err != nil {
		return p, err
	}
	var used []heloc.AppID // the leads of the missions
	kinds := map[heloc.Step][]heloc.Operation{"": {heloc.OpReassign}}
	for _, b := range heloc.BlockedSteps() {
		p.Missions = append(p.Missions, Mission{Step: b.Step, Status: b.Status})
		kinds[b.Step] = b.Operations
	}
	p.Missions = append(p.Missions, Mission{})
	for i := range p.Missions {
		m := &p.Missions[i]
		op, err := r.d.Store.FirstAccepted(ctx, store.AcceptedQuery{By: r.d.UserScope(), SentAfter: p.Since,
			Kinds: kinds[m.Step], Step: m.Step})
		switch {
		case err == nil:
			m.Done, used = &op, append(used, op.App)
		case !fault.Is(err, fault.NotFound):
			return p, err
		}
	}
	for i := range p.Missions {
		if p.Missions[i].Done != nil {
			continue
		}
		if p.Missions[i].Lead, err = r.unusedLead(ctx, p.Missions[i].Step, used); err != nil {
			return p, err
		}
		if l := p.Missions[i].Lead; l != nil {
			used = append(used, l.App)
		}
	}
	return p, nil
}

// unusedLead finds a lead for a mission; nil if there is none.
func (r *Rehearsal) unusedLead(ctx context.Context, step heloc.Step, used []heloc.AppID) (*MissionLead, error) {
	row, err := r.leadAt(ctx, step, used)
	if row == nil || err != nil {
		return nil, err
	}
	found := &MissionLead{Row: *row}
	if found.Name, err = r.d.BorrowerName(row.App, row.Borrower); err != nil {
		return nil, err
	}
	o, err := r.d.Store.Originator(ctx, row.Originator)
	if err != nil && !fault.Is(err, fault.NotFound) { // the directory may not contain the originator
		return nil, err
	}
	found.Originator = o.Name()
	return found, nil
}

func (r *Rehearsal) leadAt(ctx context.Context, step heloc.Step, used []heloc.AppID) (*lead.Row, error) {
	if step == "" {
		return r.leadToReassign(ctx, used)
	}
	rows, err := r.d.Store.LeadsAtStep(ctx, heloc.OriginatorID(r.d.Actor.OriginatorUUID), step, len(used)+1)
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		if !slices.Contains(used, row.App) {
			return &row, nil
		}
	}
	return nil, nil
}

// maxReassignCandidates is how many leads of each lane are considered for the reassignment.
const maxReassignCandidates = 20

// leadToReassign finds an open lead that the user may reassign. It proposes none of the user's own at a blocked step,
// which they can practice on, and to managers their own and other originators' blocked ones only if there is no other.
func (r *Rehearsal) leadToReassign(ctx context.Context, used []heloc.AppID) (fallback *lead.Row, err error) {
	own, scope := heloc.OriginatorID(r.d.Actor.OriginatorUUID), r.d.Actor.Scope().Own()
	for _, lane := range []heloc.Lane{heloc.LaneBorrower, heloc.LaneOffers, heloc.LaneClosing, heloc.LaneBlocked,
		heloc.LaneLender} {
		page, err := r.d.Store.Leads(ctx, scope, lead.Query{Lane: lane, Limit: maxReassignCandidates})
		if err != nil {
			return nil, err
		}
		for _, row := range page.Leads {
			switch {
			case row.Originator == "" || slices.Contains(used, row.App) || row.Step.Blocked() && row.Originator == own:
			case row.Step.Blocked(), row.Originator == own && scope.OriginatorUUID == "":
				if fallback == nil {
					fallback = &row
				}
			default:
				return &row, nil
			}
		}
	}
	return fallback, nil
}

// StartOver counts only what the user sends from now on.
func (r *Rehearsal) StartOver(ctx context.Context) error {
	if err := r.d.MayAct(); err != nil {
		return err
	}
	return r.d.Store.Write(ctx, func(tx *store.Tx) error {
		return tx.SaveSetting(ctx, r.setting(), strconv.FormatInt(store.Millis(r.d.Now()), 10))
	})
}

// setting names the stored instant since which the user's writes are counted. Only the demo has one, so it is worth no
// column.
func (r *Rehearsal) setting() string { return "rehearsal." + r.d.Actor.UserID }

// since returns since when writes are counted: since the user started over or, before that, since their account exists.
func (r *Rehearsal) since(ctx context.Context) (time.Time, error) {
	saved, err := r.d.Store.Setting(ctx, r.setting())
	if err != nil {
		return time.Time{}, err
	}
	if ms, err := strconv.ParseInt(saved, 10, 64); err == nil {
		return store.Instant(ms), nil
	}
	created, err := r.d.Store.AccountCreatedAt(ctx, r.d.Actor.UserID)
	return store.Instant(created), err
}
