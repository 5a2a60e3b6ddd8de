package lead

import "hearthline/internal/heloc"

// NoticeKind is what a notification is about.
type NoticeKind string

// The kinds of notification.
const (
	NoticeCondition      NoticeKind = "condition"       // N new open conditions
	NoticeWire           NoticeKind = "wire"            // a transfer failed; About is its status
	NoticeLeadReceived   NoticeKind = "taken"           // the recipient has the lead now; ByName or the lender reassigned it
	NoticeLeadReturned   NoticeKind = "returned"        // ByName undid a reassignment, and the recipient has the lead again
	NoticeLeadReassigned NoticeKind = "gone"            // the recipient no longer has the lead; About is the name of the new originator, empty for none
	NoticeLeadsReceived  NoticeKind = "taken-many"      // ByName assigned N leads to the recipient; About is the job
	NoticeLeadsReturned  NoticeKind = "returned-many"   // ByName undid the reassignment of N leads of the recipient; About is the job
	NoticeLeadsGone      NoticeKind = "gone-many"       // ByName reassigned N leads of the recipient; About is the job
	NoticeUnassigned     NoticeKind = "waits"           // the lead has no originator and waits for its manager
	NoticeRepull         NoticeKind = "repull"          // a planned re-pull was answered; About is the lead's status
	NoticeRepullSkipped  NoticeKind = "not-asked"       // a planned re-pull was not requested; About is the reason
	NoticeFunded         NoticeKind = "funded"          // money was sent
	NoticeEnded          NoticeKind = "ended"           // the lead ended, not through the portal; About is its status
	NoticeShareOpened    NoticeKind = "share-opened"    // a quote that was shared by a link was opened for the first time
	NoticeDraftReceived  NoticeKind = "draft"           // ByName transferred a draft, to be sent
	NoticeDirectory      NoticeKind = "directory"       // a change of the lender's directory that affects N originators waits for an administrator
	NoticeDeparted       NoticeKind = "left"            // the user Person has left, and N leads and drafts wait for somebody; ByName is the name of that user
	NoticeNudge          NoticeKind = "nudge"           // ByName, a manager, asks to follow up; About is the lead's status, N the days at its step
	NoticeDeputy         NoticeKind = "deputy"          // the recipient is to cover for somebody; About is for whom and when
	NoticeAbsence        NoticeKind = "absence"         // somebody entered an absence of the recipient; About is who covers and when
	NoticeAbsenceChanged NoticeKind = "absence-changed" // somebody changed the days or the deputy; About is who covers and when
	NoticeAbsenceEnded   NoticeKind = "absence-ended"   // somebody ended an absence of the recipient early; About is when it was to be
	NoticeAbsenceDeleted NoticeKind = "absence-deleted" // somebody deleted a coming absence of the recipient; About is when it was to be
	NoticeCoverEnded     NoticeKind = "cover-ended"     // the recipient is no longer to cover; About is for whom and when
	NoticeUncovered      NoticeKind = "uncovered"       // the deputy of the recipient's absence can no longer cover; About is who and when
	NoticeCovered        NoticeKind = "covered"         // somebody for whom the recipient covers has the lead now; ByName or the lender reassigned it
	NoticeLeadsCovered   NoticeKind = "covered-many"    // ByName assigned N leads to somebody for whom the recipient covers; About is that originator
	NoticeLimit          NoticeKind = "limit"           // the users of the company reached an hourly limit of N together; About is its kind
	NoticeRulesPaused    NoticeKind = "rules-paused"    // the assignment rules of the company paused themselves; About is the reason
)

// NoticeKinds lists the kinds, for display texts and tests.
func NoticeKinds() []NoticeKind {
	return []NoticeKind{
		NoticeCondition, NoticeWire, NoticeLeadReceived, NoticeLeadReturned, NoticeLeadReassigned, NoticeLeadsReceived, NoticeLeadsReturned, NoticeLeadsGone, NoticeUnassigned, NoticeRepull, NoticeRepullSkipped, NoticeFunded, NoticeEnded,
		NoticeShareOpened, NoticeDraftReceived, NoticeDeparted, NoticeDirectory, NoticeNudge, NoticeDeputy, NoticeAbsence, NoticeCovered, NoticeLeadsCovered,
		NoticeAbsenceChanged, NoticeAbsenceEnded, NoticeAbsenceDeleted, NoticeCoverEnded, NoticeUncovered, NoticeRulesPaused, NoticeLimit,
	}
}

// Notice informs one user about one fact. It contains no borrower data; a user who can see the lead
// reads the rest there. Company is where the fact occurred: at another company, the user no longer sees the
// notification.
type Notice struct {
	ID           string      `db:"id"`
	UserID       string      `db:"user_id"`
	Company      string      `db:"company"`
	App          heloc.AppID `db:"app"`    // the lead that it is about,
	Draft        string      `db:"draft"`  // or the draft,
	Person       string      `db:"person"` // or the user
	ShortID      string      `db:"short_id"`
	Kind         NoticeKind  `db:"kind"`
	About        string      `db:"about"`
	ByName       string      `db:"by_name"` // a team member, or empty
	N            int         `db:"n"`
	DedupKey     string      `db:"dedup_key"` // equal for the same fact
	OldDedupKeys []string    `db:"-"`         // the key for the same fact under older vault keys, when the notification is created
	At           int64       `db:"at"`
	ReadAt       int64       `db:"read_at"`
}

// UnreadLimit is the number at which the count of unread notifications stops.
const UnreadLimit = 100
