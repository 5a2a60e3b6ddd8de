package desk

import (
	"hearthline/internal/journal"
	"hearthline/internal/partner"
	"hearthline/internal/pubsub"
	"hearthline/internal/store"
)

// The names under which those above speak of what the rooms below hold. An alias is
// all they get: nothing can be opened with one.
type (
	// Change says that a lead has another revision. One without an App says that
	// changes were lost, and that everything shown may be old.
	Change = pubsub.Event
	// LeadQuery asks for one page of the pipeline.
	LeadQuery = store.LeadQuery
	// Sort is an order of the pipeline.
	Sort = store.Sort
	// LeadRow is a lead's row, with its standing.
	LeadRow = store.Lead
	// Event is one thing that happened to a lead.
	Event = store.Event
	// Operation is one row of the journal.
	Operation = store.Operation
	// StartSnapshot is what a start leaves behind for its lead.
	StartSnapshot = journal.StartSnapshot
	// UsualWait is how long the lender takes.
	UsualWait = journal.UsualWait
	// KnownDocument is a document and since when it has been seen.
	KnownDocument = journal.KnownDocument
	// AuditAction is what a row of the audit says was done.
	AuditAction = store.AuditAction
	// License says whether somebody may act in a state.
	License = store.License
	// Originator is one entry of the lender's directory.
	Originator = store.Originator
	// Staff is an account as its administrator sees it.
	Staff = store.Staff
	// Download is a document on its way.
	Download = partner.Download
)

// The states of a planned re-pull that a card shows.
const (
	RepullWaiting = store.RepullWaiting
	RepullTrying  = store.RepullTrying
	RepullSkipped = store.RepullSkipped
)

// The kinds of notification.
const (
	NoticeCondition      = store.NoticeCondition
	NoticeWire           = store.NoticeWire
	NoticeLeadReceived   = store.NoticeLeadReceived
	NoticeLeadReassigned = store.NoticeLeadReassigned
	NoticeUnassigned     = store.NoticeUnassigned
	NoticeRepull         = store.NoticeRepull
	NoticeRepullSkipped  = store.NoticeRepullSkipped
	NoticeFunded         = store.NoticeFunded
	NoticeEnded          = store.NoticeEnded
	NoticeDirectory      = store.NoticeDirectory
)

// UnreadLimit is where the count of what is unread stops.
const UnreadLimit = store.UnreadLimit

// SortUpdated puts the newest change first.
const SortUpdated = store.SortUpdated

// SortAmount puts the largest amount first.
const SortAmount = store.SortAmount

// The kinds of dates coming up.
const (
	DateExpiration = store.DateExpiration
	DateNotary     = store.DateNotary
	DateRescission = store.DateRescission
	DatePricing    = store.DatePricing
	DateCredit     = store.DateCredit
)

// The states of an operation.
const (
	OpPrepared  = store.OpPrepared
	OpSent      = store.OpSent
	OpSucceeded = store.OpSucceeded
	OpRejected  = store.OpRejected
	OpNotSent   = store.OpNotSent
	OpUnknown   = store.OpUnknown
	OpConfirmed = store.OpConfirmed
	OpAbsent    = store.OpAbsent
	OpAbandoned = store.OpAbandoned
)

// CountLimit is where a count of a tab stops.
const CountLimit = store.CountLimit

// Changes subscribes to what this person may hear of, until stop is called.
func (d *Desk) Changes() (changes <-chan Change, stop func()) { return d.Hub.Subscribe(d.Topics()...) }

// LiveDialect says whether the lender speaks the dialect of the field, whose forms offer more.
func (d *Desk) LiveDialect() bool { return d.Lender.Dialect() == partner.Live }

// What an event is.
const (
	EventStarted        = store.EventStarted
	EventAdopted        = store.EventAdopted
	EventStep           = store.EventStep
	EventAskedAgain     = store.EventAskedAgain
	EventStatus         = store.EventStatus
	EventConverted      = store.EventConverted
	EventFunded         = store.EventFunded
	EventDocuments      = store.EventDocuments
	EventCondition      = store.EventCondition
	EventSent           = store.EventSent
	EventRejected       = store.EventRejected
	EventUnknown        = store.EventUnknown
	EventSettled        = store.EventSettled
	EventReassigned     = store.EventReassigned
	EventSetAside       = store.EventSetAside
	EventNoAnswer       = store.EventNoAnswer
	EventRevealed       = store.EventRevealed
	EventContact        = store.EventContact
	EventNote           = store.EventNote
	EventFollowUp       = store.EventFollowUp
	EventFollowUpDone   = store.EventFollowUpDone
	EventRepullPlanned  = store.EventRepullPlanned
	EventRepullCanceled = store.EventRepullCanceled
	EventRepullSkipped  = store.EventRepullSkipped
)
