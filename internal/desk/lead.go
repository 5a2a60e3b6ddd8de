package desk

import (
	"context"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// Lead is one lead opened by one user. Code that has a Lead may see it.
type Lead struct {
	d      *Desk
	row    lead.Row
	readAt time.Time // when it was opened; the user has not seen what came later
	Name   heloc.Name
}

// Lead opens a lead. It returns fault.NotFound for a lead that does not exist, that this user cannot access, or that
// their role may not see: the three cases look alike.
func (d *Desk) Lead(ctx context.Context, app string) (*Lead, error) {
	id, err := heloc.ParseAppID(app)
	if err != nil || !d.Actor.Can(access.SeeLead) {
		return nil, fault.New(fault.NotFound, "Page not found, or you don’t have access.")
	}
	readAt := d.now()
	row, err := d.store.Lead(ctx, d.Actor.Scope(), id)
	if err != nil {
		return nil, err
	}
	name, err := d.borrowerName(row.App, row.Borrower)
	return &Lead{d, row, readAt, name}, err
}

// Reopen opens the lead again, as it is now: what refused a form may have changed the lead after it was opened.
func (l *Lead) Reopen(ctx context.Context) (*Lead, error) {
	if err := l.d.may(access.SeeLead); err != nil {
		return nil, err
	}
	return l.d.Lead(ctx, string(l.row.App))
}

// Row is the lead's row of the pipeline.
func (l *Lead) Row() lead.Row { return l.row }

// App is the lead's id.
func (l *Lead) App() heloc.AppID { return l.row.App }

// Actor is the user who opened the lead.
func (l *Lead) Actor() access.Actor { return l.d.Actor }

// Can reports whether the user may do something to this lead, so that a page can offer it.
func (l *Lead) Can(p access.Permission) bool {
	return l.d.Actor.Can(p) && !(p.OwnerOnly() && l.AsDeputy())
}

// AsDeputy reports whether the user has access to the lead only because they cover for its originator.
func (l *Lead) AsDeputy() bool { return l.d.Actor.Scope().AsDeputy(l.row.Owner()) }

// may is Desk.may for this lead: fault.Denied also for what its originator does not leave to a deputy.
func (l *Lead) may(p access.Permission) error {
	if err := l.d.may(p); err != nil {
		return err
	}
	if p.OwnerOnly() && l.AsDeputy() {
		return fault.New(fault.Denied, "You cover for the originator of this lead. Only the originator or a manager can reassign it.")
	}
	return nil
}

// NewOperationID makes the operation id of a form for this lead at its current step.
func (l *Lead) NewOperationID(kind heloc.Operation) string {
	return l.d.journal.NewOperationID(l.d.Actor, kind, l.row.App, journal.StepFingerprint(l.row))
}

// Refresh requests that the lead and its documents be read from the lender again.
func (l *Lead) Refresh(context.Context) error {
	if err := l.d.may(access.AnnotateLead); err != nil {
		return err
	}
	l.d.refresher.RequestRefresh(l.row.App, l.row.Company, lead.PartDocuments)
	return nil
}

// SaveLastView records that the user has viewed the lead as it was when it was opened, and its documents if documents is true:
// what came later has not been displayed and must not count as seen. It writes nothing when nothing has changed since their
// last view.
func (l *Lead) SaveLastView(ctx context.Context, documents bool) error {
	if err := l.d.may(access.SeeLead); err != nil {
		return err
	}
	if err := l.markNoticesRead(ctx); err != nil {
		return err
	}
	view, err := l.d.store.LastViewOf(ctx, l.d.Actor.UserID, l.row.App)
	if err != nil {
		return err
	}
	last := view.ViewedAt
	if documents {
		last = view.DocumentsAt
	}
	if last > l.row.ChangedAt {
		return nil
	}
	return l.d.store.Write(ctx, func(tx *store.Tx) error {
		if err := tx.Audit(ctx, store.AuditEntry{
			ActorID: l.d.Actor.UserID, Company: l.row.Company, Action: store.ActionLeadOpen, Object: "lead:" + string(l.row.App), Outcome: "opened",
		}); err != nil {
			return err
		}
		return tx.SaveLastView(ctx, l.d.Actor.UserID, l.row.App, l.readAt, documents)
	})
}

// reauthorize checks again, in the transaction of a write, whether the user may still do it to this lead: before a
// slow form arrives, the lead can be reassigned, and the user's role or account can change.
func (l *Lead) reauthorize(ctx context.Context, tx *store.Tx, p access.Permission) error {
	user, err := l.d.reauthorize(ctx, tx, p)
	if err != nil {
		return err
	}
	_, err = tx.Lead(ctx, user.Scope(), l.row.App)
	return err
}

// reauthorize checks again, in a transaction, who the user is and whether they still have permission p.
func (d *Desk) reauthorize(ctx context.Context, tx *store.Tx, p access.Permission) (access.User, error) {
	return tx.Reauthorize(ctx, d.actingUnder(p))
}

// actingUnder returns the user together with the permission under which they act.
func (d *Desk) actingUnder(p access.Permission) access.By {
	return access.By{Actor: d.Actor, Permission: p}
}
