package heloc

import (
	"cmp"
	"slices"
	"time"
)

// Lane is one of the six lanes of the pipeline. Every lead is in exactly one. A lane does not say whose move it is: an
// originator follows up on a lead in any lane.
type Lane string

// The lanes, in the order of the tabs.
const (
	LaneBlocked  Lane = "blocked"
	LaneOffers   Lane = "offers"
	LaneBorrower Lane = "borrower"
	LaneLender   Lane = "lender"
	LaneClosing  Lane = "closing"
	LaneEnded    Lane = "ended"
)

// Lanes lists the lanes in the order of the tabs.
func Lanes() []Lane {
	return []Lane{LaneBlocked, LaneOffers, LaneBorrower, LaneLender, LaneClosing, LaneEnded}
}

// Mover is the party whose move it is.
type Mover string

// The movers. MoverNobody is for a lead that has ended, and for one whose credit is re-pulled automatically at a set
// time.
const (
	MoverYou      Mover = "you"
	MoverBorrower Mover = "borrower"
	MoverLender   Mover = "lender"
	MoverNobody   Mover = ""
)

// StatusKey names a status; it determines the text, the icon and the color.
type StatusKey string

// The statuses.
const (
	StatusInProgress     StatusKey = "in-progress"
	StatusOffers         StatusKey = "offers"
	StatusChooseProperty StatusKey = "choose-property"
	StatusSSNNeeded      StatusKey = "ssn-needed"
	StatusCreditFrozen   StatusKey = "credit-frozen"
	StatusStillFrozen    StatusKey = "still-frozen" // after a re-pull
	StatusRepullDue      StatusKey = "repull-due"
	StatusVerifyLiens    StatusKey = "verify-liens"
	StatusMoreAssets     StatusKey = "more-assets"
	StatusPayoff         StatusKey = "payoff"
	StatusPropertyValue  StatusKey = "property-value"
	StatusNoOffers       StatusKey = "no-offers"
	StatusBorrowerSignIn StatusKey = "borrower-sign-in"
	StatusFollowUpSignIn StatusKey = "chase-sign-in"
	StatusBrokerDocs     StatusKey = "broker-documents"
	StatusFollowUpDocs   StatusKey = "chase-documents"
	StatusComplete       StatusKey = "complete" // the inquiry is complete and not yet an application
	StatusApplication    StatusKey = "application"
	StatusDisclosures    StatusKey = "disclosures"
	StatusSigning        StatusKey = "signing"
	StatusSigned         StatusKey = "signed" // signed, and the lender gives no end of rescission
	StatusRescission     StatusKey = "rescission"
	StatusFunding        StatusKey = "funding" // rescission is over and no money is known to be sent
	StatusFunded         StatusKey = "funded"
	StatusCanceled       StatusKey = "cancelled"
	StatusDeclined       StatusKey = "declined"
	StatusExpired        StatusKey = "expired"
	StatusWithdrawn      StatusKey = "withdrawn"
	StatusRefinance      StatusKey = "refinance"
	StatusOther          StatusKey = "other"
)

// StatusFacts are the facts from which a status is computed. Nothing else affects it.
type StatusFacts struct {
	Step                  Step
	Converted             bool      // isInquiry is false
	StepSince             time.Time // when the step, or the lender's latest answer with that step, was first seen
	AskedAgain            bool      // the lender answered an operation with the same step
	OperationPendingUntil time.Time // until then an operation makes it the lender's move; zero when none
	SetAside              bool      // a user treats the step as no offers
	RepullAt              time.Time // the borrower confirmed lifting the freeze; the credit pull is due again then
	LastContact           time.Time // the last logged contact with the borrower
	FollowUpAt            time.Time // the earliest follow-up that is not done; zero when none
	Dates                 KeyDates
	NotaryDate            Date
	Funded                bool // according to the funding report, money has been sent
	OpenCondition         bool
}

// Status is a lead's status, whose move it is and until when.
type Status struct {
	Key       StatusKey
	Lane      Lane
	Mover     Mover
	Due       time.Time // when the move is due; zero when it has no due time
	ChangesAt time.Time // when this status changes without any event; zero when it does not
}

const day = 24 * time.Hour

// dueToday is how long a move that is due "today" may take.
const dueToday = 12 * time.Hour

// tellWithin is how long the originator may take to tell the borrower about a freeze.
const tellWithin = 4 * time.Hour

// BlockedStep is a step that the originator resolves before the lender can make offers.
type BlockedStep struct {
	Step       Step
	Status     StatusKey   // of a lead that has just reached it
	Operations []Operation // any of them resolves it; first the one that the status calls for
}

// originatorSteps are the steps that determine the status by themselves: it is the originator's move, and within is
// how long it may take. Those with operations are the blocked steps, in the order in which a lead reaches them.
var originatorSteps = [...]struct {
	BlockedStep
	lane   Lane
	within time.Duration
}{
	{BlockedStep{StepSelectProperty, StatusChooseProperty, []Operation{OpSelectProperty}}, LaneBlocked, 15 * time.Minute},
	{BlockedStep{StepCreditMatch, StatusSSNNeeded, []Operation{OpAddSSN}}, LaneBlocked, time.Hour},
	{BlockedStep{StepUnfreezeCredit, StatusCreditFrozen, []Operation{OpRepullCredit}}, LaneBlocked, tellWithin},
	{BlockedStep{StepLienMatching, StatusVerifyLiens, []Operation{OpVerifyLiens}}, LaneBlocked, 4 * time.Hour},
	{BlockedStep{StepMoreAssets, StatusMoreAssets, []Operation{OpAssetDepletion, OpAddIncome}}, LaneBlocked,
		4 * time.Hour},
	{BlockedStep{StepPayoff, StatusPayoff, []Operation{OpAssetDepletion}}, LaneBlocked, 4 * time.Hour},
	{BlockedStep{StepPropertyValue, StatusPropertyValue, []Operation{OpPropertyValue}}, LaneBlocked, 4 * time.Hour},
	{BlockedStep{StepOffersAvailable, StatusOffers, nil}, LaneOffers, dueToday},
	{BlockedStep{StepNoOffers, StatusNoOffers, nil}, LaneBlocked, 2 * day},
	{BlockedStep{StepRefinanceOffer, StatusRefinance, nil}, LaneBlocked, dueToday},
}

// originatorStep returns the status of a step, its lane, and how long the move may take.
func originatorStep(s Step) (StatusKey, Lane, time.Duration) {
	for _, o := range originatorSteps {
		if o.Step == s {
			return o.Status, o.lane, o.within
		}
	}
	return StatusOther, LaneBlocked, dueToday
}

// BlockedSteps lists the blocked steps in the order in which a lead reaches them.
func BlockedSteps() (blocked []BlockedStep) {
	for _, o := range originatorSteps {
		if len(o.Operations) > 0 {
			blocked = append(blocked, o.BlockedStep)
		}
	}
	return blocked
}

// NextOperation is the operation that a status calls for; empty where it is somebody else's
// move, or where no single operation resolves it.
func (s StatusKey) NextOperation() Operation {
	if s == StatusStillFrozen || s == StatusRepullDue {
		return OpRepullCredit
	}
	for _, b := range BlockedSteps() {
		if b.Status == s {
			return b.Operations[0]
		}
	}
	return ""
}

// StepOperations lists the operations that statuses call for, each once.
func StepOperations() (all []Operation) {
	for _, b := range BlockedSteps() {
		if !slices.Contains(all, b.Operations[0]) {
			all = append(all, b.Operations[0])
		}
	}
	return all
}

// MoveWithin returns how long the move at a step may take before it is due, or before somebody must follow up with the
// borrower; false for steps at which the lender works, and for those after the last move.
func (s Step) MoveWithin() (time.Duration, bool) {
	switch s {
	case "", StepUnknown, StepComplete, StepClosed, StepWithdrawn: // nobody here moves
		return 0, false
	case StepBorrowerAuth, StepBrokerDocSigning, StepUnfreezeCredit:
		return followUpDelays[0], true
	default:
		_, _, within := originatorStep(s)
		return within, true
	}
}

// StatusAt computes the status at an instant. It is pure: the same facts and the same
// instant always give the same status.
func StatusAt(f StatusFacts, now time.Time) Status {
	return applyFollowUp(f.FollowUpAt, stepStatus(f, now), now)
}

// applyFollowUp makes a lead the originator's move when a follow-up is due, whatever the
// status and even if the lead has ended, because the user scheduled it. Neither the status key
// nor the lane changes.
func applyFollowUp(at time.Time, s Status, now time.Time) Status {
	switch {
	case at.IsZero():
		return s
	case now.Before(at):
		if s.ChangesAt.IsZero() || at.Before(s.ChangesAt) {
			s.ChangesAt = at
		}
		return s
	}
	if s.Mover != MoverYou {
		s.Mover, s.Due = MoverYou, at
		return s
	}
	if s.Due.IsZero() || at.Before(s.Due) {
		s.Due = at
	}
	return s
}

// stepStatus computes the status from the lender's data and the portal's own operations.
func stepStatus(f StatusFacts, now time.Time) Status {
	if s, ok := endedStatus(f); ok {
		return s
	}
	if now.Before(f.OperationPendingUntil) {
		return Status{Key: StatusInProgress, Lane: LaneLender, Mover: MoverLender, ChangesAt: f.OperationPendingUntil}
	}
	if f.Converted || f.Step == StepComplete {
		return closingStatus(f, now)
	}
	switch f.Step {
	case "", StepUnknown:
		return Status{Key: StatusInProgress, Lane: LaneLender, Mover: MoverLender}
	case StepBorrowerAuth:
		return borrowerStatus(f, now, StatusBorrowerSignIn, StatusFollowUpSignIn)
	case StepBrokerDocSigning:
		return borrowerStatus(f, now, StatusBrokerDocs, StatusFollowUpDocs)
	case StepUnfreezeCredit:
		if !f.SetAside {
			return frozenStatus(f, now)
		}
	}
	if f.SetAside && f.Step.CanSetAside() {
		return Status{Key: StatusNoOffers, Lane: LaneEnded}
	}
	key, lane, within := originatorStep(f.Step)
	return Status{Key: key, Lane: lane, Mover: MoverYou, Due: f.StepSince.Add(within)}
}

// frozenStatus is the originator's move until they have told the borrower about the freeze, then the borrower's until
// a time for the next re-pull is set. Until then nobody has to do anything: the portal requests it. A re-pull that
// found the freeze still in place begins this again, because the borrower may believe that it is lifted.
func frozenStatus(f StatusFacts, now time.Time) Status {
	key := StatusCreditFrozen
	if f.AskedAgain {
		key = StatusStillFrozen
	}
	switch {
	case f.RepullAt.IsZero() && f.LastContact.Before(f.StepSince):
		return Status{Key: key, Lane: LaneBlocked, Mover: MoverYou, Due: f.StepSince.Add(tellWithin)}
	case f.RepullAt.IsZero():
		return borrowerStatus(f, now, key, key)
	case now.Before(f.RepullAt):
		return Status{Key: key, Lane: LaneBlocked, Due: f.RepullAt, ChangesAt: f.RepullAt}
	default:
		return Status{Key: StatusRepullDue, Lane: LaneBlocked, Mover: MoverYou, Due: f.RepullAt}
	}
}

// endedStatus distinguishes the five ways to end: canceled, withdrawn, declined, expired, funded.
func endedStatus(f StatusFacts) (Status, bool) {
	end := Status{Lane: LaneEnded}
	switch {
	case f.Dates.Declined != "":
		end.Key = StatusDeclined
	case f.Step == StepClosed, f.Dates.Canceled != "":
		end.Key = StatusCanceled
	case f.Step == StepWithdrawn && f.Dates.Expiration != "" && !f.Dates.Expiration.After(DateOf(f.StepSince)):
		end.Key = StatusExpired
	case f.Step == StepWithdrawn:
		end.Key = StatusWithdrawn
	case f.Funded:
		end.Key = StatusFunded
	default:
		return end, false
	}
	return end, true
}

// closingStatus derives the phase of a complete inquiry or an application from its dates; a null date is unknown and
// never guessed. An inquiry becomes an application only when the lender says so (isInquiry is false).
func closingStatus(f StatusFacts, now time.Time) Status {
	s := Status{Key: StatusComplete, Lane: LaneClosing, Mover: MoverLender}
	if f.OpenCondition {
		s.Mover = MoverBorrower
	}
	signed, hasSigning := dayEnd(f.Dates.Signing)
	rescinded, hasRescission := dayEnd(f.Dates.RescissionEnd)
	switch {
	case hasSigning && hasRescission && now.Before(signed.Add(-day)) && f.Dates.AgreementESigned == "":
		// The lender already gives the end of a rescission period that has not begun.
		s.Key, s.ChangesAt = StatusSigning, signed.Add(-day)
	case hasSigning && hasRescission && now.Before(rescinded):
		s.Key, s.ChangesAt = StatusRescission, rescinded
	case hasSigning && hasRescission:
		s.Key = StatusFunding
	case hasSigning && !now.Before(signed):
		s.Key = StatusSigned
	case hasSigning:
		s.Key, s.ChangesAt = StatusSigning, signed
	case f.NotaryDate != "":
		s.Key = StatusSigning
	case DayBegun(f.Dates.SummaryDisclosure, now):
		s.Key = StatusDisclosures
	case f.Converted:
		s.Key = StatusApplication
		if begins, ok := dayBegin(f.Dates.SummaryDisclosure); ok {
			s.ChangesAt = begins
		}
	}
	return s
}

// dayEnd returns when a day has ended in every US time zone: at midnight in Hawaii. The contract does not name the
// time zone of its dates, and a right of rescission lasts until midnight where the borrower is. The second result
// is false when the day is empty or not a date.
func dayEnd(d Date) (time.Time, bool) {
	start, ok := d.Time()
	return start.Add(day + 10*time.Hour), ok
}

// dayBegin returns when a day begins in Puerto Rico, the first US time zone except for those of the Pacific.
func dayBegin(d Date) (time.Time, bool) {
	start, ok := d.Time()
	return start.Add(4 * time.Hour), ok
}

// DayBegun reports whether a day has begun in Puerto Rico (see dayBegin). It is false for an empty or invalid date.
func DayBegun(d Date, now time.Time) bool {
	begin, ok := dayBegin(d)
	return ok && !now.Before(begin)
}

// Ended reports whether a status is one of the ways to end at the lender: canceled, withdrawn, declined, expired or
// funded.
func (s StatusKey) Ended() bool {
	return slices.Contains([]StatusKey{StatusCanceled, StatusDeclined, StatusExpired, StatusWithdrawn, StatusFunded}, s)
}

// IsFunded reports whether the funding report shows that money was sent: at least one
// transfer is sent or complete, and none is open or failed.
func IsFunded(r *FundingReport) bool {
	if r == nil {
		return false
	}
	sent := false
	for _, t := range r.Transactions {
		switch t.Status {
		case FundingSent, FundingComplete:
			sent = true
		case FundingCanceled:
		default:
			return false
		}
	}
	return sent
}

// Failed reports whether a transfer did not go through, so that somebody must follow it up.
func (s FundingStatus) Failed() bool {
	return slices.Contains([]FundingStatus{FundingReturned, FundingException, FundingRejected}, s)
}

// FailureText describes a failed transfer: its status, and its rail unless that is a wire, "-" if the lender names
// none; empty for a transfer that is on its way or has arrived.
func (t Transaction) FailureText() string {
	switch {
	case !t.Status.Failed():
		return ""
	case t.Rail == "WIRE":
		return string(t.Status)
	default:
		return string(t.Status) + " " + cmp.Or(string(t.Rail), "-")
	}
}
