package store

import (
	"context"

	"hearthline/internal/heloc"
)

// Consent is what the borrower agreed to, and how, before a credit pull.
type Consent struct {
	OpID        string             `db:"op_id"`
	App         heloc.AppID        `db:"app_uuid"`
	UserID      string             `db:"user_id"`
	Originator  heloc.OriginatorID `db:"originator_uuid"`
	Method      string             `db:"method"`
	TextVersion string             `db:"text_version"`
	At          int64              `db:"at"`
}

// AddConsent stores a consent with its operation.
func (tx *Tx) AddConsent(ctx context.Context, c Consent) error {
	return tx.execNamed(ctx, `INSERT INTO consents (op_id, app_uuid, user_id, originator_uuid, method, text_version, at)
		VALUES (:op_id, :app_uuid, :user_id, :originator_uuid, :method, :text_version, :at) ON CONFLICT (op_id) DO NOTHING`, c)
}

// Consents lists the consents of a lead that the caller has opened, newest first.
func (q queries) Consents(ctx context.Context, app heloc.AppID) ([]Consent, error) {
	var cs []Consent
	return cs, q.list(ctx, &cs, `SELECT c.op_id, o.app_uuid, c.user_id, c.originator_uuid, c.method, c.text_version, c.at
		FROM consents c JOIN operations o ON o.id = c.op_id WHERE o.app_uuid = ? ORDER BY c.at DESC`, app)
}
