package lendersync

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// Reads may take leads or accounts from this many people in limitPeriod, or from this part of them if
// that is more, without an administrator.
const (
	fewRemovals = 3
	removalPart = 20 // one in twenty
	limitPeriod = 24 * time.Hour
)

// judgment compares a complete read of the directory with the known originators.
type judgment struct {
	w      *Service
	began  time.Time
	listed map[heloc.OriginatorID]heloc.Originator

	now    time.Time                   // the same for everything that is applied, so that it can be undone together
	again  bool                        // an absence is not confirmed yet
	unsure map[heloc.OriginatorID]bool // whose
	alone  map[heloc.OriginatorID]bool // to whom a change is applied that no administrator has approved
	back   []heloc.OriginatorID        // whose leads are given back after judge
}

// judge applies removals that affect few originators, reopens the accounts that relisted originators had lost, and
// records that the directory was read completely. Changes that affect too many wait, and none of them is applied.
func (j *judgment) judge(ctx context.Context, tx *store.Tx) error {
	removals, apply, err := j.decideAll(ctx, tx)
	if err != nil {
		return err
	}
	for _, c := range apply {
		if err := j.apply(ctx, tx, c); err != nil {
			return err
		}
	}
	return cmp.Or(j.reopen(ctx, tx, removals, apply),
		tx.SaveSetting(ctx, store.DirectoryUnread, ""),
		tx.SaveSetting(ctx, store.DirectoryRead, strconv.FormatInt(store.Millis(j.began), 10)))
}

// decideAll lists what the read would take from people, and what of it is applied.
func (j *judgment) decideAll(ctx context.Context, tx *store.Tx) (removals, apply []lead.DirectoryChange, err error) {
	j.now, j.again, j.unsure = j.w.Now(), false, map[heloc.OriginatorID]bool{}
	people, err := tx.AllOriginators(ctx)
	if err != nil {
		return nil, nil, err
	}
	if removals, err = j.removals(ctx, tx, people); err != nil {
		return nil, nil, err
	}
	apply, err = j.decide(ctx, tx, removals, people)
	return removals, apply, err
}

// removals lists what the read would take from people.
func (j *judgment) removals(ctx context.Context, tx *store.Tx,
	people []lead.Originator) (all []lead.DirectoryChange, err error) {
	for _, o := range people {
		now, listed := j.listed[o.UUID]
		switch {
		case listed:
			if to, name := companyOf(now); to != access.CompanyOf(o.BrokerID, o.Organization) {
				all = append(all, lead.DirectoryChange{Originator: o.UUID, ToCompany: to, ToName: name})
			}
		case o.RemovedAt != 0:
		case o.MissingSince == 0 || o.MissingSince > store.Millis(j.began):
			j.again, j.unsure[o.UUID] = true, true
			if err := tx.NoteMissing(ctx, o.UUID, j.began); err != nil {
				return nil, err
			}
		case j.began.Sub(store.Instant(o.MissingSince)) < directoryConfirm:
			j.again, j.unsure[o.UUID] = true, true
		default:
			all = append(all, lead.DirectoryChange{Originator: o.UUID})
		}
	}
	return all, nil
}

func companyOf(o heloc.Originator) (company, name string) {
	if o.Broker != nil {
		return o.Broker.ID, o.Broker.Name
	}
	return access.CompanyOf("", o.Organization), o.Organization
}

// decide says which removals are applied: those that an administrator has approved, and the
// others unless too many people are affected. Then they wait until an
// administrator decides, or until a complete read no longer shows the change. A smaller number of
// affected people later does not release them, because it does not mean that the directory is right.
// A decision about a person who may still be absent stays; others that the read does not show are deleted.
func (j *judgment) decide(ctx context.Context, tx *store.Tx, removals []lead.DirectoryChange,
	people []lead.Originator) (apply []lead.DirectoryChange, err error) {
	before, err := tx.DirectoryChanges(ctx)
	if err != nil {
		return nil, err
	}
	known := map[heloc.OriginatorID]lead.DirectoryChange{}
	affected := maps.Clone(j.unsure)
	waited := 0
	for _, c := range before {
		known[c.Originator] = c
		if c.State == lead.ChangeWaiting {
			waited++
		} else if c.ToCompany == "" {
			delete(affected, c.Originator) // their absence is decided
		}
	}
	var open []lead.DirectoryChange
	for _, c := range removals {
		was, decided := known[c.Originator]
		decided = decided && was.ToCompany == c.ToCompany
		switch {
		case decided && was.State == lead.ChangeApproved:
			apply = append(apply, c)
		case decided && was.State == lead.ChangeDisregarded:
			delete(known, c.Originator)
		default:
			open = append(open, c)
			affected[c.Originator] = true
		}
	}
	tooMany, err := j.tooMany(ctx, tx, people, affected)
	if err != nil {
		return nil, err
	}
	j.alone = map[heloc.OriginatorID]bool{}
	var wait []lead.DirectoryChange
	for _, c := range open {
		was := known[c.Originator]
		if was.State != lead.ChangeWaiting && !tooMany {
			j.alone[c.Originator] = true
			apply = append(apply, c)
			continue
		}
		wait = append(wait, c)
		if was.State == lead.ChangeWaiting && was.ToCompany == c.ToCompany {
			delete(known, c.Originator)
		}
	}
	for id, was := range known { // applied now, or not so any more
		if j.unsure[id] {
			if was.State == lead.ChangeWaiting {
				wait = append(wait, was)
			}
			continue
		}
		if err := tx.DropDirectoryChange(ctx, id); err != nil {
			return nil, err
		}
	}
	return apply, j.wait(ctx, tx, wait, waited)
}

// wait stores the waiting changes and notifies the administrators of new ones. When no change is waiting anymore, it
// deletes the notifications.
func (j *judgment) wait(ctx context.Context, tx *store.Tx, open []lead.DirectoryChange, waited int) error {
	before, err := tx.DirectoryChanges(ctx)
	if err != nil {
		return err
	}
	fresh := 0
	for _, c := range open {
		if slices.ContainsFunc(before, func(b lead.DirectoryChange) bool { return b.Originator == c.Originator }) {
			continue
		}
		fresh++
		c.State, c.ShownAt = lead.ChangeWaiting, store.Millis(j.began)
		if err := tx.SaveDirectoryChange(ctx, c); err != nil {
			return err
		}
	}
	audited := store.AuditEntry{ActorID: "system", Object: "directory:originators", Outcome: "done"}
	switch {
	case fresh > 0:
		audited.Action, audited.Detail = store.ActionDirectoryHold, "people:"+strconv.Itoa(len(open))
		return cmp.Or(tx.Audit(ctx, audited), j.w.tellAdministrators(ctx, tx, len(open), j.began))
	case waited > 0 && len(open) == 0:
		audited.Action = store.ActionDirectoryClear
		return cmp.Or(tx.Audit(ctx, audited), tx.DropDirectoryNotices(ctx))
	}
	return nil
}

// tellAdministrators notifies all administrators of a change that affects n people and waits for them. It replaces
// earlier notifications.
func (s *Service) tellAdministrators(ctx context.Context, tx *store.Tx, n int, when time.Time) error {
	if err := tx.DropDirectoryNotices(ctx); err != nil {
		return err
	}
	users, err := tx.Administrators(ctx)
	if err != nil {
		return err
	}
	at := store.Millis(when)
	dedupKeys := s.Vault.NoticeDedupKeys("directory", strconv.FormatInt(at, 10))
	for _, u := range users {
		if _, err := tx.Notify(ctx, lead.Notice{
			UserID: u.UserID, Company: store.UserScopeOf(u.Actor).Company, Kind: lead.NoticeDirectory, N: n, At: at,
			DedupKey: dedupKeys[0], OldDedupKeys: dedupKeys[1:],
		}); err != nil {
			return err
		}
	}
	return nil
}

func (j *judgment) apply(ctx context.Context, tx *store.Tx, c lead.DirectoryChange) error {
	if j.alone[c.Originator] {
		c.State, c.ShownAt = lead.ChangeApplied, store.Millis(j.began)
		if err := tx.SaveDirectoryChange(ctx, c); err != nil {
			return err
		}
	}
	if c.ToCompany == "" {
		return tx.MarkRemoved(ctx, c.Originator, j.now)
	}
	return tx.SaveOriginator(ctx, j.listed[c.Originator], j.now)
}

// reopen gives their account back to the originators whom an absence removed and whom the read lists, provided that
// they have no other removal, or that it was applied. giveBack gives them their leads.
func (j *judgment) reopen(ctx context.Context, tx *store.Tx, removals, applied []lead.DirectoryChange) error {
	j.back = nil
	lost, err := tx.Recoverable(ctx)
	if err != nil {
		return err
	}
	for _, id := range lost {
		of := func(c lead.DirectoryChange) bool { return c.Originator == id }
		_, listed := j.listed[id]
		if !listed || slices.ContainsFunc(removals, of) && !slices.ContainsFunc(applied, of) {
			continue
		}
		if err := tx.ReopenOriginator(ctx, "system", id); err != nil {
			return err
		}
		j.back = append(j.back, id)
	}
	return nil
}

// group counts some people, and how many of them a read and those of the last day affect.
type group struct{ size, affected int }

func (g *group) add(affected bool) {
	g.size++
	if affected {
		g.affected++
	}
}

func (g group) overLimit() bool { return g.affected > max(fewRemovals, g.size/removalPart) }

// half reports whether at least half of the group, and at least two people, are affected.
func (g group) half() bool { return g.affected >= 2 && 2*g.affected >= g.size }

// tooMany reports whether an administrator must decide. The limit holds for everybody listed and, as a
// directory may list far more people than work here, for those who have an account or leads here.
// Besides, half of the directory, half of a company with such people, and all such people are too many.
func (j *judgment) tooMany(ctx context.Context, tx *store.Tx, people []lead.Originator,
	affected map[heloc.OriginatorID]bool) (bool, error) {
	lately, err := j.appliedLately(ctx, tx)
	if err != nil {
		return false, err
	}
	withWork, err := tx.OriginatorsWithWork(ctx)
	if err != nil {
		return false, err
	}
	var everybody, working group
	companies, here := map[string]*group{}, map[string]bool{}
	for _, o := range people {
		if o.RemovedAt != 0 && !lately[o.UUID] {
			continue
		}
		company := access.CompanyOf(o.BrokerID, o.Organization)
		if companies[company] == nil {
			companies[company] = &group{}
		}
		everybody.add(affected[o.UUID] || lately[o.UUID])
		if withWork[o.UUID] {
			working.add(affected[o.UUID] || lately[o.UUID])
			here[company] = true
		}
		// A person who came from another company does not count as a loss of this one.
		companies[company].add(affected[o.UUID] || o.RemovedAt != 0)
	}
	for company := range here {
		if companies[company].half() {
			return true, nil
		}
	}
	return everybody.overLimit() || everybody.half() || working.overLimit() ||
		working.affected >= 2 && working.affected == working.size, nil
}

// appliedLately are the people to whom reads of the last day applied a change without an
// administrator, and who have not been listed again since.
func (j *judgment) appliedLately(ctx context.Context, tx *store.Tx) (map[heloc.OriginatorID]bool, error) {
	applied, err := tx.AppliedChanges(ctx)
	if err != nil {
		return nil, err
	}
	lately := map[heloc.OriginatorID]bool{}
	for _, c := range applied {
		_, listed := j.listed[c.Originator]
		if c.ToCompany == "" && listed || j.began.Sub(store.Instant(c.ShownAt)) >= limitPeriod {
			if err := tx.DropDirectoryChange(ctx, c.Originator); err != nil {
				return nil, err
			}
			continue
		}
		lately[c.Originator] = true
	}
	return lately, nil
}
