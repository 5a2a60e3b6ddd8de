package heloc

import "time"

// Lane is one of the six places of the pipeline. Every lead stands in exactly one.
type Lane string

// The lanes, in the order of the tabs.
const (
	LaneToday    Lane = "today"
	LaneOffers   Lane = "offers"
	LaneBorrower Lane = "borrower"
	LaneLender   Lane = "lender"
	LaneClosing  Lane = "closing"
	LaneEnded    Lane = "ended"
)

// Lanes lists the lanes in the order of the tabs.
func Lanes() []Lane {
	return []Lane{LaneToday, LaneOffers, LaneBorrower, LaneLender, LaneClosing, LaneEnded}
}

// Mover is whose move it is.
type Mover string

// The movers. NobodyMoves is for a lead that has ended.
const (
	YouMove      Mover = "you"
	BorrowerMove Mover = "borrower"
	LenderMoves  Mover = "lender"
	NobodyMoves  Mover = ""
)

// Stand names a standing; the words, the icon and the colour hang on it.
type Stand string

// The standings.
const (
	StandInProgress     Stand = "in-progress"
	StandOffers         Stand = "offers"
	StandChooseProperty Stand = "choose-property"
	StandSSN            Stand = "ssn-needed"
	StandFrozen         Stand = "credit-frozen"
	StandRepull         Stand = "repull-due"
	StandLiens          Stand = "verify-liens"
	StandAssets         Stand = "more-assets"
	StandPayoff         Stand = "payoff"
	StandValue          Stand = "property-value"
	StandNoOffers       Stand = "no-offers"
	StandSignIn         Stand = "borrower-sign-in"
	StandChaseSignIn    Stand = "chase-sign-in"
	StandBrokerDocs     Stand = "broker-documents"
	StandChaseDocs      Stand = "chase-documents"
	StandApplication    Stand = "application"
	StandDisclosures    Stand = "disclosures"
	StandSigning        Stand = "signing"
	StandRescission     Stand = "rescission"
	StandFunded         Stand = "funded"
	StandCancelled      Stand = "cancelled"
	StandDeclined       Stand = "declined"
	StandExpired        Stand = "expired"
	StandWithdrawn      Stand = "withdrawn"
	StandRefinance      Stand = "refinance"
	StandOther          Stand = "other"
)

// Facts are what a standing follows from. Nothing else decides.
type Facts struct {
	Step          Step
	Converted     bool      // isInquiry is false
	Since         time.Time // when the step, or the lender's last word on it, was first seen
	UnderWayUntil time.Time // an operation is the lender's move until then; zero when none
	SetAside      bool      // a person treats the step as no offers
	RepullAt      time.Time // the borrower confirmed the lift; the re-pull is due then
	LastContact   time.Time // the last logged contact with the borrower
	FollowUpAt    time.Time // the earliest follow-up that is not done; zero when none
	Dates         KeyDates
	NotaryDate    Date
	Funded        bool // money has been sent, by the funding report
	OpenCondition bool
}

// Standing says where a lead stands, whose move it is and until when.
type Standing struct {
	Stand Stand
	Lane  Lane
	Mover Mover
	Due   time.Time // when the move is due; zero when there is no clock
	Turns time.Time // when this standing changes by itself; zero when it does not
}

const day = 24 * time.Hour

// today is how long a move that is due "today" may take.
const today = 12 * time.Hour

// chases are the days after which a silent borrower is the originator's move.
var chases = [...]time.Duration{1 * day, 3 * day, 7 * day}

// moves is the part of the table that only the step decides: your move, and how
// long it may take.
func moves(s Step) (Stand, Lane, time.Duration) {
	switch s {
	case StepOffersAvailable:
		return StandOffers, LaneOffers, today
	case StepSelectProperty:
		return StandChooseProperty, LaneToday, 15 * time.Minute
	case StepCreditMatch:
		return StandSSN, LaneToday, time.Hour
	case StepLienMatching:
		return StandLiens, LaneToday, 4 * time.Hour
	case StepMoreAssets:
		return StandAssets, LaneToday, 4 * time.Hour
	case StepPayoff:
		return StandPayoff, LaneToday, 4 * time.Hour
	case StepPropertyValue:
		return StandValue, LaneToday, 4 * time.Hour
	case StepNoOffers:
		return StandNoOffers, LaneToday, 2 * day
	case StepRefinanceOffer:
		return StandRefinance, LaneToday, today
	default:
		return StandOther, LaneToday, today
	}
}

// StandingAt judges the facts at an instant. Pure: the same facts and the same
// instant always give the same standing.
func StandingAt(f Facts, now time.Time) Standing {
	return reminded(f.FollowUpAt, stepStanding(f, now), now)
}

// reminded lets a follow-up that has come make the lead the person's move, wherever it
// stands, an ended lead included: it was asked for. What the lead stands for stays, and
// so does offers, which is the person's lane already.
func reminded(at time.Time, s Standing, now time.Time) Standing {
	switch {
	case at.IsZero():
		return s
	case now.Before(at):
		if s.Turns.IsZero() || at.Before(s.Turns) {
			s.Turns = at
		}
		return s
	}
	if s.Mover != YouMove {
		return Standing{Stand: s.Stand, Lane: LaneToday, Mover: YouMove, Due: at, Turns: s.Turns}
	}
	if s.Due.IsZero() || at.Before(s.Due) {
		s.Due = at
	}
	return s
}

// stepStanding is where a lead stands by what the lender says and what was done.
func stepStanding(f Facts, now time.Time) Standing {
	if s, ok := ended(f); ok {
		return s
	}
	if now.Before(f.UnderWayUntil) {
		return Standing{Stand: StandInProgress, Lane: LaneLender, Mover: LenderMoves, Turns: f.UnderWayUntil}
	}
	if f.Converted || f.Step == StepComplete {
		return closing(f, now)
	}
	switch f.Step {
	case "", StepUnknown:
		return Standing{Stand: StandInProgress, Lane: LaneLender, Mover: LenderMoves}
	case StepBorrowerAuth:
		return waiting(f, now, StandSignIn, StandChaseSignIn)
	case StepBrokerDocSigning:
		return waiting(f, now, StandBrokerDocs, StandChaseDocs)
	case StepUnfreezeCredit:
		if f.SetAside {
			break
		}
		if f.RepullAt.IsZero() {
			return waiting(f, now, StandFrozen, StandFrozen)
		}
		if now.Before(f.RepullAt) {
			return Standing{Stand: StandFrozen, Lane: LaneToday, Mover: YouMove, Due: f.RepullAt, Turns: f.RepullAt}
		}
		return Standing{Stand: StandRepull, Lane: LaneToday, Mover: YouMove, Due: f.RepullAt}
	}
	if f.SetAside && f.Step.CanSetAside() {
		return Standing{Stand: StandNoOffers, Lane: LaneEnded}
	}
	stand, lane, within := moves(f.Step)
	return Standing{Stand: stand, Lane: lane, Mover: YouMove, Due: f.Since.Add(within)}
}

// ended tells the five ends apart: cancelled, withdrawn, declined, expired, funded.
func ended(f Facts) (Standing, bool) {
	end := Standing{Lane: LaneEnded}
	switch {
	case f.Dates.Declined != "":
		end.Stand = StandDeclined
	case f.Step == StepClosed, f.Dates.Canceled != "":
		end.Stand = StandCancelled
	case f.Step == StepWithdrawn && f.Dates.Expiration != "" && !f.Dates.Expiration.After(DateOf(f.Since)):
		end.Stand = StandExpired
	case f.Step == StepWithdrawn:
		end.Stand = StandWithdrawn
	case f.Funded:
		end.Stand = StandFunded
	default:
		return end, false
	}
	return end, true
}

// closing finds the phase of an application from its dates; what is null is not known
// and never guessed. A rescission that has ended is over, though money is not sent yet.
func closing(f Facts, now time.Time) Standing {
	s := Standing{Stand: StandApplication, Lane: LaneClosing, Mover: LenderMoves}
	if f.OpenCondition {
		s.Mover = BorrowerMove
	}
	ends, rescinding := f.Dates.RescissionEnd.Time()
	over := ends.Add(day)
	switch {
	case rescinding && f.Dates.Signing != "" && now.Before(over):
		s.Stand, s.Turns = StandRescission, over
	case rescinding && f.Dates.Signing != "":
	case f.Dates.Signing != "" || f.NotaryDate != "":
		s.Stand = StandSigning
	case f.Dates.SummaryDisclosure != "":
		s.Stand = StandDisclosures
	}
	return s
}

// waiting is the borrower's move until a chase is due with no contact since; then it
// is yours, and due since the chase.
func waiting(f Facts, now time.Time, quiet, chase Stand) Standing {
	last, next := chaseTimes(f.Since, now)
	if !last.IsZero() && f.LastContact.Before(last) {
		return Standing{Stand: chase, Lane: LaneToday, Mover: YouMove, Due: last}
	}
	return Standing{Stand: quiet, Lane: LaneBorrower, Mover: BorrowerMove, Due: next, Turns: next}
}

// chaseTimes are the last chase that has come and the next one; weekly after the third.
func chaseTimes(since, now time.Time) (last, next time.Time) {
	for _, after := range chases {
		at := since.Add(after)
		if at.After(now) {
			return last, at
		}
		last = at
	}
	weeks := now.Sub(last) / (7 * day)
	last = last.Add(weeks * 7 * day)
	return last, last.Add(7 * day)
}

// Answer is the operation that a standing calls for, empty where it is for somebody else
// to move, or where no single operation resolves it.
func (s Stand) Answer() Operation {
	switch s {
	case StandChooseProperty:
		return OpSelectProperty
	case StandSSN:
		return OpAddSSN
	case StandFrozen, StandRepull:
		return OpRepullCredit
	case StandLiens:
		return OpVerifyLiens
	case StandAssets, StandPayoff:
		return OpAssetDepletion
	case StandValue:
		return OpPropertyValue
	default:
		return ""
	}
}

// FundedBy reports whether the funding report shows money sent: at least one transfer
// sent or complete, and none of the others still open or failed.
func FundedBy(r *FundingReport) bool {
	if r == nil {
		return false
	}
	sent := false
	for _, t := range r.Transactions {
		switch t.Status {
		case FundingSent, FundingComplete:
			sent = true
		case FundingCancelled:
		default:
			return false
		}
	}
	return sent
}

// Stopped reports a transfer that did not go through, and that somebody has to look after.
func (s FundingStatus) Stopped() bool {
	switch s {
	case FundingReturned, FundingException, FundingRejected:
		return true
	default:
		return false
	}
}

// Stopped says how a transfer did not go through: its status, and its rail where that is
// no wire; empty for one that is on its way or has arrived.
func (t Transaction) Stopped() string {
	switch {
	case !t.Status.Stopped():
		return ""
	case t.Rail == "" || t.Rail == "WIRE":
		return string(t.Status)
	default:
		return string(t.Status) + " " + string(t.Rail)
	}
}
