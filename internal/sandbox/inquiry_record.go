package sandbox

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"hearthline/internal/heloc"
)

// inquiryRecord is everything that the lender stores about one inquiry, from start to end.
// It does not include what can be computed (offers, costs, ratios).
type inquiryRecord struct {
	ID          string
	ShortID     string
	Created     time.Time
	Originator  heloc.OriginatorID
	Inquiry     heloc.Inquiry      `json:"Asked"` // as submitted and corrected by later operations; never the SSN
	SSN         ssnVerdict         // the result of checking the SSN
	ExternalIDs heloc.Integrations `json:"External"` // the partner's own ids
	UTM         heloc.UTM

	Step           heloc.Step
	Blockers       []blocker   `json:"Hurdles"` // the remaining blockers, in order
	Processing     *processing `json:"Work"`    // nil when nothing is being processed
	FreezeLifted   bool        `json:"Thawed"`  // the borrower lifted the freeze
	Repulls        int
	Property       string // the id of the selected property, when the address was ambiguous
	Liens          []heloc.Lien
	Income         heloc.Income // the latest stated income
	PayoffAccounts []string     `json:"Marked"` // accounts to pay off
	Score          int
	Reasons        []string

	Pricing   *pricing // set when offers first become available
	Quotes    []quote
	Selection *selection

	Converted      bool
	Dates          applicationDates `json:"Life"`
	History        []historyEntry
	OpenConditions []condition `json:"Open"`
	Transfers      []transfer  `json:"Paid"`

	terms loanTerms // the sandbox's, not stored
}

// ssnVerdict is the only information stored about an SSN.
type ssnVerdict string

const (
	ssnAbsent   ssnVerdict = ""
	ssnMatches  ssnVerdict = "matches"
	ssnMismatch ssnVerdict = "mismatch"
)

// ssnVerdictOf returns the verdict and drops the number: one that ends in 0000 does not match.
func ssnVerdictOf(ssn string) ssnVerdict {
	switch {
	case ssn == "":
		return ssnAbsent
	case strings.HasSuffix(ssn, "0000"):
		return ssnMismatch
	default:
		return ssnMatches
	}
}

// applicationDates holds the dates of an application in the lender's time zone; a zero date is null.
type applicationDates struct {
	Expiration   time.Time
	Disclosed    time.Time `json:",omitzero"`
	ESigned      time.Time `json:",omitzero"`
	Appointment  time.Time `json:",omitzero"`
	Signing      time.Time `json:",omitzero"`
	Notarized    time.Time `json:",omitzero"`
	CoDeedSigned time.Time `json:",omitzero"`
	Rescission   time.Time `json:",omitzero"`
	Completed    time.Time `json:",omitzero"`
	Canceled     time.Time `json:",omitzero"`
	Declined     time.Time `json:",omitzero"`
	DocsSigned   time.Time `json:",omitzero"`
	FirstDue     time.Time `json:",omitzero"`
	Payoff       time.Time `json:",omitzero"`
	Funded       time.Time `json:",omitzero"`
}

// historyEntry is one entry of the status history.
type historyEntry struct {
	At      time.Time
	Overall string
	Status  string
}

// condition is a requirement to clear before closing.
type condition struct {
	Name    string
	Active  bool
	Created time.Time
	Updated time.Time
}

// transfer is one funding transaction.
type transfer struct {
	ID       string
	Message  string
	Amount   heloc.Money
	Rail     string
	Status   heloc.FundingStatus
	At       time.Time
	Category string
}

// ended reports whether the inquiry is closed or withdrawn.
func (q *inquiryRecord) ended() bool {
	return q.Step == heloc.StepClosed || q.Step == heloc.StepWithdrawn
}

// isPrimaryResidence reports whether the borrower lives in the property.
func (q *inquiryRecord) isPrimaryResidence() bool {
	t := q.Inquiry.Property.PropertyType
	return t != heloc.PropertySecondary && t != heloc.PropertyInvestment
}

// addRecord adds a record from the state file.
func (s *Sandbox) addRecord(q *inquiryRecord) {
	q.terms = s.terms
	s.records[q.ID] = q
	s.order = append(s.order, q.ID)
	day, number, _ := strings.Cut(strings.TrimPrefix(q.ShortID, "1-"), "-")
	if n, err := strconv.Atoi(number); err == nil {
		s.sequence[day] = max(s.sequence[day], n)
	}
}

// shortID numbers the inquiries of a day: 1-26324-019 is number 19 on day 324 of 2026.
func (s *Sandbox) shortID(t time.Time) string {
	day := fmt.Sprintf("%02d%03d", t.Year()%100, t.YearDay())
	s.sequence[day]++
	return fmt.Sprintf("1-%s-%03d", day, s.sequence[day])
}

// save stores the record. The caller must hold mu.
func (s *Sandbox) save(q *inquiryRecord) error {
	if _, known := s.records[q.ID]; !known {
		s.records[q.ID] = q
		s.order = append(s.order, q.ID)
		s.state.liveRecords++
	}
	if err := s.state.appendRecord(q); err != nil {
		return err
	}
	if s.state.needsRewrite() {
		return s.state.rewrite(s.snapshot())
	}
	return nil
}

func (s *Sandbox) snapshot() []*inquiryRecord {
	all := make([]*inquiryRecord, 0, len(s.order))
	for _, id := range s.order {
		all = append(all, s.records[id])
	}
	return all
}
