package store

import (
	"context"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

// AddConsent stores a consent with its operation.
func (tx *Tx) AddConsent(ctx context.Context, c lead.Consent) error {
	return tx.execNamed(ctx, `INSERT INTO consents (op_id, app, user_id, originator, method, text_version, at)
		VALUES (:op_id, :app, :user_id, :originator, :method, :text_version, :at) ON CONFLICT (op_id) DO NOTHING`, c)
}

// Consents lists the consents of a lead that the caller has opened, newest first.
func (q queries) Consents(ctx context.Context, app heloc.AppID) ([]lead.Consent, error) {
	return list[lead.Consent](ctx, q, `SELECT c.op_id, o.app, c.user_id, c.originator, c.method, c.text_version, c.at
		FROM consents c JOIN operations o ON o.id = c.op_id WHERE o.app = ? ORDER BY c.at DESC`, app)
}
