package store

import (
	"context"
	"time"

	"github.com/oklog/ulid/v2"

	"hearthline/internal/heloc"
)

// EventKind says what a lead event is.
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
	EventRejected       EventKind = "refused" // an operation was refused
	EventUnknown        EventKind = "unknown" // an operation's outcome is not known
	EventSettled        EventKind = "settled" // an unknown outcome became known
	EventReassigned     EventKind = "moved"   // another originator has the lead now
	EventSetAside       EventKind = "set-aside"
	EventNoAnswer       EventKind = "nothing"          // twice the usual wait has passed without an answer
	EventRevealed       EventKind = "revealed"         // borrower details were shown; Detail names the fields
	EventContact        EventKind = "contact"          // the borrower was contacted; Detail says how
	EventNote           EventKind = "note"             // a note was written
	EventFollowUp       EventKind = "follow-up"        // a follow-up was set
	EventFollowUpDone   EventKind = "follow-up-done"   // and done
	EventRepullPlanned  EventKind = "repull-planned"   // a credit re-pull is to be asked for at its time
	EventRepullCanceled EventKind = "repull-dropped"   // a person took that back
	EventRepullSkipped  EventKind = "repull-not-asked" // it was not asked for; Detail says why
)

// Event is one thing that happened to a lead. Detail never holds a borrower's data.
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

// Events lists what happened to a lead that has been opened already, newest first.
func (q queries) Events(ctx context.Context, app heloc.AppID, limit int) ([]Event, error) {
	var es []Event
	return es, q.list(ctx, &es, `SELECT `+eventColumns+` FROM lead_events WHERE app_uuid = ? ORDER BY at DESC, id DESC LIMIT ?`, app, limit)
}

// StatusCount is how many leads came to stand somewhere.
type StatusCount struct {
	StatusKey heloc.StatusKey `db:"stand"`
	Count     int             `db:"n"`
}

// StatusCountsSince counts where the leads that an originator has now came to stand since an instant.
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
