package store

import (
	"cmp"
	"context"
	"time"

	"github.com/oklog/ulid/v2"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

const eventColumns = `id, app, originator, at, kind, step_before, step_after, status_key, operation, op_id, ` +
	`actor_id, actor_name, detail, took_millis, company, stayed_millis`

// AddEvent writes one event.
func (tx *Tx) AddEvent(ctx context.Context, e lead.Event) error {
	if e.ID == "" {
		e.ID = ulid.MustNew(uint64(e.At), tx.ids).String()
	}
	if err := tx.addStepVisit(ctx, e); err != nil {
		return err
	}
	return tx.insert(ctx, "lead_events", eventColumns, e)
}

// addStepVisit adds the time at the step that a lead has left to what reports read.
func (tx *Tx) addStepVisit(ctx context.Context, e lead.Event) error {
	bit := lead.StepBit(e.StepBefore)
	if e.StayedMillis <= 0 || bit == 0 {
		return nil
	}
	if err := tx.exec(ctx, `INSERT INTO step_visits (app, step, millis) VALUES (?, ?, ?)
		ON CONFLICT (app, step) DO UPDATE SET millis = step_visits.millis + excluded.millis`,
		e.App, cmp.Or(e.StepBefore, heloc.StepUnknown), e.StayedMillis); err != nil {
		return err
	}
	return tx.exec(ctx, `UPDATE leads SET passed_steps = passed_steps | ? WHERE app = ?`, bit, e.App)
}

// Events lists the events of a lead that the caller has opened, newest first.
func (q Queries) Events(ctx context.Context, app heloc.AppID, limit int) ([]lead.Event, error) {
	return list[lead.Event](ctx, q, `SELECT `+eventColumns+` FROM lead_events WHERE app = ?
		ORDER BY at DESC, id DESC`+limited(limit), app)
}

// EventsAfter lists the events of a lead after the one with the given EventKey, newest first.
func (q Queries) EventsAfter(ctx context.Context, app heloc.AppID, key string, limit int) ([]lead.Event, error) {
	at, id, ok := parsePageKey(key)
	if !ok {
		return q.Events(ctx, app, limit)
	}
	return list[lead.Event](ctx, q, `SELECT `+eventColumns+` FROM lead_events WHERE app = ? AND (at, id) < (?, ?)
		ORDER BY at DESC, id DESC`+limited(limit), app, at, id)
}

// EventKey returns the key of an event; the next page starts after it.
func EventKey(e lead.Event) string { return encodePageKey(e.At, e.ID) }

// UpdatesSince counts the leads of an originator whose status has changed since an instant, each once under its
// current status and without those that the lender is processing. notes is the number of leads on which somebody
// other than the reader has written a note since then.
func (q Queries) UpdatesSince(ctx context.Context, originator heloc.OriginatorID, since time.Time,
	reader string) (changed []lead.StatusCount, notes int, err error) {
	all, err := list[lead.StatusCount](ctx, q, updatesSinceSQL, originator, Millis(since), originator,
		Millis(since), reader)
	for _, one := range all {
		if one.StatusKey == "" {
			notes = one.Count
		} else {
			changed = append(changed, one)
		}
	}
	return changed, notes, err
}

// updatesSinceSQL looks each lead up, because PostgreSQL would read all leads for a join: it does not know how few
// events are that new.
const updatesSinceSQL = `SELECT status_key, count(*) AS count FROM
	(SELECT (SELECT l.status_key FROM leads l WHERE l.app = e.app AND l.originator = e.originator) AS status_key FROM
		(SELECT DISTINCT app, originator FROM lead_events WHERE originator = ? AND at > ?
			AND kind IN ('step', 'again', 'converted', 'funded')) e) x
	WHERE status_key <> '' AND status_key <> 'in-progress' GROUP BY status_key
	UNION ALL SELECT '', count(DISTINCT app) FROM lead_events WHERE originator = ? AND at > ? AND kind = 'note'
	AND actor_id <> ?
		AND originator = (SELECT l.originator FROM leads l WHERE l.app = lead_events.app)
	ORDER BY count DESC, status_key`

// Waits lists how long the last operations of a kind took to change the step, in milliseconds.
func (q Queries) Waits(ctx context.Context, operation heloc.Operation, limit int) ([]int64, error) {
	return list[int64](ctx, q, `SELECT took_millis FROM lead_events WHERE operation = ? AND took_millis > 0
		ORDER BY at DESC`+limited(limit), operation)
}

const noteColumns = `id, app, actor_id, actor_name, contact, sealed, at, from_app, from_short_id`

// AddNote stores a note.
func (tx *Tx) AddNote(ctx context.Context, n lead.Note) error {
	return tx.insert(ctx, "notes", noteColumns, n)
}

// Notes lists the notes of a lead that the caller has opened, newest first.
func (q Queries) Notes(ctx context.Context, app heloc.AppID, limit int) ([]lead.Note, error) {
	return list[lead.Note](ctx, q, `SELECT `+noteColumns+` FROM notes
		WHERE app = ? ORDER BY at DESC, id DESC`+limited(limit), app)
}

// NotesAfter returns the page of notes after the one with the given key, and the key of the next page, which
// is empty on the last page. An empty key selects the first page.
func (q Queries) NotesAfter(ctx context.Context, app heloc.AppID, key string) (notes []lead.Note, next string,
	err error) {
	query, args := `SELECT `+noteColumns+` FROM notes WHERE app = ?`, []any{app}
	if at, id, ok := parsePageKey(key); ok {
		query, args = query+` AND (at, id) < (?, ?)`, append(args, at, id)
	}
	notes, err = list[lead.Note](ctx, q, query+` ORDER BY at DESC, id DESC`+limited(PageSize+1), args...)
	notes, next = cutPage(notes, PageSize, func(n lead.Note) string { return encodePageKey(n.At, n.ID) })
	return notes, next, err
}

// AddFollowUp stores a follow-up. The caller saves the lead's own FollowUpAt.
func (tx *Tx) AddFollowUp(ctx context.Context, f lead.FollowUp) error {
	return tx.insert(ctx, "follow_ups", `id, app, actor_id, actor_name, due_at, sealed, created_at`, f)
}

// FollowUps lists the open follow-ups of a lead that the caller has opened, earliest first, up to one more than
// PageSize.
func (q Queries) FollowUps(ctx context.Context, app heloc.AppID) ([]lead.FollowUp, error) {
	return list[lead.FollowUp](ctx, q, `SELECT id, app, actor_id, actor_name, due_at, sealed, created_at, done_at, done_by
		FROM follow_ups
		WHERE app = ? AND done_at = 0 ORDER BY due_at, id`+limited(PageSize+1), app)
}

// CompleteFollowUp marks one of the lead's follow-ups as done; false when it was not open.
func (tx *Tx) CompleteFollowUp(ctx context.Context, f lead.FollowUp, at time.Time) (bool, error) {
	return tx.changed(ctx, `UPDATE follow_ups SET done_at = ?, done_by = ? WHERE id = ? AND app = ? AND done_at = 0`,
		Millis(at), f.DoneBy, f.ID, f.App)
}
