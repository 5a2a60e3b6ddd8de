// Package lead declares the portal's own rows and their states: leads, the operations that were sent for them, their
// events, dates, notes, notices and jobs, and the originators they belong to. Every layer names these types, so they
// have no methods that do I/O: internal/store reads and writes them, internal/journal decides the states of
// operations, and internal/desk decides who may see them. What the lender defines is in internal/heloc.
//
// The rules: today.go (what is in Today, and in which order), tell.go (when a user is told), list.go (whose move,
// overdue, stuck), split.go (who receives leads).
//
// Fields with instants contain milliseconds (Millis, Instant), amounts are in cents, and fields that are described as
// sealed are encrypted by internal/vault.
package lead

import (
	"math"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
)

// Row is one lead, as the pipeline lists it. Instants are in milliseconds, amounts in cents.
type Row struct {
	App             heloc.AppID        `db:"app"`
	ShortID         string             `db:"short_id"`
	Company         string             `db:"company"` // as access.CompanyOf returns it
	Originator      heloc.OriginatorID `db:"originator"`
	Organization    string             `db:"organization"`
	Borrower        []byte             `db:"borrower"` // sealed heloc.Name
	City            string             `db:"city"`
	State           string             `db:"state"`
	RequestedAmount heloc.Money        `db:"requested_amount"`
	Step            heloc.Step         `db:"step"`
	StepSince       int64              `db:"step_since"`
	Attempt         int                `db:"attempt"`
	Converted       bool               `db:"converted"`
	HistoryLength   int                `db:"history_length"`
	MaxAmount       heloc.Money        `db:"max_amount"`
	SelectedAmount  heloc.Money        `db:"selected_amount"`
	Amount          heloc.Money        `db:"amount"`
	ExpirationDate  heloc.Date         `db:"expiration_date"`
	DisclosureDate  heloc.Date         `db:"disclosure_date"`
	ESignedDate     heloc.Date         `db:"e_signed_date"`
	NotaryDate      heloc.Date         `db:"notary_date"`
	SigningDate     heloc.Date         `db:"signing_date"`
	RescissionDate  heloc.Date         `db:"rescission_date"`
	CanceledDate    heloc.Date         `db:"canceled_date"`
	DeclinedDate    heloc.Date         `db:"declined_date"`
	FundedDate      heloc.Date         `db:"funded_date"`
	Funded          bool               `db:"funded"`
	OpenConditions  int                `db:"open_conditions"`
	PendingOp       string             `db:"pending_op"`
	PendingUntil    int64              `db:"pending_until"`
	WebhookAt       int64              `db:"webhook_at"` // the last webhook
	SetAsideAt      int64              `db:"set_aside_at"`
	RepullAt        int64              `db:"repull_at"`
	LastContactAt   int64              `db:"last_contact_at"`
	LastContact     string             `db:"last_contact"`
	StatusKey       heloc.StatusKey    `db:"status_key"`
	Lane            heloc.Lane         `db:"lane"`
	WhoseMove       heloc.Mover        `db:"whose_move"`
	DueSort         int64              `db:"due_sort"` // DueAt, or what sorts after all of them
	StatusChangesAt int64              `db:"status_changes_at"`
	Revision        int64              `db:"revision"`
	CreatedAt       int64              `db:"created_at"`
	ChangedAt       int64              `db:"changed_at"`
	RefreshedAt     int64              `db:"refreshed_at"`
	RefreshAt       int64              `db:"refresh_at"`
	RefreshFailures int                `db:"refresh_failures"` // refreshes in a row that failed
	FollowUpAt      int64              `db:"follow_up_at"`     // the earliest follow-up that is not done
	PricingDate     heloc.Date         `db:"pricing_date"`
	CreditDate      heloc.Date         `db:"credit_date"`
	ConditionAt     int64              `db:"condition_at"` // the last time a condition was added
	WireAt          int64              `db:"wire_at"`      // the last time a transfer failed
	// and how: the status, and the payment rail when it was not a wire
	WireStatus       string             `db:"wire_status"`
	FormerOriginator heloc.OriginatorID `db:"former_originator"` // its last originator, while it has none

	// What reports count.
	// the day on which the inquiry started, in the time zone of the company or, for one that was started elsewhere, as
	// the lender gives it
	StartedOn heloc.Date `db:"started_on"`
	Source    Source     `db:"source"`
	Reached   Stage      `db:"reached"`
	// the steps that it has left, as StepBit; the store sets it with their events
	PassedSteps int64 `db:"passed_steps"`
}

// Apps returns the application ids of some leads.
func Apps(rows []Row) []heloc.AppID {
	apps := make([]heloc.AppID, len(rows))
	for i := range rows {
		apps[i] = rows[i].App
	}
	return apps
}

const (
	never   = math.MaxInt64 // the instant of a status change that time alone does not cause
	lastDue = never / 4     // later than every due time, and before what sorts leads without one
)

// Owner returns who owns the lead, for access checks.
func (r *Row) Owner() access.Owner {
	return access.Owner{OriginatorUUID: string(r.Originator), BrokerID: r.BrokerID(), Organization: r.Organization}
}

// BrokerID returns the broker company of the lead; empty if its originator works for the organization directly.
func (r *Row) BrokerID() string { return access.BrokerOf(r.Company) }

// DueAt returns when the move is due; 0 when it has no due time.
func (r *Row) DueAt() int64 {
	if r.DueSort > lastDue {
		return 0
	}
	return r.DueSort
}

// Facts returns the values that determine the lead's status.
func (r *Row) Facts() heloc.StatusFacts {
	return heloc.StatusFacts{
		Step: r.Step, Converted: r.Converted, StepSince: Instant(r.StepSince),
		AskedAgain: r.Attempt > 1, OperationPendingUntil: Instant(r.PendingUntil),
		SetAside: r.SetAsideAt != 0, RepullAt: Instant(r.RepullAt), LastContact: Instant(r.LastContactAt),
		FollowUpAt: Instant(r.FollowUpAt),
		Dates: heloc.KeyDates{
			Expiration: r.ExpirationDate, RescissionEnd: r.RescissionDate, Signing: r.SigningDate,
			Canceled: r.CanceledDate, Declined: r.DeclinedDate, SummaryDisclosure: r.DisclosureDate,
			AgreementESigned: r.ESignedDate,
		},
		NotaryDate: r.NotaryDate, Funded: r.Funded, OpenCondition: r.OpenConditions > 0,
	}
}

// IsSetAside reports whether a user has closed the lead, in the portal only, at a step where that is possible.
func (r *Row) IsSetAside() bool {
	return r.SetAsideAt != 0 && r.Step.CanSetAside() && !r.StatusKey.Ended()
}

// HasScheduledRepull reports whether a credit re-pull waits for its time and will then be requested without anybody.
func (r *Row) HasScheduledRepull() bool {
	return r.WhoseMove == heloc.MoverNobody && r.RepullAt != 0 && r.DueAt() == r.RepullAt
}

// UpdateStatus recomputes the columns that derive from others. The store calls it with every save, so that the
// status always agrees with the facts.
func (r *Row) UpdateStatus(now time.Time) {
	if r.Originator != "" {
		r.FormerOriginator = ""
	}
	s := heloc.StatusAt(r.Facts(), now)
	r.StatusKey, r.Lane, r.WhoseMove = s.Key, s.Lane, s.Mover
	r.DueSort, r.StatusChangesAt = Millis(s.Due), Millis(s.ChangesAt)
	if r.DueSort == 0 {
		// Leads without a due time sort after all others, newest change first.
		r.DueSort = never/2 - r.ChangedAt
	}
	if r.StatusChangesAt == 0 {
		r.StatusChangesAt = never
	}
	r.Amount = max(r.SelectedAmount, 0)
	if r.Amount == 0 {
		r.Amount = r.MaxAmount
	}
	r.updateCohort()
}

// CanCancel reports whether the inquiry can still be canceled: not after conversion, and not once it has ended
// (section 4.5).
func (r *Row) CanCancel() bool {
	return !r.Converted && r.Step != heloc.StepClosed && r.Step != heloc.StepWithdrawn && r.CanceledDate == "" &&
		r.DeclinedDate == ""
}

// AwaitsLender reports whether it is the lender's move after an operation. Once its time has passed, the lead still
// refers to the operation, and what the lender shows is all that is known.
func (r *Row) AwaitsLender() bool { return r.PendingOp != "" && r.PendingUntil != 0 }

// Claim is what a single reading would remove from a lead. Until a second reading agrees, it is only displayed.
type Claim struct {
	// a step that ends the inquiry, is earlier than the last one, is unknown, or ends what a user has planned
	Step       heloc.Step         `json:"step,omitempty"`
	Originator heloc.OriginatorID `json:"originator,omitempty"` // the originator who would get the lead
	Ended      bool               `json:"ended,omitempty"`      // a date that ends the inquiry
	Reversed   bool               `json:"reversed,omitempty"`   // of a conversion, or of a funding
	Shorter    bool               `json:"shorter,omitempty"`    // a shorter status history than before
	Since      int64              `json:"since,omitempty"`      // when it was first read, in milliseconds
}

// Made reports whether the reading makes any claim.
func (c Claim) Made() bool { return c != Claim{} }

// Same reports whether another reading makes the same claim.
func (c Claim) Same(other Claim) bool {
	c.Since, other.Since = 0, 0
	return c == other
}

// Part names one sealed part of a lead.
type Part string

// The parts of a lead.
const (
	PartDetails    Part = "details"    // heloc.Details without conditions and funding
	PartConditions Part = "conditions" // []heloc.Condition
	PartFunding    Part = "funding"    // *heloc.FundingReport
	PartDocuments  Part = "documents"  // []KnownDocument, as lendersync stores it
	PartProperties Part = "properties" // heloc.MatchedProperties
	PartReading    Part = "reading"    // journal.LastReading
	PartReferences Part = "references" // heloc.Integrations, which are also in the details
	// what the team knows about the debts, as package desk stores it; not from the lender
	PartPayoffPlan Part = "payoff-plan"
)

// KnownDocument is a document and the time since when we know it, in milliseconds.
type KnownDocument struct {
	heloc.Document
	Since int64 `json:"since"`
}

// Millis converts an instant to milliseconds, as rows contain it; the zero time is 0.
func Millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

// Instant converts the milliseconds of a row; 0 is the zero time.
func Instant(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}

// DateKind is the meaning of a lead's date.
type DateKind string

// The kinds. Pricing and credit are dates in the past whose age matters; the others are dates ahead.
const (
	DateExpiration DateKind = "expiration"
	DateNotary     DateKind = "notary"
	DateRescission DateKind = "rescission"
	DatePricing    DateKind = "pricing"
	DateCredit     DateKind = "credit"
)

// Date is one date of an open lead. Dates have their own table so that a list by date does not scan the
// leads.
type Date struct {
	App        heloc.AppID        `db:"app"`
	Kind       DateKind           `db:"kind"`
	Day        heloc.Date         `db:"day"`
	Ahead      bool               `db:"ahead"`
	Originator heloc.OriginatorID `db:"originator"`
	Company    string             `db:"company"`
	ShortID    string             `db:"short_id"`
	Borrower   []byte             `db:"borrower"`

	Name heloc.Name `db:"-"` // Borrower, decrypted for a page
}

// Dates returns the dates that a user must not miss. An ended lead has none, and neither have dates that a
// signing or a conversion has made irrelevant.
func (r *Row) Dates() []Date {
	facts := r.Facts()
	facts.FollowUpAt = time.Time{}
	if heloc.StatusAt(facts, Instant(r.ChangedAt)).Lane == heloc.LaneEnded {
		return nil
	}
	applied := r.Converted || r.Step == heloc.StepComplete
	signed := r.SigningDate != ""
	var all []Date
	for _, d := range []Date{
		{Kind: DateCredit, Day: dateUnless(applied, r.CreditDate)},
		{Kind: DateExpiration, Day: dateUnless(signed || r.Converted, r.ExpirationDate), Ahead: true},
		{Kind: DateNotary, Day: dateUnless(signed && !r.signingIsAhead(), r.NotaryDate), Ahead: true},
		{Kind: DatePricing, Day: dateUnless(applied, r.PricingDate)},
		{Kind: DateRescission, Day: r.RescissionDate, Ahead: true},
	} {
		if d.Day != "" {
			d.App, d.Originator, d.Company = r.App, r.Originator, r.Company
			all = append(all, d)
		}
	}
	return all
}

// signingIsAhead reports whether the lender has scheduled the signing for a day after the last change: a notary
// in person is still needed then.
func (r *Row) signingIsAhead() bool {
	return r.SigningDate.After(heloc.DateOf(Instant(r.ChangedAt).UTC()))
}

func dateUnless(over bool, d heloc.Date) heloc.Date {
	if over {
		return ""
	}
	return d
}
