package lead

import "hearthline/internal/heloc"

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
	EventShared         EventKind = "shared"           // a quote was shared by a link
	EventShareOpened    EventKind = "share-opened"     // a shared quote was opened for the first time
	EventShareRevoked   EventKind = "share-revoked"    // a shared quote was revoked
	EventRepullPlanned  EventKind = "repull-planned"   // a credit re-pull was planned
	EventRepullCanceled EventKind = "repull-dropped"   // a user canceled a planned re-pull
	EventRepullSkipped  EventKind = "repull-not-asked" // a planned re-pull was not requested; Detail is the reason
	EventNudged         EventKind = "nudged"           // a manager asked the originator to follow up; From is the step
)

// Event is one thing that happened to a lead. Detail never contains borrower data.
type Event struct {
	ID         string             `db:"id"`
	App        heloc.AppID        `db:"app"`
	Originator heloc.OriginatorID `db:"originator"`
	At         int64              `db:"at"`
	Kind       EventKind          `db:"kind"`
	StepBefore heloc.Step         `db:"step_before"`
	StepAfter  heloc.Step         `db:"step_after"`
	StatusKey  heloc.StatusKey    `db:"status_key"`
	Operation  heloc.Operation    `db:"operation"`
	OpID       string             `db:"op_id"`
	ActorID    string             `db:"actor_id"`
	ActorName  string             `db:"actor_name"`
	Detail     string             `db:"detail"`
	TookMillis int64              `db:"took_millis"` // from an accepted operation to its step change
	// Company and StayedMillis are set when the step changes: whose lead it was then, and how long it had been at the
	// step From.
	Company      string `db:"company"`
	StayedMillis int64  `db:"stayed_millis"`
	CoveringFor  string `db:"-"` // the absent originator for whom the actor covered, as the desk knows it
	// A reassignment's former and new originator by name, as the desk knows them, and whether it undoes another.
	FromName, ToName string `db:"-"`
	Undo             bool   `db:"-"`
}

// StatusCount is the number of changed leads that have a status.
type StatusCount struct {
	StatusKey heloc.StatusKey `db:"status_key"`
	Count     int             `db:"count"`
}
