package store

import (
	"context"
	"time"

	"github.com/oklog/ulid/v2"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

const eventColumns = `id, app_uuid, originator_uuid, at, kind, step_from, step_to, stand, operation, op_id, actor_id, actor_name, detail, took_ms, company, stayed_ms`

// AddEvent writes one event.
func (tx *Tx) AddEvent(ctx context.Context, e lead.Event) error {
	if e.ID == "" {
		e.ID = ulid.MustNew(uint64(e.At), tx.ids).String()
	}
	return tx.execNamed(ctx, `INSERT INTO lead_events (`+eventColumns+`) VALUES (:id, :app_uuid, :originator_uuid, :at, :kind,
		:step_from, :step_to, :stand, :operation, :op_id, :actor_id, :actor_name, :detail, :took_ms, :company, :stayed_ms)`, e)
}

// Events lists the events of a lead that the caller has opened, newest first.
func (q queries) Events(ctx context.Context, app heloc.AppID, limit int) ([]lead.Event, error) {
	var es []lead.Event
	return es, q.list(ctx, &es, `SELECT `+eventColumns+` FROM lead_events WHERE app_uuid = ? ORDER BY at DESC, id DESC LIMIT ?`, app, limit)
}

// StatusCountsSince counts the leads of an originator whose status has changed since an instant, each once at the status
// that it has now. Leads that the lender is processing are not counted.
func (q queries) StatusCountsSince(ctx context.Context, originator heloc.OriginatorID, since time.Time) ([]lead.StatusCount, error) {
	args := []any{originator, Millis(since)}
	return cached(ctx, q, ownKey(q, originator, statusCountsSinceSQL, args), func() (rows []lead.StatusCount, until int64, err error) {
		return rows, forever, q.list(ctx, &rows, statusCountsSinceSQL, args...)
	})
}

// statusCountsSinceSQL looks each lead up, because PostgreSQL would read all leads for a join: it does not know how few events
// are that new.
const statusCountsSinceSQL = `SELECT stand, count(*) AS n FROM
	(SELECT (SELECT l.stand FROM leads l WHERE l.app_uuid = e.app_uuid AND l.originator_uuid = e.originator_uuid) AS stand FROM
		(SELECT DISTINCT app_uuid, originator_uuid FROM lead_events WHERE originator_uuid = ? AND at > ? AND kind IN ('step', 'again', 'converted', 'funded')) e) x
	WHERE stand <> '' AND stand <> 'in-progress' GROUP BY stand ORDER BY n DESC, stand`

// Waits lists how long the last operations of a kind took to change the step, in milliseconds.
func (q queries) Waits(ctx context.Context, operation heloc.Operation, limit int) ([]int64, error) {
	var ms []int64
	return ms, q.list(ctx, &ms, `SELECT took_ms FROM lead_events WHERE operation = ? AND took_ms > 0 ORDER BY at DESC LIMIT ?`, operation, limit)
}
