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

// Nudge is a manager's request to the originator of a lead to follow up on it.
type Nudge struct {
	At int64 // in milliseconds; 0 for none
	By string
}

// NudgeOf returns the nudge that an event records, if it was about the lead's current stay at its step.
func NudgeOf(l Row, e Event) Nudge {
	if e.At == 0 || e.At < l.StepSince || e.StepBefore != l.Step {
		return Nudge{}
	}
	return Nudge{At: e.At, By: e.ActorName}
}

// ExportKind is what was exported of a lead.
type ExportKind string

// The kinds.
const (
	ExportDocument  ExportKind = "document"  // About is the lender's id of the document
	ExportDocuments ExportKind = "documents" // all of them, as a zip
	ExportLoanFile  ExportKind = "loan-file" // for an LOS
	ExportSheet     ExportKind = "sheet"     // the offers as the borrower sees them
	ExportList      ExportKind = "list"      // a row of an exported list
)

// Export records what one user exported of a lead, how often, and when last (milliseconds).
type Export struct {
	UserID string     `db:"user_id"`
	Name   string     `db:"name"`
	Kind   ExportKind `db:"kind"`
	About  string     `db:"about"`
	N      int        `db:"n"`
	At     int64      `db:"at"`
}

// LastView is when a user last opened a lead and its documents, and when an open page last showed them an update, in
// milliseconds; 0 for never.
type LastView struct {
	ViewedAt    int64 `db:"viewed_at"`
	DocumentsAt int64 `db:"documents_at"`
	DisplayedAt int64 `db:"displayed_at"`
}

// SeenAt returns the time as of which the user has seen the lead; 0 for never.
func (v LastView) SeenAt() int64 { return max(v.ViewedAt, v.DisplayedAt) }

// Reveal is one disclosure of a borrower's details: who saw which fields, by name, and why. The values are
// never stored. SealedReason is the reason of a user who typed one.
type Reveal struct {
	ID           string      `db:"id"`
	App          heloc.AppID `db:"app"`
	UserID       string      `db:"user_id"`
	UserName     string      `db:"user_name"`
	Fields       string      `db:"fields"`
	Reason       string      `db:"reason"`
	SealedReason []byte      `db:"sealed_reason"`
	ReasonText   string      `db:"-"` // SealedReason, decrypted for a page
	At           int64       `db:"at"`
}

// Viewer is a user who opened a lead's page, and when last.
type Viewer struct {
	UserID   string `db:"user_id"`
	Name     string `db:"name"`
	ViewedAt int64  `db:"viewed_at"`
}

// Note is a team member's note on a lead: sealed, and never sent anywhere. Contact is the channel when the
// note belongs to a contact with the borrower.
type Note struct {
	ID          string      `db:"id"`
	App         heloc.AppID `db:"app"`
	ActorID     string      `db:"actor_id"`
	ActorName   string      `db:"actor_name"`
	Contact     string      `db:"contact"`
	Sealed      []byte      `db:"sealed"`
	At          int64       `db:"at"`
	FromApp     heloc.AppID `db:"from_app"`      // the lead that it was written on, when it was copied
	FromShortID string      `db:"from_short_id"` // and that lead's short id

	Text string `db:"-"` // Sealed, decrypted for a page
}

// FollowUp is a reminder at an instant, with an optional sealed line of text.
type FollowUp struct {
	ID        string      `db:"id"`
	App       heloc.AppID `db:"app"`
	ActorID   string      `db:"actor_id"`
	ActorName string      `db:"actor_name"`
	DueAt     int64       `db:"due_at"`
	Sealed    []byte      `db:"sealed"`
	CreatedAt int64       `db:"created_at"`
	DoneAt    int64       `db:"done_at"`
	DoneBy    string      `db:"done_by"`

	Text string `db:"-"` // Sealed, decrypted for a page
}

// NoticeKind is what a notification is about.
type NoticeKind string

// The kinds of notification.
const (
	// N new open conditions
	NoticeCondition NoticeKind = "condition"
	// a transfer failed; About is its status
	NoticeWire NoticeKind = "wire"
	// the recipient has the lead now; ByName or the lender reassigned it
	NoticeLeadReceived NoticeKind = "taken"
	// ByName undid a reassignment, and the recipient has the lead again
	NoticeLeadReturned NoticeKind = "returned"
	// the recipient no longer has the lead; About is the name of the new originator, empty for none
	NoticeLeadReassigned NoticeKind = "gone"
	// ByName assigned N leads to the recipient; About is the job
	NoticeLeadsReceived NoticeKind = "taken-many"
	// ByName undid the reassignment of N leads of the recipient; About is the job
	NoticeLeadsReturned NoticeKind = "returned-many"
	// ByName reassigned N leads of the recipient; About is the job
	NoticeLeadsGone NoticeKind = "gone-many"
	// the lead has no originator and waits for its manager
	NoticeUnassigned NoticeKind = "waits"
	// a planned re-pull was answered; About is the lead's status
	NoticeRepull NoticeKind = "repull"
	// a planned re-pull was not requested; About is the reason
	NoticeRepullSkipped NoticeKind = "not-asked"
	// money was sent
	NoticeFunded NoticeKind = "funded"
	// the lead ended, not through the portal; About is its status
	NoticeEnded NoticeKind = "ended"
	// the lender has what the portal reported as not received or not accepted; About is the operation
	NoticeCorrected NoticeKind = "corrected"
	// a quote that was shared by a link was opened for the first time
	NoticeShareOpened NoticeKind = "share-opened"
	// ByName transferred a draft, to be sent
	NoticeDraftReceived NoticeKind = "draft"
	// a change of the lender's directory that affects N originators waits for an administrator
	NoticeDirectory NoticeKind = "directory"
	// the user Person has left, and N leads and drafts wait for somebody; ByName is the name of that user
	NoticeDeparted NoticeKind = "left"
	// ByName, a manager, asks to follow up; About is the lead's status, N the days at its step
	NoticeNudge NoticeKind = "nudge"
	// the recipient is to cover for somebody; About is for whom and when
	NoticeDeputy NoticeKind = "deputy"
	// somebody entered an absence of the recipient; About is who covers and when
	NoticeAbsence NoticeKind = "absence"
	// somebody changed the days or the deputy; About is who covers and when
	NoticeAbsenceChanged NoticeKind = "absence-changed"
	// somebody ended an absence of the recipient early; About is when it was to be
	NoticeAbsenceEnded NoticeKind = "absence-ended"
	// somebody deleted a coming absence of the recipient; About is when it was to be
	NoticeAbsenceDeleted NoticeKind = "absence-deleted"
	// the recipient is no longer to cover; About is for whom and when
	NoticeCoverEnded NoticeKind = "cover-ended"
	// the deputy of the recipient's absence can no longer cover; About is who and when
	NoticeUncovered NoticeKind = "uncovered"
	// somebody for whom the recipient covers has the lead now; ByName or the lender reassigned it
	NoticeCovered NoticeKind = "covered"
	// ByName assigned N leads to somebody for whom the recipient covers; About is that originator
	NoticeLeadsCovered NoticeKind = "covered-many"
	// the users of the company reached an hourly limit of N together; About is its kind
	NoticeLimit NoticeKind = "limit"
	// the assignment rules of the company paused themselves; About is the reason
	NoticeRulesPaused NoticeKind = "rules-paused"
	// N leads of somebody who was out did not go back automatically; About is the job of the return
	NoticeReturn NoticeKind = "return"
	// ByName made, decided or withdrew a request that takes two people; About is its kind and state
	NoticeRequest NoticeKind = "request"
	// the same about the recipient's own account
	NoticeOwnRequest NoticeKind = "request-own"
	// ByName approved somebody as a manager or assistant of the recipient's company; About is the role
	NoticeNewColleague NoticeKind = "request-colleague"
	// ByName changed how the CRM About identifies its users
	NoticeCRMChanged NoticeKind = "crm-changed"
	// the same, and the recipient's account was disconnected from it
	NoticeCRMDisconnected NoticeKind = "crm-disconnected"
	// events were not delivered to a CRM; About is its key and its name
	NoticeCRMEventsFailed NoticeKind = "crm-events"
	// the lender made offers
	NoticeOffersReady NoticeKind = "offers"
	// the lender needs something from the originator; About is the lead's status
	NoticeBlocked NoticeKind = "blocked"
	// the lender has not confirmed what the recipient sent; About is the operation
	NoticeUnconfirmed NoticeKind = "unconfirmed"
	// the borrower has signed in with the lender
	NoticeBorrowerSignedIn NoticeKind = "signed-in"
	// the broker's documents are signed
	NoticeDocumentsSigned NoticeKind = "documents-signed"
	// the lender set or changed dates of the closing; About lists which
	NoticeDatesChanged NoticeKind = "dates"
	// a follow-up on the lead is due
	NoticeFollowUpDue NoticeKind = "follow-up"
	// something ends within three days; About is what: inquiry, lift or link
	NoticeExpiring NoticeKind = "expiring"
)

// NoticeKinds lists the kinds, for display texts and tests.
func NoticeKinds() []NoticeKind {
	return []NoticeKind{
		NoticeCondition, NoticeWire, NoticeLeadReceived, NoticeLeadReturned, NoticeLeadReassigned, NoticeLeadsReceived,
		NoticeLeadsReturned, NoticeLeadsGone, NoticeUnassigned, NoticeRepull, NoticeRepullSkipped, NoticeFunded, NoticeEnded,
		NoticeCorrected,
		NoticeShareOpened, NoticeDraftReceived, NoticeDeparted, NoticeDirectory, NoticeNudge, NoticeDeputy, NoticeAbsence,
		NoticeCovered, NoticeLeadsCovered, NoticeAbsenceChanged, NoticeAbsenceEnded, NoticeAbsenceDeleted, NoticeCoverEnded,
		NoticeUncovered, NoticeRulesPaused, NoticeReturn, NoticeLimit, NoticeRequest, NoticeOwnRequest, NoticeNewColleague,
		NoticeCRMChanged, NoticeCRMDisconnected, NoticeCRMEventsFailed,
		NoticeOffersReady, NoticeBlocked, NoticeUnconfirmed, NoticeBorrowerSignedIn, NoticeDocumentsSigned,
		NoticeDatesChanged, NoticeFollowUpDue, NoticeExpiring,
	}
}

// Notice informs one user about one fact. It contains no borrower data; a user who can see the lead
// reads the rest there. Company is where the fact occurred: at another company, the user no longer sees the
// notification.
type Notice struct {
	ID       string      `db:"id"`
	UserID   string      `db:"user_id"`
	Company  string      `db:"company"`
	App      heloc.AppID `db:"app"`    // the lead that it is about,
	Draft    string      `db:"draft"`  // or the draft,
	Person   string      `db:"person"` // or the user
	ShortID  string      `db:"short_id"`
	Kind     NoticeKind  `db:"kind"`
	About    string      `db:"about"`
	ByName   string      `db:"by_name"` // a team member, or empty
	N        int         `db:"n"`
	DedupKey string      `db:"dedup_key"` // equal for the same fact
	// the key for the same fact under older vault keys, when the notification is created
	OldDedupKeys []string `db:"-"`
	At           int64    `db:"at"`
	ReadAt       int64    `db:"read_at"`
	// when to tell the user by email and in their browsers; 0 when not, or when told
	EmailAt int64 `db:"email_at"`
	PushAt  int64 `db:"push_at"`
}

// UnreadLimit is the number at which the count of unread notifications stops.
const UnreadLimit = 100
