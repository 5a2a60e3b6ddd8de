package store

import (
	"context"
	"time"

	"hearthline/internal/heloc"
)

// HandOver is one lead on its way from one originator to another. State and the times
// are its operation's: the journal alone knows what became of it.
type HandOver struct {
	OpID      string             `db:"op_id"`
	App       heloc.AppID        `db:"app_uuid"`
	ActorID   string             `db:"actor_id"`
	ActorName string             `db:"actor_name"`
	From      heloc.OriginatorID `db:"from_uuid"`
	To        heloc.OriginatorID `db:"to_uuid"`
	Undoes    string             `db:"undoes"` // the operation that it takes back
	JobID     string             `db:"job_id"` // of a run with many leads
	Sealed    []byte             `db:"sealed"` // the brief
	At        int64              `db:"at"`

	State      OpState `db:"state"`
	AnsweredAt int64   `db:"answered_at"`
	SettledAt  int64   `db:"settled_at"`
}

// DoneAt is when it was known that the lender took it; 0 before.
func (h HandOver) DoneAt() int64 {
	switch h.State {
	case OpSucceeded:
		return h.AnsweredAt
	case OpConfirmed:
		return h.SettledAt
	default:
		return 0
	}
}

const (
	handOverSelect = `SELECT h.op_id, h.app_uuid, h.actor_id, h.actor_name, h.from_uuid, h.to_uuid, h.undoes, h.job_id, h.sealed, h.at,
		o.state, o.answered_at, o.settled_at FROM hand_overs h JOIN operations o ON o.id = h.op_id `
	notUndone = ` AND NOT EXISTS (SELECT 1 FROM hand_overs u JOIN operations uo ON uo.id = u.op_id
		WHERE u.undoes = h.op_id AND u.undoes <> '' AND uo.state IN ('succeeded', 'confirmed'))`
)

// AddHandOver writes one down, before its operation is sent.
func (tx *Tx) AddHandOver(ctx context.Context, h HandOver) error {
	return tx.named(ctx, `INSERT INTO hand_overs (op_id, app_uuid, actor_id, actor_name, from_uuid, to_uuid, undoes, job_id, sealed, at)
		VALUES (:op_id, :app_uuid, :actor_id, :actor_name, :from_uuid, :to_uuid, :undoes, :job_id, :sealed, :at)`, h)
}

// HandOver reads the one that an operation made; fault.NotFound for any other operation.
func (q queries) HandOver(ctx context.Context, opID string) (HandOver, error) {
	var h HandOver
	return h, q.get(ctx, &h, handOverSelect+`WHERE h.op_id = ?`, opID)
}

// LastHandOver reads the latest one that the lender took of a lead that has been opened
// already; fault.NotFound when it was never handed over here.
func (q queries) LastHandOver(ctx context.Context, app heloc.AppID) (HandOver, error) {
	var h HandOver
	return h, q.get(ctx, &h, handOverSelect+`WHERE h.app_uuid = ? AND o.state IN ('succeeded', 'confirmed') ORDER BY h.at DESC LIMIT 1`, app)
}

// LatestHandOver reads the latest one of a lead that the lender may have taken;
// fault.NotFound when there is none.
func (q queries) LatestHandOver(ctx context.Context, app heloc.AppID) (HandOver, error) {
	var h HandOver
	return h, q.get(ctx, &h, handOverSelect+`WHERE h.app_uuid = ? AND o.state IN ('sent', 'succeeded', 'confirmed', 'unknown') ORDER BY h.at DESC LIMIT 1`, app)
}

// HandOversBy lists what a person handed over one by one since an instant and was not
// taken back, newest first.
func (q queries) HandOversBy(ctx context.Context, actor Seat, since time.Time, limit int) ([]HandOver, error) {
	var all []HandOver
	return all, q.list(ctx, &all, handOverSelect+`WHERE h.actor_id = ? AND o.company = ? AND h.at >= ? AND h.undoes = '' AND h.job_id = ''
		AND o.state IN ('succeeded', 'confirmed', 'unknown')`+notUndone+` ORDER BY h.at DESC LIMIT ?`, actor.UserID, actor.Company, Millis(since), limit)
}

// HandOverOf reads the last one that a person made of a lead since an instant, and that
// the lender may have taken; fault.NotFound when there is none.
func (q queries) HandOverOf(ctx context.Context, actor Seat, app heloc.AppID, since time.Time) (HandOver, error) {
	var h HandOver
	return h, q.get(ctx, &h, handOverSelect+`WHERE h.app_uuid = ? AND h.actor_id = ? AND o.company = ? AND h.at >= ?
		AND o.state IN ('sent', 'succeeded', 'confirmed', 'unknown') ORDER BY h.at DESC LIMIT 1`, app, actor.UserID, actor.Company, Millis(since))
}

// TakenBack says whether a hand-over was undone, or may have been.
func (q queries) TakenBack(ctx context.Context, opID string) (bool, error) {
	var n int
	err := q.get(ctx, &n, `SELECT count(*) FROM hand_overs u JOIN operations o ON o.id = u.op_id
		WHERE u.undoes = ? AND u.undoes <> '' AND o.state IN ('prepared', 'sent', 'succeeded', 'confirmed', 'unknown')`, opID)
	return n > 0, err
}
