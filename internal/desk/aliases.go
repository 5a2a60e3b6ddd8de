package desk

import (
	"hearthline/internal/journal"
	"hearthline/internal/partner"
	"hearthline/internal/pubsub"
	"hearthline/internal/store"
)

// The packages above desk use these aliases for types of the packages below it. The aliases give no access to the
// packages themselves.
type (
	// Change reports that a lead has another revision. A Change without an App reports that changes were lost, so
	// that everything on the page may be out of date.
	Change = pubsub.Event
	// LeadQuery asks for one page of the pipeline.
	LeadQuery = store.LeadQuery
	// Sort is an order of the pipeline.
	Sort = store.Sort
	// LeadRow is a lead's row with its status.
	LeadRow = store.Lead
	// Event is one thing that happened to a lead.
	Event = store.Event
	// Operation is one row of the journal.
	Operation = store.Operation
	// StartSnapshot is what a start stores for its lead.
	StartSnapshot = journal.StartSnapshot
	// UsualWait is how long the lender usually takes.
	UsualWait = journal.UsualWait
	// KnownDocument is a document and the time since when we know it.
	KnownDocument = journal.KnownDocument
	// AuditAction is the action that an audit row records.
	AuditAction = store.AuditAction
	// License records whether an originator may act in a state.
	License = store.License
	// Originator is one entry of the lender's directory.
	Originator = store.Originator
	// Staff is an account as its administrator sees it.
	Staff = store.Staff
	// Download is a document that is being streamed.
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

// UnreadLimit is where the count of unread notifications stops.
const UnreadLimit = store.UnreadLimit

// SortUpdated puts the newest change first.
const SortUpdated = store.SortUpdated

// SortAmount puts the largest amount first.
const SortAmount = store.SortAmount

// The kinds of upcoming dates.
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

// CountLimit is where the count of a tab stops.
const CountLimit = store.CountLimit

// Changes subscribes to the changes that the user may see, until stop is called.
func (d *Desk) Changes() (changes <-chan Change, stop func()) { return d.hub.Subscribe(d.Topics()...) }

// LiveDialect reports whether the lender speaks the live dialect, whose forms offer more.
func (d *Desk) LiveDialect() bool { return d.lender.Dialect() == partner.Live }

// The kinds of events.
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
