package admin

import (
	"context"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/desk/internal/core"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/partner"
	"hearthline/internal/store"
)

// Installation is the portal itself, for its administrators: its health, and its use of the lender's interface. It
// names no borrower.
type Installation struct{ d core.Desk }

// OpenInstallation returns the installation; fault.Denied without the permission.
func OpenInstallation(d core.Desk) (*Installation, error) {
	return core.Opened(&Installation{d}, d.May(access.ManageSettings))
}

// EndpointUsage is one endpoint of the lender's interface with its statistics since the start.
type EndpointUsage struct {
	partner.Endpoint
	partner.EndpointStats
}

// EndpointUsage lists all endpoints, by section.
func (i *Installation) EndpointUsage(context.Context) ([]EndpointUsage, error) {
	if err := i.d.May(access.ManageSettings); err != nil {
		return nil, err
	}
	var uses []EndpointUsage
	for _, e := range partner.Endpoints() {
		uses = append(uses, EndpointUsage{e, i.d.Lender.Stats(e.Name)})
	}
	return uses, nil
}

// Health is the current health of the portal.
type Health struct {
	store.Backlog
	LenderDownSince time.Time // since when the lender has not responded; zero while it responds
	KeyRefusal      partner.KeyRefusal
	WaitingCalls    partner.QueueStats // of this process, for the lender’s rate
	Dialect         string
	Echo            string    // yes, no, or empty before the first start
	Originators     int       // originators in the directory
	ReadAt          time.Time // last complete read of the directory
	Unread          string    // why the last read was incomplete; empty when it was complete
	Held            int       // new people in the directory who are not added yet
	Waiting         int       // originators with a directory change that waits for an administrator
	Mismatches      []lead.Mismatch
	AuditHead       store.AuditHead
	HeadDelivery    store.HeadDelivery
	AuditBase       store.AuditBase   // where the stored audit begins
	Storage         core.StorageCheck // up to some minutes old
	CurrentKey      string
	HasOlderKeys    bool // the keyset still contains older keys
	Reencryption    store.ReencryptionProgress
	Payments        []lead.FigureCounts // of all companies, by rate type
}

// Health reads the current health, and the last check of what is stored.
func (i *Installation) Health(ctx context.Context) (Health, error) {
	if err := i.d.May(access.ManageSettings); err != nil {
		return Health{}, err
	}
	f := Health{LenderDownSince: i.d.LenderDownSince(), KeyRefusal: i.d.LenderHealth.KeyRefusal(),
		WaitingCalls: i.d.Lender.Queue(), Dialect: string(i.d.Lender.Dialect()), CurrentKey: i.d.Vault.CurrentKey()}
	var err error
	if f.Backlog, err = i.d.Store.Backlog(ctx, i.d.Now()); err != nil {
		return f, err
	}
	if f.Echo, err = i.d.Store.Setting(ctx, store.LenderEcho); err != nil {
		return f, err
	}
	if err = i.directory(ctx, &f); err != nil {
		return f, err
	}
	if f.HasOlderKeys = i.d.Vault.HasOlderKeys(); f.HasOlderKeys {
		if f.Reencryption, err = i.d.Store.ReencryptionProgress(ctx, f.CurrentKey); err != nil {
			return f, err
		}
	}
	counts, err := i.d.Store.AllFigureCounts(ctx)
	if err != nil {
		return f, err
	}
	if f.Payments, err = i.d.FigureCounts(ctx, counts); err != nil {
		return f, err
	}
	if f.AuditHead, err = i.d.Store.AuditHead(ctx); err != nil {
		return f, err
	}
	if f.HeadDelivery, err = i.d.Store.HeadDelivery(ctx); err != nil {
		return f, err
	}
	if f.AuditBase, err = i.d.Store.AuditBase(ctx); err != nil {
		return f, err
	}
	f.Storage, err = i.d.Storage.Latest(ctx, i.d.Now, i.d.CheckStorage)
	return f, err
}

// directory reads the state of the lender's directory.
func (i *Installation) directory(ctx context.Context, f *Health) error {
	r, err := directoryReview(ctx, i.d)
	if err != nil {
		return err
	}
	f.Originators, f.ReadAt, f.Unread, f.Held = r.Listed, r.ReadAt, r.Unread, r.Held.People
	for _, c := range r.Changes {
		if c.State == lead.ChangeWaiting {
			f.Waiting++
		}
	}
	f.Mismatches, err = i.d.Store.Mismatches(ctx)
	return err
}

// PaymentsInUse is the message when there is nothing to confirm.
const PaymentsInUse = "These estimates are already in use. Nothing was changed."

// ConfirmPayments resumes the estimates of a rate type after they were stopped. Earlier selections no longer count
// against them.
func (i *Installation) ConfirmPayments(ctx context.Context, rateType heloc.OfferRateType) error {
	return i.d.WriteBy(ctx, access.ManageSettings, func(tx *store.Tx) error {
		confirmed, err := tx.ConfirmPayments(ctx, rateType, i.d.Now())
		if err != nil {
			return err
		}
		if !confirmed {
			return fault.New(fault.Conflict, PaymentsInUse)
		}
		return i.d.AuditAction(ctx, tx, store.ActionPaymentsConfirm, store.PaymentsObject(rateType), "done", "")
	})
}
