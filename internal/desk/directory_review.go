package desk

import (
	"context"
	"slices"
	"strconv"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/pubsub"
	"hearthline/internal/store"
)

// applyPatience is how long an administrator waits while an approved change is read once more.
const applyPatience = 10 * time.Second

// Closure is what an absence from the directory closed and can be given back.
type Closure = store.Closure

// ChangeState says what is decided about a change of the directory.
type ChangeState = store.ChangeState

// The states.
const (
	ChangeWaiting     = store.ChangeWaiting
	ChangeApproved    = store.ChangeApproved
	ChangeDisregarded = store.ChangeDisregarded
)

// DirectoryReview is what administrators decide about the lender's directory.
type DirectoryReview struct {
	Changes []ReviewedChange // not applied, in the order of names
	Closed  []store.Closure  // applied: absences that can be undone, the latest first
	ReadAt  time.Time        // when the directory was last read completely; zero for never
	Unread  string           // why the last read was not complete; empty when it was
	Listed  int              // originators who were ever listed
}

// ReviewedChange is a change of the directory about one originator, and what it would take.
type ReviewedChange struct {
	store.Originator
	store.DirectoryChange
	Leads  int  // open ones, which would wait unassigned
	Closes bool // whether it would close their account
}

// Directory reads what administrators decide about the lender's directory.
func (p *People) Directory(ctx context.Context) (DirectoryReview, error) {
	if err := p.d.may(access.ManagePeople); err != nil {
		return DirectoryReview{}, err
	}
	return p.d.directoryReview(ctx)
}

func (d *Desk) directoryReview(ctx context.Context) (DirectoryReview, error) {
	var r DirectoryReview
	changes, err := d.Store.DirectoryChanges(ctx)
	if err != nil {
		return r, err
	}
	people, err := d.Store.AllOriginators(ctx)
	if err != nil {
		return r, err
	}
	users, err := d.Store.Users(ctx)
	if err != nil {
		return r, err
	}
	leads, err := d.Store.OpenLeadCounts(ctx)
	if err != nil {
		return r, err
	}
	r.Listed = len(people)
	for _, c := range changes {
		at := slices.IndexFunc(people, func(o store.Originator) bool { return o.UUID == c.Originator })
		closes := slices.ContainsFunc(users, func(u access.User) bool {
			return c.ToCompany == "" && !u.Disabled && u.Role == access.Originator && u.OriginatorUUID == string(c.Originator)
		})
		r.Changes = append(r.Changes, ReviewedChange{Originator: people[at], DirectoryChange: c, Leads: leads[c.Originator], Closes: closes})
	}
	if r.Closed, err = d.Store.Closures(ctx); err != nil {
		return r, err
	}
	read, err := d.Store.Setting(ctx, store.DirectoryRead)
	if err != nil {
		return r, err
	}
	if ms, err := strconv.ParseInt(read, 10, 64); err == nil {
		r.ReadAt = store.Instant(ms)
	}
	r.Unread, err = d.Store.Setting(ctx, store.DirectoryUnread)
	return r, err
}

// ChangeIsOver is said of a decision that comes too late.
const ChangeIsOver = "This change of the directory no longer applies, or another administrator has decided. Nothing was done."

// Decision is an administrator's word on the changes that a page has shown in one state: those
// of Until, in milliseconds, or before. What came later was not shown.
type Decision struct {
	From  store.ChangeState
	Until int64
	Apply bool // else the changes are disregarded
}

// DecideDirectory approves or disregards changes of the directory. What is approved is applied
// once another complete read has shown it, which is asked for at once.
func (p *People) DecideDirectory(ctx context.Context, one Decision) error {
	if err := p.d.may(access.ManagePeople); err != nil {
		return err
	}
	to, act := store.ChangeDisregarded, store.ActDirectoryKeep
	if one.Apply {
		to, act = store.ChangeApproved, store.ActDirectoryApply
	}
	err := p.write(ctx, func(tx *store.Tx) error {
		changes, err := tx.DirectoryChanges(ctx)
		if err != nil {
			return err
		}
		n, at := 0, store.Millis(p.d.Now())
		for _, c := range changes {
			at = max(at, c.ShownAt+1) // later than any page that was shown
		}
		for _, c := range changes {
			if c.ShownAt > one.Until || c.State != one.From || c.State == to {
				continue
			}
			n++
			c.State, c.DecidedBy, c.ShownAt = to, p.d.Actor.UserID, at
			if err := tx.SaveDirectoryChange(ctx, c); err != nil {
				return err
			}
		}
		if n == 0 {
			return fault.New(fault.Conflict, ChangeIsOver)
		}
		if err := tx.DropDirectoryNotices(ctx); err != nil {
			return err
		}
		return tx.Audit(ctx, store.AuditEntry{
			ActorID: p.d.Actor.UserID, Company: p.d.company(), Action: act, Object: "directory:originators", Outcome: "done", Detail: "people:" + strconv.Itoa(n),
		})
	})
	if err != nil || !one.Apply {
		return err
	}
	ctx, stop := context.WithTimeout(store.WithNetwork(ctx, ""), applyPatience) // the portal reads, from no network
	defer stop()
	_ = p.d.Refresher.SyncDirectory(ctx) // when it fails, the approval waits for the next read, and the page says so
	return nil
}

// UndoClosures undoes what absences from the directory did to some originators, or to all who
// were closed at one instant, and keeps them although the directory does not list them.
func (p *People) UndoClosures(ctx context.Context, undo func(store.Closure) bool) error {
	if err := p.d.may(access.ManagePeople); err != nil {
		return err
	}
	var returned []store.Lead
	err := p.write(ctx, func(tx *store.Tx) error {
		all, err := tx.Closures(ctx)
		if err != nil {
			return err
		}
		all = slices.DeleteFunc(all, func(c store.Closure) bool { return !undo(c) })
		if len(all) == 0 {
			return fault.New(fault.Conflict, "This was undone already. Nothing was done.")
		}
		for _, c := range all {
			if err := p.undoClosure(ctx, tx, c); err != nil {
				return err
			}
		}
		returned = tx.Returned
		return nil
	})
	if err != nil {
		return err
	}
	for _, before := range returned {
		p.d.Hub.Publish(pubsub.Event{App: string(before.App), Revision: before.Revision + 1}, pubsub.Originator(string(before.FormerOriginator)), pubsub.Company(before.Company))
	}
	return nil
}

func (p *People) undoClosure(ctx context.Context, tx *store.Tx, c store.Closure) error {
	if err := tx.ReturnOriginator(ctx, p.d.Actor.UserID, c.UUID, p.d.Now()); err != nil {
		return err
	}
	if c.RemovedAt != 0 { // else the directory lists them again, and nothing is to be disregarded
		if err := tx.SaveDirectoryChange(ctx, store.DirectoryChange{
			Originator: c.UUID, State: store.ChangeDisregarded, ShownAt: store.Millis(p.d.Now()), DecidedBy: p.d.Actor.UserID,
		}); err != nil {
			return err
		}
	}
	return tx.Audit(ctx, store.AuditEntry{
		ActorID: p.d.Actor.UserID, Company: store.CompanyOf(c.BrokerID, c.Organization), Action: store.ActDirectoryUndo,
		Object: "originator:" + string(c.UUID), Outcome: "done", Detail: "leads:" + strconv.Itoa(c.Leads),
	})
}
