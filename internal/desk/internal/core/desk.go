package core

import (
	"context"
	"errors"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/approval"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/partner"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// Desk is what the handles of one user share: the services, and who the user is. It is passed by value, so that it is
// never nil.
type Desk struct {
	Services
	*User
}

// User is the user of a desk.
type User struct {
	Actor         access.Actor
	LaunchRecord  store.RecordIndex // the CRM record that the desk was launched from; the zero value is none
	RecordIndexes []string          // its blind indexes under every key
}

// For returns the desk of a user. It checks no permission yet.
func (s Services) For(actor access.Actor) Desk { return Desk{s, &User{Actor: actor}} }

// Opened returns a handle, or the error with which the user was denied it.
func Opened[H any](handle *H, denied error) (*H, error) {
	if denied != nil {
		return nil, denied
	}
	return handle, nil
}

// May returns fault.Denied when the user does not have the permission, and fault.StepUpRequired when they must step
// up first.
func (d Desk) May(p access.Permission) error { return d.Actor.May(p, d.Now()) }

// MayAct reports, as an error, when the user may no longer act in their own name.
func (d Desk) MayAct() error { return d.May(access.ActOnLead) }

// MayManageSelf refuses users that only a CRM vouches for.
func (d Desk) MayManageSelf() error {
	if d.Actor.VouchedByCRM {
		return fault.New(fault.Denied, "This is available only in the full portal, not inside a CRM.")
	}
	return d.May(access.UseAccount)
}

// Reauthorize checks again, in a transaction, who the user is and whether they still have permission p.
func (d Desk) Reauthorize(ctx context.Context, tx *store.Tx, p access.Permission) (access.User, error) {
	return tx.Reauthorize(ctx, d.ActingUnder(p))
}

// WriteBy runs f in one transaction if the user has permission p, now and in the transaction.
func (d Desk) WriteBy(ctx context.Context, p access.Permission, f func(tx *store.Tx) error) error {
	if err := d.May(p); err != nil {
		return err
	}
	return d.Store.WriteBy(ctx, d.ActingUnder(p), f)
}

// AuditAction audits what the user did to an object, for their company.
func (d Desk) AuditAction(ctx context.Context, tx *store.Tx, action store.AuditAction, object, outcome,
	detail string) error {
	return tx.Audit(ctx, store.AuditEntry{ActorID: d.Actor.UserID, Company: d.Company(), Action: action, Object: object,
		Outcome: outcome, Detail: detail})
}

// ActingUnder returns the user together with the permission under which they act.
func (d Desk) ActingUnder(p access.Permission) access.By {
	return access.By{Actor: d.Actor, Permission: p}
}

// UserScope limits the user's own data to their current company: when they move to another company, their data stays
// with the former one.
func (d Desk) UserScope() store.UserScope { return store.UserScopeOf(d.Actor) }

// Company identifies the user's company.
func (d Desk) Company() string { return d.Actor.Company() }

// Approvals returns the requests that require two people.
func (d Desk) Approvals() approval.Service {
	return approval.Service{Store: d.Store, Vault: d.Vault, Accounts: d.Accounts, Embeds: d.Embeds, Now: d.Now}
}

// WorksFor reports whether the user may give leads and drafts to an originator of a company: an assistant only to those
// for whom they work.
func (d Desk) WorksFor(originator, brokerID, organization string) bool {
	return d.Actor.Role != access.Assistant || d.Actor.Scope().Covers(access.Owner{
		OriginatorUUID: originator, BrokerID: brokerID, Organization: organization})
}

// LenderDownSince reports since when the lender has not responded; zero while it responds.
func (d Desk) LenderDownSince() time.Time { return d.LenderHealth.DownSince() }

// LiveDialect reports whether the lender speaks the live dialect, whose forms offer more; false without a lender.
func (d Desk) LiveDialect() bool { return d.Lender != nil && d.Lender.Dialect() == partner.Live }

// BorrowerName decrypts a borrower's name. It is empty when the lead has none or when it cannot be decrypted: one
// damaged name must not break a whole list, and the administrator finds it under System status.
func (d Desk) BorrowerName(app heloc.AppID, borrower []byte) (heloc.Name, error) {
	name, err := d.Vault.UnsealName(app, borrower)
	if errors.Is(err, vault.ErrUndecryptable) {
		return heloc.Name{}, nil
	}
	if d.Actor.VouchedByCRM {
		name = name.Masked()
	}
	return name, err
}

// NamesAmong returns the borrowers of those among some leads that the user can open.
func (d Desk) NamesAmong(ctx context.Context, apps []heloc.AppID) (map[heloc.AppID]heloc.Name, error) {
	names := map[heloc.AppID]heloc.Name{}
	if !d.Actor.Can(access.SeeLead) {
		return names, nil
	}
	leads, err := d.Store.LeadsAmong(ctx, d.Actor.Scope(), apps)
	for _, l := range leads {
		if err == nil {
			names[l.App], err = d.BorrowerName(l.App, l.Borrower)
		}
	}
	return names, err
}

// RequestRefresh requests that the lead be read again.
func (d Desk) RequestRefresh(app heloc.AppID) { d.Refresher.RequestRefresh(app, d.Company()) }

// MarkRead marks the user's notifications that a selection matches as read.
func (d Desk) MarkRead(ctx context.Context, what store.NoticeSelection) error {
	what.At = d.Now()
	return d.Store.Write(ctx, func(tx *store.Tx) error {
		_, err := tx.MarkNoticesRead(ctx, d.UserScope(), what)
		return err
	})
}

// MarkNoticesRead calls MarkRead when the user opens what the notifications are about, if there are unread ones.
func (d Desk) MarkNoticesRead(ctx context.Context, what store.NoticeSelection) error {
	if err := d.May(access.UseAccount); err != nil {
		return err
	}
	unread, err := d.Store.HasUnread(ctx, d.UserScope(), store.NoticeSelection{App: what.App, Draft: what.Draft})
	if err != nil || !unread {
		return err
	}
	return d.MarkRead(ctx, what)
}

// NotifyAll sends the same notification to several users.
func NotifyAll(ctx context.Context, tx *store.Tx, people []string, n lead.Notice) error {
	for _, n.UserID = range people {
		if _, err := tx.Notify(ctx, n); err != nil {
			return err
		}
	}
	return nil
}

// NotifyManagers notifies the managers of the notice's company; nobody if it has none.
func NotifyManagers(ctx context.Context, tx *store.Tx, n lead.Notice) error {
	responsible, err := tx.ResponsibleManagers(ctx, n.Company)
	if err != nil {
		return err
	}
	var managers []string
	for _, u := range responsible {
		if u.Role == access.Manager {
			managers = append(managers, u.UserID)
		}
	}
	return NotifyAll(ctx, tx, managers, n)
}
