package store

import (
	"context"
	"fmt"
	"time"

	"github.com/oklog/ulid/v2"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

const (
	crmEventColumns = `id, client, app, number, kind, at, status_key, lane, whose_move, outcome, due_at, ` +
		`requested_amount, selected_amount, state, queued_at, next_at, leased_until, tries, tried_at, answer, took_millis`
	// CRMEventLease is how long a process has for one try. Another one repeats the try after that.
	CRMEventLease = time.Minute
	// MaxCRMEventPause is the longest pause between two tries.
	MaxCRMEventPause = 20 * time.Hour
)

// queueCRMEvents puts events into the outbox of each CRM that has a record of the lead, belongs to the lead's broker
// company and receives events; only into that of one client, unless it is empty.
func (tx *Tx) queueCRMEvents(ctx context.Context, l *lead.Row, only string, kinds ...lead.CRMEventKind) error {
	if len(kinds) == 0 || l.BrokerID() == "" {
		return nil
	}
	clients, err := list[string](ctx, tx.Queries, `SELECT DISTINCT c.key FROM lead_references r
		JOIN embed_clients c ON c.key = r.client WHERE r.app = ? AND r.client <> '' AND c.broker_id = ?
		AND c.events_at > 0 AND c.disabled_at = 0 ORDER BY c.key`, l.App, l.BrokerID())
	for _, client := range clients {
		if err == nil && (only == "" || only == client) {
			err = tx.queueFor(ctx, client, l, kinds...)
		}
	}
	return err
}

// queueFor numbers events with the time, or more: a number is above all numbers of the lead, even those that are gone
// because a backup was restored or because they were old.
func (tx *Tx) queueFor(ctx context.Context, client string, l *lead.Row, kinds ...lead.CRMEventKind) error {
	last, err := get[int64](ctx, tx.Queries, `SELECT COALESCE(MAX(number), 0) FROM crm_events
		WHERE app = ? AND client = ?`, l.App, client)
	now := Millis(tx.now())
	for _, kind := range kinds {
		if err != nil {
			break
		}
		e := lead.CRMEventOf(l, kind, now)
		last = max(last+1, now)
		e.ID, e.Client, e.Number = "evt_"+ulid.MustNew(uint64(now), tx.ids).String(), client, last
		err = tx.insert(ctx, "crm_events", crmEventColumns, e)
	}
	return err
}

// queueCRMStarted queues the start event of a lead for one client, or for every client if client is empty.
func (tx *Tx) queueCRMStarted(ctx context.Context, app heloc.AppID, client string) error {
	l, err := tx.stored(ctx, app)
	if err != nil {
		return fault.Ignore(err, fault.NotFound)
	}
	return tx.queueCRMEvents(ctx, &l, client, lead.CRMStarted)
}

// waitingCRMEventSQL finds the event to send next: the first of its lead for a client to which nothing is being sent. A
// time that is further ahead than any pause was written before the clock was set back.
const waitingCRMEventSQL = `SELECT %s FROM embed_clients c JOIN crm_events e ON e.client = c.key AND e.state = 'waiting'
	WHERE c.events_at > 0 AND c.disabled_at = 0 AND (e.next_at <= ? OR e.next_at > ?)
	AND NOT EXISTS (SELECT 1 FROM crm_events b WHERE b.app = e.app AND b.client = e.client AND b.state = 'waiting'
		AND b.number < e.number)
	AND NOT EXISTS (SELECT 1 FROM crm_events b WHERE b.client = e.client AND b.state = 'waiting'
		AND b.leased_until > ? AND b.leased_until <= ?)
	ORDER BY e.next_at, e.id LIMIT 1`

// LeaseCRMEvent leases the event that has waited longest; ok is false when there is none. The events of a lead are
// leased in order, and one at a time for each client, so that a client that does not answer delays no other.
func (s *Store) LeaseCRMEvent(ctx context.Context, now time.Time) (e lead.CRMEvent, ok bool, err error) {
	clock, err := s.LeaseNow(ctx)
	if err != nil {
		return e, false, err
	}
	e, ok, err = find[lead.CRMEvent](ctx, s.Queries, fmt.Sprintf(waitingCRMEventSQL, prefixed("e", crmEventColumns)),
		Millis(now), Millis(now.Add(2*MaxCRMEventPause)), Millis(clock), Millis(clock.Add(2*CRMEventLease)))
	if err != nil || !ok {
		return lead.CRMEvent{}, false, err
	}
	before := e.LeasedUntil
	e.Tries, e.LeasedUntil = e.Tries+1, Millis(clock.Add(CRMEventLease))
	err = s.Write(ctx, func(tx *Tx) (err error) {
		ok, err = tx.changed(ctx, `UPDATE crm_events SET leased_until = ?, tries = ? WHERE id = ? AND state = 'waiting'
			AND leased_until = ? AND tries = ?`, e.LeasedUntil, e.Tries, e.ID, before, e.Tries-1)
		return err
	})
	return e, ok && err == nil, err
}

// FinishCRMEvent records the outcome of a try, unless its lease has expired and another process repeats it.
func (tx *Tx) FinishCRMEvent(ctx context.Context, e lead.CRMEvent) error {
	return tx.execNamed(ctx, `UPDATE crm_events SET state = :state, next_at = :next_at, leased_until = 0,
		tried_at = :tried_at, answer = :answer, took_millis = :took_millis
		WHERE id = :id AND leased_until = :leased_until`, e)
}

// RepeatCRMEvents lets the failed events of a client be sent again, with the same ids and numbers: the one with an id,
// or all of them if it is empty. It returns how many there were.
func (tx *Tx) RepeatCRMEvents(ctx context.Context, client, id string) (int64, error) {
	now := Millis(tx.now())
	return tx.execRows(ctx, `UPDATE crm_events SET state = 'waiting', queued_at = ?, next_at = ?, tries = 0
		WHERE client = ? AND state = 'failed' AND (id = ? OR ? = '')`, now, now, client, id, id)
}

// CRMEventRow is an event with its lead's short ID.
type CRMEventRow struct {
	lead.CRMEvent
	ShortID string `db:"short_id"`
}

// CRMEvents lists the newest events of a client in a state.
func (q Queries) CRMEvents(ctx context.Context, client string, state lead.CRMEventState) ([]CRMEventRow, error) {
	return list[CRMEventRow](ctx, q, `SELECT `+prefixed("e", crmEventColumns)+`, l.short_id
		FROM crm_events e JOIN leads l ON l.app = e.app WHERE e.client = ? AND e.state = ?
		ORDER BY e.at DESC, e.id DESC`+limited(PageSize), client, state)
}

// CRMEventCounts counts events by what became of them.
type CRMEventCounts struct {
	Sent    int `db:"sent"` // since an instant
	Waiting int `db:"waiting"`
	Failed  int `db:"failed"`
}

// CountCRMEvents counts the events of a client, the sent ones since an instant.
func (q Queries) CountCRMEvents(ctx context.Context, client string, since time.Time) (CRMEventCounts, error) {
	return get[CRMEventCounts](ctx, q, `SELECT
		(SELECT count(*) FROM crm_events WHERE client = ? AND state = 'sent' AND at >= ?) AS sent,
		(SELECT count(*) FROM crm_events WHERE client = ? AND state = 'waiting') AS waiting,
		(SELECT count(*) FROM crm_events WHERE client = ? AND state = 'failed') AS failed`,
		client, Millis(since), client, client)
}

// DropCRMEvents deletes the events from before an instant, whatever became of them.
func (tx *Tx) DropCRMEvents(ctx context.Context, before time.Time) error {
	return tx.exec(ctx, `DELETE FROM crm_events WHERE queued_at < ?`, Millis(before))
}

// DropCRMEvent deletes an event about a lead that is no longer linked to the client.
func (tx *Tx) DropCRMEvent(ctx context.Context, id string) error {
	return tx.exec(ctx, `DELETE FROM crm_events WHERE id = ?`, id)
}
