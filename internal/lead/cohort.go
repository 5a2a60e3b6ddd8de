package lead

import (
	"slices"
	"time"

	"hearthline/internal/heloc"
)

// Source is where an inquiry was started, as far as it is recorded.
type Source string

// The sources. Empty is not recorded: the lead was stored by a version that did not record it.
const (
	SourcePortal  Source = "portal"  // started here
	SourceCRM     Source = "crm"     // started here, for a record of a CRM
	SourceAdopted Source = "adopted" // started elsewhere and added by its application id
)

// Sources lists the sources that are recorded.
func Sources() []Source { return []Source{SourcePortal, SourceCRM, SourceAdopted} }

// StartedHere reports whether the inquiry is known to have started here, so that we know its first day. The lender says
// when the others started.
func (s Source) StartedHere() bool { return s == SourcePortal || s == SourceCRM }

// Stage is how far an inquiry has come. A stage includes those before it.
type Stage int

// The stages. A lead goes back from StageFunded when the lender reports that the money was returned, and from
// StageApplication when the lender says that it is an inquiry again; it never goes back further.
const (
	StageInquiry     Stage = iota
	StageOffers            // the lender has made offers
	StageSelected          // an offer was selected
	StageApplication       // the lender made the inquiry an application
	StageFunded
)

// Outcome says whether a lead is open, or how it ended.
type Outcome string

// The outcomes. Every lead has exactly one.
const (
	OutcomeOpen      Outcome = "open"
	OutcomeFunded    Outcome = "funded"
	OutcomeDeclined  Outcome = "declined"
	OutcomeWithdrawn Outcome = "withdrawn"
	OutcomeCanceled  Outcome = "canceled"
	OutcomeExpired   Outcome = "expired"
	OutcomeClosed    Outcome = "closed" // a user closed it here, without offers
)

// FalloutOutcomes lists the ways in which the lender ends a lead without funding it.
func FalloutOutcomes() []Outcome {
	return []Outcome{OutcomeDeclined, OutcomeWithdrawn, OutcomeCanceled, OutcomeExpired}
}

// updateCohort recomputes what reports count. It runs after the status was computed.
func (r *Row) updateCohort() {
	switch now := r.stageNow(); {
	case r.StatusKey == heloc.StatusFunded:
		r.Reached = StageFunded
	case now == StageApplication:
		r.Reached = now
	default:
		r.Reached = min(max(r.Reached, now), StageSelected)
	}
}

func (r *Row) stageNow() Stage {
	switch {
	case r.Converted:
		return StageApplication
	case r.SelectedAmount > 0, r.Step == heloc.StepBorrowerAuth, r.Step == heloc.StepBrokerDocSigning,
		r.Step == heloc.StepComplete:
		return StageSelected
	case r.Step == heloc.StepOffersAvailable:
		return StageOffers
	default:
		return StageInquiry
	}
}

// Outcome returns the lead's outcome.
func (r *Row) Outcome() Outcome {
	switch {
	case r.Lane != heloc.LaneEnded:
		return OutcomeOpen
	case r.StatusKey == heloc.StatusNoOffers:
		return OutcomeClosed
	case r.StatusKey == heloc.StatusCanceled:
		return OutcomeCanceled
	default:
		return Outcome(r.StatusKey)
	}
}

// StepBit is the bit of a step in Row.PassedSteps. An empty step is the same as UNKNOWN: the lender is working. It is 0
// for a step that the contract does not list.
func StepBit(s heloc.Step) int64 {
	if s == "" {
		s = heloc.StepUnknown
	}
	at := slices.Index(heloc.Steps(), s)
	if at < 0 {
		return 0
	}
	return 1 << at
}

// CohortFilter selects leads by the day on which their inquiry started or they were funded, by who started it, and by
// what became of them.
// Empty fields do not filter; reports link their numbers to lists with these filters.
type CohortFilter struct {
	From, To  string // months, "2026-09", or days, both included; From is empty for a list that does not filter by them
	Funded    bool   // From and To mean when the lead was funded, which the lender says, instead of when it started
	Reached   Reach
	Outcomes  []Outcome
	Source    *Source
	Left      heloc.Step          // leads that have left this step
	StartedBy *heloc.OriginatorID // who started the inquiry; empty if that is not known
	Moved     bool                // held by somebody other than who started it, or by nobody
}

// Reach selects leads by how far they have come.
type Reach string

// The values of Reach.
const (
	ReachedOffers      Reach = "offers"
	ReachedSelected    Reach = "selected"
	ReachedApplication Reach = "application"
	ReachedFunded      Reach = "funded"
	NoApplication      Reach = "no-application" // not yet, or never
)

// Stages returns the first and the last stage of the leads that r selects.
func (r Reach) Stages() (first, last Stage) {
	if r == NoApplication {
		return StageInquiry, StageSelected
	}
	return map[Reach]Stage{ReachedOffers: StageOffers, ReachedSelected: StageSelected,
		ReachedApplication: StageApplication, ReachedFunded: StageFunded}[r], StageFunded
}

// MonthOf returns the month of a day, "2026-09".
func MonthOf(d heloc.Date) string { return string(d[:min(len(d), len("2026-09"))]) }

// summaryHour is the hour, in the company's time zone, from which the summary of the last month is sent on the first
// working day of a month.
const summaryHour = 8

// summaryTime returns when the summary is sent in the month of now: on the first day that is neither on a weekend nor
// a federal holiday. Only New Year’s Day, also when it is observed on a Monday, and Labor Day can be among the first
// days.
func summaryTime(now time.Time) time.Time {
	day := time.Date(now.Year(), now.Month(), 1, summaryHour, 0, 0, 0, now.Location())
	for {
		holiday := now.Month() == time.January && (day.Day() == 1 || day.Day() == 2 && day.Weekday() == time.Monday) ||
			now.Month() == time.September && day.Weekday() == time.Monday
		if !holiday && day.Weekday() != time.Saturday && day.Weekday() != time.Sunday {
			return day
		}
		day = day.AddDate(0, 0, 1)
	}
}

// LastSummary returns the latest month whose summary was due by now.
func LastSummary(now time.Time) string {
	month := time.Date(now.Year(), now.Month(), 1, 0, 0, 0, 0, now.Location()).AddDate(0, -1, 0)
	if now.Before(summaryTime(now)) {
		month = month.AddDate(0, -1, 0)
	}
	return month.Format(MonthLayout)
}

// MonthLayout is how a month is written: "2026-09".
const MonthLayout = "2006-01"
