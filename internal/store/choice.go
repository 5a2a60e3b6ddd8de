package store

import (
	"context"

	"hearthline/internal/heloc"
)

// Choice is what was chosen with an operation, sealed.
type Choice struct {
	OpID   string          `db:"op_id"`
	App    heloc.AppID     `db:"app_uuid"`
	Kind   heloc.Operation `db:"kind"`
	Sealed []byte          `db:"sealed"`
	At     int64           `db:"at"`
}

// AddChoice keeps what is about to be sent.
func (tx *Tx) AddChoice(ctx context.Context, c Choice) error {
	return tx.execNamed(ctx, `INSERT INTO choices (op_id, app_uuid, kind, sealed, at) VALUES (:op_id, :app_uuid, :kind, :sealed, :at)`, c)
}

// LastChoice is the latest of a kind that the lender took, of a lead that has been opened
// already; nil when there is none. What became of the operation decides, not its sending.
func (q queries) LastChoice(ctx context.Context, app heloc.AppID, kind heloc.Operation) (*Choice, error) {
	var cs []Choice
	err := q.list(ctx, &cs, `SELECT c.op_id, c.app_uuid, c.kind, c.sealed, c.at FROM choices c JOIN operations o ON o.id = c.op_id
		WHERE c.app_uuid = ? AND c.kind = ? AND o.state IN (?, ?) ORDER BY c.at DESC, c.op_id DESC LIMIT 1`, app, kind, OpSucceeded, OpConfirmed)
	if err != nil || len(cs) == 0 {
		return nil, err
	}
	return &cs[0], nil
}

// ChoiceOf is what was chosen with one operation; nil when nothing was kept of it.
func (q queries) ChoiceOf(ctx context.Context, opID string) (*Choice, error) {
	var cs []Choice
	err := q.list(ctx, &cs, `SELECT op_id, app_uuid, kind, sealed, at FROM choices WHERE op_id = ?`, opID)
	if err != nil || len(cs) == 0 {
		return nil, err
	}
	return &cs[0], nil
}

// PayoffPlan is what the team noted of a lead's debts, sealed.
type PayoffPlan struct {
	App     heloc.AppID `db:"app_uuid"`
	ActorID string      `db:"actor_id"`
	Sealed  []byte      `db:"sealed"`
	At      int64       `db:"at"`
}

// SavePayoffPlan keeps the plan in place of the one before.
func (tx *Tx) SavePayoffPlan(ctx context.Context, p PayoffPlan) error {
	return tx.execNamed(ctx, `INSERT INTO payoff_plans (app_uuid, actor_id, sealed, at) VALUES (:app_uuid, :actor_id, :sealed, :at)
		ON CONFLICT (app_uuid) DO UPDATE SET actor_id = excluded.actor_id, sealed = excluded.sealed, at = excluded.at`, p)
}

// PayoffPlan reads the plan of a lead that has been opened already; nil when there is none.
func (q queries) PayoffPlan(ctx context.Context, app heloc.AppID) (*PayoffPlan, error) {
	var ps []PayoffPlan
	err := q.list(ctx, &ps, `SELECT app_uuid, actor_id, sealed, at FROM payoff_plans WHERE app_uuid = ?`, app)
	if err != nil || len(ps) == 0 {
		return nil, err
	}
	return &ps[0], nil
}
