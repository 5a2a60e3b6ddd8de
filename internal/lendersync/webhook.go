package lendersync

import (
	"context"
	"errors"
	"time"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/internal/trace"
	"hearthline/internal/vault"
)

// webhookLimit bounds a webhook, in bytes.
const webhookLimit = 64 << 10

// ReceiveWebhook receives a webhook: it finds the application that the webhook names, stores the body encrypted for
// seven days, and marks the lead as due. It trusts nothing else in the webhook. The error is fault.Invalid when the
// webhook names no application.
func (s *Service) ReceiveWebhook(ctx context.Context, body []byte) error {
	if len(body) > webhookLimit {
		return fault.New(fault.Invalid, "The webhook is too long.")
	}
	app, err := s.Lender.WebhookAppID(body)
	if err != nil {
		return err
	}
	digests := s.Vault.WebhookDigests(body)
	sealed, err := s.Vault.Seal(vault.WebhookAAD(digests[0]), body)
	if err != nil {
		return err
	}
	now := s.Now()
	err = s.Store.Write(ctx, func(tx *store.Tx) error {
		fresh, err := tx.AddWebhook(ctx, store.Webhook{Digest: digests[0], OldDigests: digests[1:], App: app, Sealed: sealed,
			ReceivedAt: store.Millis(now)})
		if err != nil {
			return err
		}
		// The same body again is either the old webhook sent twice, or a new one from a lender whose webhooks have no
		// time. It is a reason to read the lead, but no sign that the lender answered.
		known, err := tx.MarkWebhook(ctx, app, now, fresh)
		if err != nil || known {
			return err
		}
		return tx.AddUnknownApplication(ctx, app, now)
	})
	if err == nil {
		wakeUp(s.webhookReceived)
		wakeUp(s.unknownReceived)
	}
	return err
}

const (
	// runningStartDelay is how long to wait before reading an unknown application again while its start may get a
	// response at any moment.
	runningStartDelay = 2 * time.Second
	// triesNotFound is how often an application that may be a lost start is looked up again after a 404: for about ten
	// minutes.
	triesNotFound = 5
	// unknownApplicationRetry doubles with every failed attempt; an unknown application is deleted by age.
	unknownApplicationRetry = 20 * time.Second
	// unknownApplicationBatch is how many of the oldest, and how many of the newest, are read at a time.
	unknownApplicationBatch = 5
)

// unknownApplicationLoop reads unknown applications separately from the sweep, which must not wait for the lender.
func (s *Service) unknownApplicationLoop(ctx context.Context) {
	for s.waitOrWake(ctx, sweepEvery, s.unknownReceived) && s.awaitDuty(ctx, nil) {
		if err := s.resolveUnknownApplications(ctx); err != nil && ctx.Err() == nil {
			s.Log.Error("the unknown applications could not be resolved", "cause", err.Error())
		}
	}
}

// resolveUnknownApplications reads the applications that a webhook named and that have no lead.
func (s *Service) resolveUnknownApplications(ctx context.Context) error {
	due, err := s.Store.UnknownApplicationsDue(ctx, s.Now(), unknownApplicationBatch)
	if err != nil {
		return err
	}
	for _, one := range due {
		err := s.resolveUnknown(ctx, one)
		if err == nil || ctx.Err() != nil {
			continue
		}
		s.Log.Warn("an unknown application could not be read", "lead", one.App, "cause", err.Error())
		pause := min(unknownApplicationRetry<<min(one.Tries, 10), store.MaxUnknownApplicationRetry)
		if err := s.Store.Write(ctx, func(tx *store.Tx) error {
			return tx.RetryUnknownApplication(ctx, one.App, s.Now().Add(pause))
		}); err != nil {
			return err
		}
	}
	return nil
}

// resolveUnknown reads the details of an unknown application. If it echoes one of our operation ids, it becomes the
// lead of that lost start; otherwise it is not ours and is deleted.
func (s *Service) resolveUnknown(ctx context.Context, one store.UnknownApplication) error {
	app := one.App
	ctx, span := trace.StartWork(ctx, "resolve unknown application")
	defer span.End()
	if _, err := s.Store.AnyLead(ctx, app); err == nil {
		return s.Store.Write(ctx, func(tx *store.Tx) error {
			if _, err := tx.MarkWebhook(ctx, app, s.Now(), true); err != nil {
				return err
			}
			return tx.DropUnknownApplication(ctx, app)
		})
	}
	got, err := s.fetchDetails(ctx, app, false)
	if fault.Is(err, fault.NotFound) {
		lost, readErr := s.Store.LostStartBefore(ctx, store.Instant(one.FirstAt))
		if readErr != nil || lost && one.Tries < triesNotFound {
			return errors.Join(err, readErr) // the lender may return 404 for a new application for a while
		}
		return s.Store.Write(ctx, func(tx *store.Tx) error { return tx.DropUnknownApplication(ctx, app) })
	}
	if err != nil {
		return err
	}
	found := false
	err = s.Store.Write(ctx, func(tx *store.Tx) error {
		var running bool
		if found, running, err = s.settleEchoed(ctx, tx, got.Value, app); err != nil {
			return err
		}
		if running {
			return tx.PostponeUnknownApplication(ctx, app, s.Now().Add(runningStartDelay))
		}
		return tx.DropUnknownApplication(ctx, app)
	})
	if found && err == nil {
		s.readNew(ctx, app)
	}
	return err
}

// settleEchoed settles the lost start whose id an application echoes. It is not found when the application echoes
// none of ours, and running while the start may still get its response.
func (s *Service) settleEchoed(ctx context.Context, tx *store.Tx, d heloc.Details,
	app heloc.AppID) (found, running bool, err error) {
	id, ours := journal.ParseReference(s.Lender.Reference(d.App.Integrations))
	if !ours {
		return false, false, nil
	}
	op, err := tx.Operation(ctx, id)
	switch {
	case fault.Is(err, fault.NotFound):
		return false, false, nil
	case err != nil:
		return false, false, err
	case op.State == lead.OpSent:
		return false, true, nil
	}
	found, err = s.Journal.SettleStart(ctx, tx, op, app)
	return found, false, err
}

// readNew requests the first read of a lead that was just added.
func (s *Service) readNew(ctx context.Context, app heloc.AppID) {
	row, _ := s.Store.AnyLead(ctx, app) // without its company, it waits its turn among those without one
	s.queue.add(refreshRequest{app: app, company: row.Company})
}
