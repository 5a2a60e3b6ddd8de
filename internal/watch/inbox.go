package watch

import (
	"context"

	"hearthline/internal/fault"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// hookLimit bounds a webhook, in bytes.
const hookLimit = 64 << 10

// Receive takes a webhook: it finds the application it speaks of, keeps the body sealed
// for seven days, and marks the lead as due. Nothing else in it is trusted. The error is
// fault.Invalid when no application is named.
func (w *Watch) Receive(ctx context.Context, body []byte) error {
	if len(body) > hookLimit {
		return fault.New(fault.Invalid, "The webhook is too long.")
	}
	app, err := w.Lender.Hint(body)
	if err != nil {
		return err
	}
	digests := w.Vault.Digests("webhook", string(body))
	sealed, err := w.Vault.Seal(vault.Place{Table: "webhook_inbox", Row: digests[0], Column: "sealed"}, body)
	if err != nil {
		return err
	}
	now := w.Now()
	err = w.Store.Write(ctx, func(tx *store.Tx) error {
		fresh, err := tx.AddHint(ctx, store.Hint{Digest: digests[0], Older: digests[1:], App: app, Sealed: sealed, ReceivedAt: store.Millis(now)})
		if err != nil {
			return err
		}
		// The same body again is the old webhook sent twice, or a new one of a lender that
		// puts no time into them: it is worth a look, but no sign that the lender answered.
		known, err := tx.HintLead(ctx, app, now, fresh)
		if err != nil || known {
			return err
		}
		return tx.AddStranger(ctx, app, now)
	})
	if err == nil {
		ring(w.hinted)
		ring(w.met)
	}
	return err
}
