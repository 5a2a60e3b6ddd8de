package admin

import (
	"context"
	"slices"
	"strconv"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/desk/internal/core"
	"hearthline/internal/fault"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// Directory is the lender's list of originators that a user may see: those of their own company, or all of them for
// an administrator.
type Directory struct{ d core.Desk }

// OpenDirectory returns the directory; fault.Denied without the permission.
func OpenDirectory(d core.Desk) (*Directory, error) {
	return core.Opened(&Directory{d}, d.May(access.SeeDirectory))
}

// Find searches by the start of a name, by email or by NMLS number. An empty query matches everybody.
func (dir *Directory) Find(ctx context.Context, typed string) (lead.DirectoryResult, error) {
	if err := dir.d.May(access.SeeDirectory); err != nil {
		return lead.DirectoryResult{}, err
	}
	found, err := dir.d.SearchOriginators(ctx, typed, dir.d.Directory)
	found.People = found.People[:min(found.Total, core.MaxPeople)]
	return found, err
}

// applyPatience is how long an administrator waits while the directory is read once more for an approved change.
const applyPatience = 10 * time.Second

// DirectoryReview is what administrators decide about the lender's directory.
type DirectoryReview struct {
	Changes []ReviewedChange   // not applied yet, by name
	Closed  []lead.Closure     // applied: absences that can be undone, latest first
	ReadAt  time.Time          // last complete read of the directory; zero if there was none
	Unread  string             // why the last read was incomplete; empty when it was complete
	Held    lead.HeldAdditions // new people whom the last complete read listed and who are not added yet
	Listed  int                // number of originators that were ever listed
}

// ReviewedChange is a directory change about one originator and its consequences.
type ReviewedChange struct {
	lead.Originator
	lead.DirectoryChange
	Leads  int  // open leads that would become unassigned
	Closes bool // whether it would close the originator's account
}

// Directory reads what administrators have to decide about the lender's directory.
func (p *People) Directory(ctx context.Context) (DirectoryReview, error) {
	if err := p.d.May(access.ManagePeople); err != nil {
		return DirectoryReview{}, err
	}
	return directoryReview(ctx, p.d)
}

func directoryReview(ctx context.Context, d core.Desk) (DirectoryReview, error) {
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
		at := slices.IndexFunc(people, func(o lead.Originator) bool { return o.UUID == c.Originator })
		closes := slices.ContainsFunc(users, func(u access.User) bool {
			return c.ToCompany == "" && !u.Disabled && u.Role == access.Originator && u.OriginatorUUID == string(c.Originator)
		})
		r.Changes = append(r.Changes, ReviewedChange{Originator: people[at], DirectoryChange: c, Leads: leads[c.Originator],
			Closes: closes})
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
	if r.Unread, err = d.Store.Setting(ctx, store.DirectoryUnread); err != nil {
		return r, err
	}
	r.Held, err = d.Store.HeldAdditions(ctx)
	return r, err
}

// ChangeIsOver is the message when a decision comes too late.
const ChangeIsOver = "This directory change no longer applies, or another administrator already decided. " +
	"Nothing was changed."

// Decision is an administrator's decision about the changes that a page showed in one state: those up to Until, in
// milliseconds. It does not cover later changes, which the page did not show.
type Decision struct {
	From  lead.ChangeState
	Until int64
	Apply bool // otherwise the changes are disregarded
}

// DecideDirectory approves or disregards changes of the directory. It requests another complete read immediately, and
// an approved change is applied once that read has confirmed it.
func (p *People) DecideDirectory(ctx context.Context, one Decision) error {
	to, act := lead.ChangeDisregarded, store.ActionDirectoryKeep
	if one.Apply {
		to, act = lead.ChangeApproved, store.ActionDirectoryApply
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
		if err := tx.DropSettledDirectoryNotices(ctx); err != nil {
			return err
		}
		return p.d.AuditAction(ctx, tx, act, "directory:originators", "done", "people:"+strconv.Itoa(n))
	})
	if err == nil && one.Apply {
		p.readDirectory(ctx)
	}
	return err
}

// readDirectory reads the directory once more to apply an approval. If this fails, the approval waits for the next
// read, and the page shows that.
func (p *People) readDirectory(ctx context.Context) {
	// the portal itself reads, so there is no network to record
	ctx, stop := context.WithTimeout(store.WithNetwork(ctx, ""), applyPatience)
	defer stop()
	_ = p.d.Refresher.SyncDirectory(ctx)
}

// AddHeld approves the new people whose digest a page showed. They are added by the next complete read that
// lists exactly these, which it requests immediately.
func (p *People) AddHeld(ctx context.Context, digest string) error {
	err := p.write(ctx, func(tx *store.Tx) error {
		held, err := tx.HeldAdditions(ctx)
		if err != nil {
			return err
		}
		if held.People == 0 || held.Digest != digest || held.Approved {
			return fault.New(fault.Conflict, ChangeIsOver)
		}
		held.Approved = true
		if err := tx.SaveHeldAdditions(ctx, held); err != nil {
			return err
		}
		if err := tx.DropSettledDirectoryNotices(ctx); err != nil {
			return err
		}
		return p.d.AuditAction(ctx, tx, store.ActionDirectoryApply, "directory:originators", "done",
			"new:"+strconv.Itoa(held.People))
	})
	if err == nil {
		p.readDirectory(ctx)
	}
	return err
}

// UndoClosures restores what absences from the directory closed, for some originators or for all who were closed at
// one instant. It keeps those originators although the directory does not list them.
func (p *People) UndoClosures(ctx context.Context, undo func(lead.Closure) bool) error {
	return p.write(ctx, func(tx *store.Tx) error {
		all, err := tx.Closures(ctx)
		if err != nil {
			return err
		}
		all = slices.DeleteFunc(all, func(c lead.Closure) bool { return !undo(c) })
		if len(all) == 0 {
			return fault.New(fault.Conflict, "This was already undone. Nothing was changed.")
		}
		for _, c := range all {
			if err := p.undoClosure(ctx, tx, c); err != nil {
				return err
			}
		}
		return nil
	})
}

func (p *People) undoClosure(ctx context.Context, tx *store.Tx, c lead.Closure) error {
	if err := tx.ReturnOriginator(ctx, p.d.Actor.UserID, c.UUID, p.d.Now()); err != nil {
		return err
	}
	if c.RemovedAt != 0 { // otherwise the directory lists them again, and there is nothing to disregard
		if err := tx.SaveDirectoryChange(ctx, lead.DirectoryChange{
			Originator: c.UUID, State: lead.ChangeDisregarded, ShownAt: store.Millis(p.d.Now()), DecidedBy: p.d.Actor.UserID,
		}); err != nil {
			return err
		}
	}
	return tx.Audit(ctx, store.AuditEntry{
		ActorID: p.d.Actor.UserID, Company: access.CompanyOf(c.BrokerID, c.Organization), Action: store.ActionDirectoryUndo,
		Object: "originator:" + string(c.UUID), Outcome: "done", Detail: "leads:" + strconv.Itoa(c.Leads),
	})
}
