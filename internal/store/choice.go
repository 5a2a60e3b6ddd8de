package store

import (
	"context"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

// Choice is the sealed selection that was sent with an operation.
type Choice struct {
	OpID   string          `db:"op_id"`
	App    heloc.AppID     `db:"app"`
	Kind   heloc.Operation `db:"kind"`
	Sealed []byte          `db:"sealed"`
	At     int64           `db:"at"`
}

// AddChoice stores a selection that is about to be sent.
func (tx *Tx) AddChoice(ctx context.Context, c Choice) error {
	return tx.insert(ctx, "choices", `op_id, app, kind, sealed, at`, c)
}

// LastChoice returns the latest selection of a kind that the lender accepted, or nil when there is none. The
// operation's outcome decides, not that it was sent. The caller must have opened the lead.
func (q queries) LastChoice(ctx context.Context, app heloc.AppID, kind heloc.Operation) (*Choice, error) {
	c, ok, err := find[Choice](ctx, q, `SELECT c.op_id, c.app, c.kind, c.sealed, c.at FROM choices c
		JOIN operations o ON o.id = c.op_id
		WHERE c.app = ? AND c.kind = ? AND o.state IN (?, ?) ORDER BY c.at DESC, c.op_id DESC LIMIT 1`,
		app, kind, lead.OpSucceeded, lead.OpConfirmed)
	if err != nil || !ok {
		return nil, err
	}
	return &c, nil
}

// ChoiceOf returns the selection that was sent with one operation, or nil when none was stored.
func (q queries) ChoiceOf(ctx context.Context, opID string) (*Choice, error) {
	c, ok, err := find[Choice](ctx, q, `SELECT op_id, app, kind, sealed, at FROM choices WHERE op_id = ?`, opID)
	if err != nil || !ok {
		return nil, err
	}
	return &c, nil
}
