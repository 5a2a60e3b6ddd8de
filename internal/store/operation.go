package store

import (
	"cmp"
	"context"
	"slices"
	"time"

	"hearthline/internal/heloc"
)

// OpState is the state of an operation.
type OpState string

// The states of an operation: prepared → sent → one of the next four. An unknown outcome later becomes one of
// the last three.
const (
	OpPrepared  OpState = "prepared"
	OpSent      OpState = "sent"
	OpSucceeded OpState = "succeeded"
	OpRejected  OpState = "rejected"
	OpNotSent   OpState = "not_sent"
	OpUnknown   OpState = "unknown"
	OpConfirmed OpState = "confirmed"
	OpAbsent    OpState = "absent"
	OpAbandoned OpState = "abandoned"
)

// Operation is one row of the journal. It contains no SSN and no payload: Digest is keyed.
type Operation struct {
	ID             string             `db:"id"`
	Kind           heloc.Operation    `db:"kind"`
	App            heloc.AppID        `db:"app_uuid"`
	DraftID        string             `db:"draft_id"`
	ActorID        string             `db:"actor_id"`
	ActorName      string             `db:"actor_name"`
	Originator     heloc.OriginatorID `db:"originator_uuid"`
	Company        string             `db:"company"`
	Digest         string             `db:"digest"`
	State          OpState            `db:"state"`
	StepBefore     heloc.Step         `db:"step_before"`
	HistoryBefore  int                `db:"history_before"`
	DuplicateKey   string             `db:"duplicate_key"`
	DuplicateKeyID int64              `db:"duplicate_under"` // the key that made it
	HTTPStatus     int                `db:"http_status"`
	RequestID      string             `db:"request_id"`
	Messages       string             `db:"messages"` // the lender's messages, up to a maximum length
	CreatedAt      int64              `db:"created_at"`
	SentAt         int64              `db:"sent_at"`
	AnsweredAt     int64              `db:"answered_at"`
	SettledAt      int64              `db:"settled_at"`
	StepChangedAt  int64              `db:"moved_at"` // when the step changed after it
	StepAfter      heloc.Step         `db:"moved_to"`
	LeaseOwner     string             `db:"lease_owner"`
	LeaseUntil     int64              `db:"lease_until"`
	ResolvedBy     string             `db:"resolved_by"`
	Reason         string             `db:"reason"`      // why a user gave it up, sealed
	Target         heloc.OriginatorID `db:"target_uuid"` // the new originator of a reassignment
}

const operationColumns = `id, kind, app_uuid, draft_id, actor_id, actor_name, originator_uuid, company, digest, state, step_before,
	history_before, duplicate_key, http_status, request_id, messages, created_at, sent_at, answered_at, settled_at, moved_at,
	moved_to, lease_owner, lease_until, resolved_by, reason, target_uuid, duplicate_under`

// Operation reads one row of the journal.
func (q queries) Operation(ctx context.Context, id string) (Operation, error) {
	var op Operation
	return op, q.get(ctx, &op, `SELECT `+operationColumns+` FROM operations WHERE id = ?`, id)
}

// AddOperation inserts a prepared operation.
func (tx *Tx) AddOperation(ctx context.Context, op Operation) error {
	return tx.execNamed(ctx, `INSERT INTO operations (`+operationColumns+`) VALUES (:id, :kind, :app_uuid, :draft_id, :actor_id, :actor_name,
		:originator_uuid, :company, :digest, :state, :step_before, :history_before, :duplicate_key, :http_status, :request_id, :messages,
		:created_at, :sent_at, :answered_at, :settled_at, :moved_at, :moved_to, :lease_owner, :lease_until, :resolved_by, :reason, :target_uuid, :duplicate_under)`, op)
}

// DropMessages deletes the lender's messages of operations that never had a lead and were created before an
// instant. Those of a lead are deleted with the lead.
func (tx *Tx) DropMessages(ctx context.Context, before time.Time) error {
	_, err := tx.exec(ctx, `UPDATE operations SET messages = '', reason = '' WHERE app_uuid = '' AND created_at < ? AND (messages <> '' OR reason <> '')`, Millis(before))
	return err
}

// SaveOperation writes what is now known about an operation.
func (tx *Tx) SaveOperation(ctx context.Context, op Operation) error {
	return tx.execNamed(ctx, `UPDATE operations SET app_uuid = :app_uuid, state = :state, http_status = :http_status, request_id = :request_id,
		messages = :messages, sent_at = :sent_at, answered_at = :answered_at, settled_at = :settled_at, moved_at = :moved_at,
		moved_to = :moved_to, lease_owner = :lease_owner, lease_until = :lease_until, resolved_by = :resolved_by, reason = :reason
		WHERE id = :id`, op)
}

// Operations lists the operations of a lead that the caller has opened, newest first.
func (q queries) Operations(ctx context.Context, app heloc.AppID, limit int) ([]Operation, error) {
	var ops []Operation
	return ops, q.list(ctx, &ops, `SELECT `+operationColumns+` FROM operations WHERE app_uuid = ? ORDER BY created_at DESC LIMIT ?`, app, limit)
}

// OperationsIn lists the operations in a state, oldest first.
func (q queries) OperationsIn(ctx context.Context, state OpState, limit int) ([]Operation, error) {
	var ops []Operation
	return ops, q.list(ctx, &ops, `SELECT `+operationColumns+` FROM operations WHERE state = ? ORDER BY lease_until, created_at LIMIT ?`, state, limit)
}

// UnsettledOf lists a user's starts whose outcome is unknown.
func (q queries) UnsettledOf(ctx context.Context, actor UserScope) ([]Operation, error) {
	var ops []Operation
	return ops, q.list(ctx, &ops, `SELECT `+operationColumns+` FROM operations WHERE actor_id = ? AND company = ? AND kind = 'start'
		AND state IN ('sent', 'unknown') ORDER BY created_at DESC LIMIT 20`, actor.UserID, actor.Company)
}

// UnknownOperations lists the writes to a lead whose outcome is unknown, newest first.
func (q queries) UnknownOperations(ctx context.Context, app heloc.AppID) ([]Operation, error) {
	var ops []Operation
	return ops, q.list(ctx, &ops, `SELECT `+operationColumns+` FROM operations WHERE app_uuid = ? AND state = 'unknown' ORDER BY created_at DESC`, app)
}

// StartOf finds the start that created a lead; fault.NotFound for a lead that was adopted.
func (q queries) StartOf(ctx context.Context, app heloc.AppID) (Operation, error) {
	var op Operation
	return op, q.get(ctx, &op, `SELECT `+operationColumns+` FROM operations WHERE app_uuid = ? AND app_uuid <> '' AND kind = 'start' ORDER BY created_at LIMIT 1`, app)
}

// mayHaveArrivedSQL is true of an operation that the lender may have received without our knowing of
// an application: its outcome is not known, or somebody gave it up.
const mayHaveArrivedSQL = `(state IN ('prepared', 'sent', 'unknown') OR state = 'abandoned' AND app_uuid = '')`

// UnsettledStarts lists the starts of a company for the same borrower and property that may have
// arrived without a lead, by the mark that each key makes of them.
func (q queries) UnsettledStarts(ctx context.Context, company string, indexes []string) ([]Operation, error) {
	var all []Operation
	for _, index := range indexes {
		var ops []Operation
		if err := q.list(ctx, &ops, `SELECT `+operationColumns+` FROM operations WHERE company = ? AND duplicate_key = ?
			AND `+mayHaveArrivedSQL+` ORDER BY created_at DESC LIMIT 5`, company, index); err != nil {
			return nil, err
		}
		all = append(all, ops...)
	}
	slices.SortStableFunc(all, func(a, b Operation) int { return cmp.Compare(b.CreatedAt, a.CreatedAt) })
	return all[:min(len(all), 5)], nil
}

// AcquireLease leases the lead for one write; false when another operation has the lease at now.
func (tx *Tx) AcquireLease(ctx context.Context, app heloc.AppID, opID string, now, until time.Time) (bool, error) {
	n, err := tx.exec(ctx, `INSERT INTO lead_leases (app_uuid, op_id, until) VALUES (?, ?, ?)
		ON CONFLICT (app_uuid) DO UPDATE SET op_id = excluded.op_id, until = excluded.until WHERE lead_leases.until <= ?`,
		app, opID, Millis(until), Millis(now))
	return n > 0, err
}

// ReleaseLease releases the lead, if the operation still has the lease.
func (tx *Tx) ReleaseLease(ctx context.Context, app heloc.AppID, opID string) error {
	_, err := tx.exec(ctx, `DELETE FROM lead_leases WHERE app_uuid = ? AND op_id = ?`, app, opID)
	return err
}

// ExtendLease extends an operation's lease and that of its lead.
func (tx *Tx) ExtendLease(ctx context.Context, opID, owner string, until time.Time) error {
	if _, err := tx.exec(ctx, `UPDATE operations SET lease_until = ? WHERE id = ? AND lease_owner = ? AND state = 'sent'`, Millis(until), opID, owner); err != nil {
		return err
	}
	_, err := tx.exec(ctx, `UPDATE lead_leases SET until = ? WHERE op_id = ?`, Millis(until), opID)
	return err
}
