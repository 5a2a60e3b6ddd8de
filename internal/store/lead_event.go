package store

import (
	"context"
	"time"

	"github.com/oklog/ulid/v2"

	"hearthline/internal/heloc"
)

// EventKind is the kind of a lead event.
type EventKind string

// The kinds of event.
const (
	EventStarted        EventKind = "started"   // the inquiry was started here
	EventAdopted        EventKind = "adopted"   // it was found at the lender
	EventStep           EventKind = "step"      // the step changed
	EventAskedAgain     EventKind = "again"     // the lender asks for the same step again
	EventStatus         EventKind = "status"    // the lender's status changed
	EventConverted      EventKind = "converted" // the inquiry became an application
	EventFunded         EventKind = "funded"
	EventDocuments      EventKind = "documents" // new documents at the lender
	EventCondition      EventKind = "condition"
	EventSent           EventKind = "sent"    // an operation was accepted
	EventRejected       EventKind = "refused" // an operation was rejected
	EventUnknown        EventKind = "unknown" // an operation's outcome is unknown
	EventSettled        EventKind = "settled" // an unknown outcome was determined
	EventReassigned     EventKind = "moved"   // the lead has another originator now
	EventSetAside       EventKind = "set-aside"
	EventNoAnswer       EventKind = "nothing"          // twice the usual wait has passed without an answer
	EventRevealed       EventKind = "revealed"         // borrower details were revealed; Detail names the fields
	EventContact        EventKind = "contact"          // the borrower was contacted; Detail names the channel
	EventNote           EventKind = "note"             // a note was written
	EventFollowUp       EventKind = "follow-up"        // a follow-up was set
	EventFollowUpDone   EventKind = "follow-up-done"   // a follow-up was completed
	EventRepullPlanned  EventKind = "repull-planned"   // a credit re-pull was planned
	EventRepullCanceled EventKind = "repull-dropped"   // a user canceled a planned re-pull
	EventRepullSkipped  EventKind = "repull-not-asked" // a planned re-pull was not requested; Detail is the reason
)

// Event is one thing that happened to a lead. Detail never contains borrower data.
type Event struct {
	ID         string             `db:"id"`
	App        heloc.AppID        `db:"app_uuid"`
	Originator heloc.OriginatorID `db:"originator_uuid"`
	At         int64              `db:"at"`
	Kind       EventKind          `db:"kind"`
	From       heloc.Step         `db:"step_from"`
	To         heloc.Step         `db:"step_to"`
	StatusKey  heloc.StatusKey    `db:"stand"`
	Operation  heloc.Operation    `db:"operation"`
	OpID       string             `db:"op_id"`
	ActorID    string             `db:"actor_id"`
	ActorName  string             `db:"actor_name"`
	Detail     string             `db:"detail"`
	TookMillis int64              `db:"took_ms"` // from an accepted operation to its step change
}

const eventColumns = `id, app_uuid, originator_uuid, at, kind, step_from, step_to, stand, operation, op_id, actor_id, actor_name, detail, took_ms`

// AddEvent writes one event.
func (tx *Tx) AddEvent(ctx context.Context, e Event) error {
	if e.ID == "" {
		e.ID = ulid.MustNew(uint64(e.At), tx.ids).String()
	}
	return tx.execNamed(ctx, `INSERT INTO lead_events (`+eventColumns+`) VALUES (:id, :app_uuid, :originator_uuid, :at, :kind,
		:step_from, :step_to, :stand, :operation, :op_id, :actor_id, :actor_name, :detail, :took_ms)`, e)
}

// Events lists the events of a lead that the caller has opened, newest first.
func (q queries) Events(ctx context.Context, app heloc.AppID, limit int) ([]Event, error) {
	var es []Event
	return es, q.list(ctx, &es, `SELECT `+eventColumns+` FROM lead_events WHERE app_uuid = ? ORDER BY at DESC, id DESC LIMIT ?`, app, limit)
}

// StatusCount is the number of leads that reached a status.
type StatusCount struct {
	StatusKey heloc.StatusKey `db:"stand"`
	Count     int             `db:"n"`
}

// StatusCountsSince counts the statuses that an originator's current leads have reached since an instant.
func (q queries) StatusCountsSince(ctx context.Context, originator heloc.OriginatorID, since time.Time) ([]StatusCount, error) {
	var rows []StatusCount
	return rows, q.list(ctx, &rows, `SELECT stand, count(DISTINCT app_uuid) AS n FROM lead_events
		WHERE originator_uuid = ? AND at > ? AND kind IN ('step', 'again', 'converted', 'funded', 'moved') AND stand <> '' AND stand <> 'in-progress'
		AND EXISTS (SELECT 1 FROM leads l WHERE l.app_uuid = lead_events.app_uuid AND l.originator_uuid = lead_events.originator_uuid)
		GROUP BY stand ORDER BY n DESC, stand LIMIT 6`, originator, Millis(since))
}

// Waits lists how long the last operations of a kind took to change the step, in milliseconds.
func (q queries) Waits(ctx context.Context, operation heloc.Operation, limit int) ([]int64, error) {
	var ms []int64
	return ms, q.list(ctx, &ms, `SELECT took_ms FROM lead_events WHERE operation = ? AND took_ms > 0 ORDER BY at DESC LIMIT ?`, operation, limit)
}
