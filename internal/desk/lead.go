package desk

import (
	"context"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/store"
)

// Lead is one lead, opened for one person. To hold it is to be allowed to see it.
type Lead struct {
	d    *Desk
	row  store.Lead
	Name heloc.Name
}

// Lead opens a lead. It is fault.NotFound for a lead that does not exist, is not within
// this person's reach, or that their role alone may not see: the three look alike.
func (d *Desk) Lead(ctx context.Context, app string) (*Lead, error) {
	id, err := heloc.ParseAppID(app)
	if err != nil || !d.Actor.Can(access.SeeLead) {
		return nil, fault.New(fault.NotFound, "This does not exist, or not for you.")
	}
	row, err := d.Store.Lead(ctx, d.Actor.Scope(), id)
	if err != nil {
		return nil, err
	}
	name, err := d.borrowerName(row)
	return &Lead{d, row, name}, err
}

// Row is the lead's row of the pipeline.
func (l *Lead) Row() store.Lead { return l.row }

// App is the lead's id.
func (l *Lead) App() heloc.AppID { return l.row.App }

// Actor is the person who opened it.
func (l *Lead) Actor() access.Actor { return l.d.Actor }

// Can says whether the person may do something to this lead, for what a page offers.
func (l *Lead) Can(p access.Permission) bool { return l.d.Actor.Can(p) }

// NewOperationID makes the operation id of a form for this lead as it stands now.
func (l *Lead) NewOperationID(kind heloc.Operation) string {
	return l.d.Journal.NewOperationID(l.d.Actor, kind, l.row.App, journal.StepFingerprint(l.row))
}

// Refresh asks for the lead to be read anew, with its documents.
func (l *Lead) Refresh(context.Context) error {
	if err := l.d.may(access.AnnotateLead); err != nil {
		return err
	}
	l.d.Refresher.RequestRefresh(l.row.App, store.PartDocuments)
	return nil
}

// SaveLastView notes that the person has seen the lead, and its documents when documents says
// so. A second look at what has not changed since the first writes nothing.
func (l *Lead) SaveLastView(ctx context.Context, documents bool) error {
	if err := l.d.may(access.SeeLead); err != nil {
		return err
	}
	if err := l.markNoticesRead(ctx); err != nil {
		return err
	}
	look, err := l.d.Store.LastViewOf(ctx, l.d.Actor.UserID, l.row.App)
	if err != nil {
		return err
	}
	last := look.ViewedAt
	if documents {
		last = look.DocumentsAt
	}
	if last > l.row.ChangedAt {
		return nil
	}
	return l.d.Store.Write(ctx, func(tx *store.Tx) error {
		if err := tx.Audit(ctx, store.AuditEntry{
			ActorID: l.d.Actor.UserID, Company: l.row.Company, Action: store.ActionLeadOpen, Object: "lead:" + string(l.row.App), Outcome: "opened",
		}); err != nil {
			return err
		}
		return tx.SaveLastView(ctx, l.d.Actor.UserID, l.row.App, l.d.Now(), documents)
	})
}

// reauthorize asks anew, in the transaction of a deed, whether the person may still do it to
// this lead: a slow form can outlive the lead's stay with them, their role and their account.
func (l *Lead) reauthorize(ctx context.Context, tx *store.Tx, p access.Permission) error {
	user, err := l.d.reauthorize(ctx, tx, p)
	if err != nil {
		return err
	}
	_, err = tx.Lead(ctx, user.Scope(), l.row.App)
	return err
}

// reauthorize asks anew, in a transaction, who the person is and whether they may still do p.
func (d *Desk) reauthorize(ctx context.Context, tx *store.Tx, p access.Permission) (access.User, error) {
	return tx.Reauthorize(ctx, d.actingUnder(p))
}

// actingUnder is the person with the right by which they act.
func (d *Desk) actingUnder(p access.Permission) access.By {
	return access.By{Actor: d.Actor, Permission: p}
}
