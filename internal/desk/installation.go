package desk

import (
	"context"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/partner"
	"hearthline/internal/store"
)

// Installation is the portal itself, for who keeps it running: how it fares, and what it
// uses of the lender's interface. No borrower is named here.
type Installation struct{ d *Desk }

// Installation opens it; fault.Denied without the permission.
func (d *Desk) Installation() (*Installation, error) {
	if err := d.may(access.ManageSettings); err != nil {
		return nil, err
	}
	return &Installation{d}, nil
}

// Use is one endpoint of the lender's interface with what it was asked since the start.
type Use struct {
	partner.Endpoint
	partner.Tally
}

// Uses are all endpoints, by section.
func (i *Installation) Uses(context.Context) ([]Use, error) {
	if err := i.d.may(access.ManageSettings); err != nil {
		return nil, err
	}
	var uses []Use
	for _, e := range partner.Endpoints() {
		uses = append(uses, Use{e, i.d.Lender.Tally(e.Name)})
	}
	return uses, nil
}

// Fares is how the portal fares at this moment.
type Fares struct {
	store.Backlog
	LenderDown time.Time // since when the lender has not answered; zero while it does
	Dialect    string
	Echo       string    // yes, no, or empty before the first start
	Directory  int       // originators in it
	ReadAt     time.Time // when it was last read completely
	Unread     string    // why the last read was not complete; empty when it was
	Waiting    int       // people about whom a change of it waits for an administrator
	Mismatches []store.Mismatch
	Head       store.AuditHead
	Base       store.AuditBase // from where the audit stands
	Whole      bool            // the audit's chain
	Broken     int64           // else where
	Key        string
	Older      bool // older keys are kept beside it
	Renewal    store.RenewalStanding
	Unopened   []heloc.AppID // leads whose borrower's name does not open
}

// Fares reads it. The audit is walked from end to end, and every borrower's name is opened.
func (i *Installation) Fares(ctx context.Context) (Fares, error) {
	if err := i.d.may(access.ManageSettings); err != nil {
		return Fares{}, err
	}
	f := Fares{LenderDown: i.d.LenderDownSince(), Dialect: string(i.d.Lender.Dialect()), Key: i.d.Vault.Present()}
	var err error
	if f.Backlog, err = i.d.Store.Backlog(ctx, i.d.Now()); err != nil {
		return f, err
	}
	if f.Echo, err = i.d.Store.Setting(ctx, "lender.echo"); err != nil {
		return f, err
	}
	if err = i.directory(ctx, &f); err != nil {
		return f, err
	}
	if f.Older = i.d.Vault.Older(); f.Older {
		if f.Renewal, err = i.d.Store.RenewalStanding(ctx, f.Key); err != nil {
			return f, err
		}
	}
	if f.Head, err = i.d.Store.AuditHead(ctx); err != nil {
		return f, err
	}
	if f.Base, err = i.d.Store.AuditBase(ctx); err != nil {
		return f, err
	}
	if f.Unopened, err = i.unopened(ctx); err != nil {
		return f, err
	}
	f.Broken, _, f.Whole, err = i.d.Store.BrokenAudit(ctx)
	return f, err
}

// directory reads how the lender's directory stands.
func (i *Installation) directory(ctx context.Context, f *Fares) error {
	r, err := i.d.directoryReview(ctx)
	if err != nil {
		return err
	}
	f.Directory, f.ReadAt, f.Unread = r.Listed, r.ReadAt, r.Unread
	for _, c := range r.Changes {
		if c.State == store.ChangeWaiting {
			f.Waiting++
		}
	}
	f.Mismatches, err = i.d.Store.Mismatches(ctx)
	return err
}

// unopened finds the leads whose borrower's name was changed or moved, or lost its key.
func (i *Installation) unopened(ctx context.Context) (apps []heloc.AppID, err error) {
	const atOnce = 500
	names := store.SealedColumn{Table: "leads", Key: "app_uuid", Column: "borrower"}
	for after := (store.Sealed{}); ; {
		page, err := i.d.Store.SealedPage(ctx, names, after, atOnce)
		if err != nil {
			return nil, err
		}
		for _, name := range page {
			if _, err := i.d.Vault.Unseal(journal.PlaceOfName(heloc.AppID(name.Row)), name.Value); err != nil {
				apps = append(apps, heloc.AppID(name.Row))
			}
		}
		if len(page) < atOnce {
			return apps, nil
		}
		after = page[len(page)-1]
	}
}
