package lead

import "hearthline/internal/heloc"

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
		NoticeUncovered, NoticeRulesPaused, NoticeLimit, NoticeRequest, NoticeOwnRequest, NoticeNewColleague,
		NoticeCRMChanged, NoticeCRMDisconnected,
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
