package sandbox

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"hearthline/internal/heloc"
)

// record is everything the lender keeps of one inquiry, from its start to its end.
// What can be computed (offers, costs, ratios) is not in it.
type record struct {
	ID         string
	ShortID    string
	Created    time.Time
	Originator heloc.OriginatorID
	Asked      heloc.Inquiry      // as submitted, mended by later answers; never the SSN
	SSN        ssnVerdict         // what is known of the SSN
	External   heloc.Integrations // the partner's own ids
	UTM        heloc.UTM

	Step     heloc.Step
	Hurdles  []hurdle // what still stands before the offers, in order
	Work     *work    // processing under way
	Thawed   bool     // the borrower lifted the freeze
	Repulls  int
	Property string // the id of the chosen property, when the address was ambiguous
	Liens    []heloc.Lien
	Income   heloc.Income // the latest stated income
	Marked   []string     // accounts to pay off
	Score    int
	Reasons  []string

	Pricing   *pricing // set when offers first stand
	Quotes    []quote
	Selection *selection

	Converted bool
	Life      life
	History   []entry
	Open      []condition
	Paid      []transfer
}

// ssnVerdict is all that is kept of an SSN.
type ssnVerdict string

const (
	ssnAbsent   ssnVerdict = ""
	ssnMatches  ssnVerdict = "matches"
	ssnMismatch ssnVerdict = "mismatch"
)

// judgeSSN keeps the verdict and drops the number: one that ends in 0000 matches nobody.
func judgeSSN(ssn string) ssnVerdict {
	switch {
	case ssn == "":
		return ssnAbsent
	case strings.HasSuffix(ssn, "0000"):
		return ssnMismatch
	default:
		return ssnMatches
	}
}

// life holds the dates of an application; a zero date is null.
type life struct {
	Expiration  time.Time
	Disclosed   time.Time `json:",omitzero"`
	ESigned     time.Time `json:",omitzero"`
	Appointment time.Time `json:",omitzero"`
	Signing     time.Time `json:",omitzero"`
	Notarized   time.Time `json:",omitzero"`
	Rescission  time.Time `json:",omitzero"`
	Completed   time.Time `json:",omitzero"`
	Canceled    time.Time `json:",omitzero"`
	Declined    time.Time `json:",omitzero"`
	DocsSigned  time.Time `json:",omitzero"`
	FirstDue    time.Time `json:",omitzero"`
	Payoff      time.Time `json:",omitzero"`
	Funded      time.Time `json:",omitzero"`
}

// entry is one line of the status history.
type entry struct {
	At      time.Time
	Overall string
	Status  string
}

// condition is something to clear before closing.
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

// ended reports whether the lead has left the workflow for good.
func (q *record) ended() bool {
	return q.Step == heloc.StepClosed || q.Step == heloc.StepWithdrawn
}

// primary reports whether the borrower lives in the property.
func (q *record) primary() bool {
	t := q.Asked.Property.PropertyType
	return t != heloc.PropertySecondary && t != heloc.PropertyInvestment
}

// adopt takes a record from the state file.
func (s *Sandbox) adopt(q *record) {
	s.records[q.ID] = q
	s.order = append(s.order, q.ID)
	day, number, _ := strings.Cut(strings.TrimPrefix(q.ShortID, "1-"), "-")
	if n, err := strconv.Atoi(number); err == nil {
		s.sequence[day] = max(s.sequence[day], n)
	}
}

// shortID numbers the inquiries of a day: 1-26324-019 is the 19th of day 324 of 2026.
func (s *Sandbox) shortID(t time.Time) string {
	day := fmt.Sprintf("%02d%03d", t.Year()%100, t.YearDay())
	s.sequence[day]++
	return fmt.Sprintf("1-%s-%03d", day, s.sequence[day])
}

// keep writes the record down. The lock is held.
func (s *Sandbox) keep(q *record) error {
	if _, known := s.records[q.ID]; !known {
		s.records[q.ID] = q
		s.order = append(s.order, q.ID)
		s.journal.live++
	}
	if err := s.journal.put(q); err != nil {
		return err
	}
	if s.journal.bloated() {
		return s.journal.rewrite(s.snapshot())
	}
	return nil
}

func (s *Sandbox) snapshot() []*record {
	all := make([]*record, 0, len(s.order))
	for _, id := range s.order {
		all = append(all, s.records[id])
	}
	return all
}
