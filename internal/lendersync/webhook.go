package lendersync

import (
	"context"

	"hearthline/internal/fault"
	"hearthline/internal/store"
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
