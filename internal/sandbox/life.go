package sandbox

import (
	"net/http"
	"time"

	"hearthline/internal/heloc"
)

// event is something that the borrower or the lender does, played by the control half.
type event string

// The events.
const (
	eventSignsIn   event = "borrower-signs-in"
	eventSigned    event = "documents-signed"
	eventConvert   event = "convert"
	eventComplete  event = "complete" // the documents are signed and the inquiry is converted
	eventExpire    event = "expire"
	eventDecline   event = "decline"
	eventThaw      event = "thaw"
	eventFund      event = "fund"
	eventCondition event = "condition"
)

func events() []event {
	return []event{
		eventSignsIn, eventSigned, eventConvert, eventComplete, eventCondition, eventFund, eventThaw, eventExpire, eventDecline,
	}
}

// Play makes an event happen to an inquiry and sends its webhook. The error is a
// refusal when the inquiry has ended or does not stand where the event needs it.
func (s *Sandbox) Play(app heloc.AppID, name string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	q, ok := s.records[string(app)]
	if !ok {
		return unknownApplication()
	}
	now := s.clock.now()
	if err := q.play(event(name), now); err != nil {
		return err
	}
	q.note(now)
	if err := s.keep(q); err != nil {
		return err
	}
	s.tell(q, event(name))
	return nil
}

// tell sends the webhook that fits the event: a step for an inquiry, a status for an
// application, both where an event is both.
func (s *Sandbox) tell(q *record, e event) {
	if e == eventComplete || !q.Converted {
		s.hooks.inquiry(q)
	}
	if q.Converted {
		s.hooks.application(q)
	}
}

func (q *record) play(e event, now time.Time) error {
	if q.ended() {
		return refuse(http.StatusConflict, "The inquiry is no longer open.")
	}
	switch e {
	case eventSignsIn:
		if q.Step != heloc.StepBorrowerAuth {
			return refuse(http.StatusConflict, "The borrower is not asked to sign in at the step %s.", q.Step)
		}
		q.Step = heloc.StepBrokerDocSigning
	case eventSigned:
		// Who signs has signed in, whether or not that event was played.
		if q.Step != heloc.StepBrokerDocSigning && q.Step != heloc.StepBorrowerAuth {
			return refuse(http.StatusConflict, "There are no documents to sign at the step %s.", q.Step)
		}
		q.signed(now)
	case eventConvert:
		q.convert(now)
	case eventComplete:
		q.signed(now)
		q.convert(now)
	case eventExpire:
		q.Work, q.Step = nil, heloc.StepWithdrawn
		if q.Life.Expiration.After(now) {
			q.Life.Expiration = day(now) // the day it expired is the day it was open until
		}
	case eventDecline:
		q.Work, q.Step, q.Life.Declined = nil, heloc.StepWithdrawn, now
		q.Reasons = []string{"LENDER_DECISION"}
	case eventThaw:
		q.Thawed = true
	case eventFund:
		q.convert(now)
		q.fund(now)
	case eventCondition:
		q.addCondition(now)
	default:
		return refuse(http.StatusBadRequest, "The event is not known.")
	}
	return nil
}

func (q *record) signed(now time.Time) {
	q.Work, q.Step = nil, heloc.StepComplete
	if q.Life.DocsSigned.IsZero() {
		q.Life.DocsSigned = now
	}
}

// convert turns the inquiry into an application: disclosures, the agreement, and the
// appointment. A home that the borrower lives in is signed before an electronic notary
// the same day and can be rescinded for three business days; other homes have a notary
// in two business days and no right of rescission.
func (q *record) convert(now time.Time) {
	if q.Converted {
		return
	}
	q.Work, q.Converted = nil, true
	q.Life.Disclosed, q.Life.ESigned = now, now
	q.Life.Appointment = businessDays(now, 2)
	if q.primary() {
		q.Life.Appointment, q.Life.Notarized = now, now
		q.Life.Signing, q.Life.Rescission = now, businessDays(now, 3)
		return
	}
	q.Life.Signing = q.Life.Appointment
}

func (v shown) notaryType() string {
	if v.primary() {
		return "ELECTRONIC"
	}
	return "MANUAL"
}

// addCondition opens the next of the usual conditions; after the last, they come again.
func (q *record) addCondition(now time.Time) {
	names := []string{
		"HOMEOWNERS_INSURANCE", "PAYOFF_STATEMENT", "PROOF_OF_INCOME", "TRUST_DOCUMENTS", "FLOOD_CERTIFICATE", "PHOTO_IDENTIFICATION",
	}
	q.Open = append(q.Open, condition{Name: names[len(q.Open)%len(names)], Active: true, Created: now, Updated: now})
}

// fund sends the money: one transfer to each creditor, the rest to the borrower. A
// rehearsal may fund before rescission has ended; the dates then close up to today.
func (q *record) fund(now time.Time) {
	if !q.Life.Funded.IsZero() {
		return
	}
	for _, t := range []*time.Time{&q.Life.Appointment, &q.Life.Signing, &q.Life.Rescission} {
		if t.After(now) {
			*t = now
		}
	}
	q.Life.Notarized = q.Life.Appointment
	q.Life.Funded, q.Life.Completed = now, now
	for i := range q.Open {
		if q.Open[i].Active {
			q.Open[i].Active, q.Open[i].Updated = false, now
		}
	}
	months, draw := 360, minimumLine(q.Asked.Property.Address.State)
	if sel := q.Selection; sel != nil {
		months, draw = int(*sel.Offer.Term), sel.Amount
		paid, _ := q.eligible(sel.Accounts)
		for _, d := range paid {
			q.transfer(transfer{Amount: d.Balance, Rail: "ACH", Status: heloc.FundingSent, At: now, Category: "CREDITOR_PAYOFF"})
		}
		draw -= sel.Payoff
	}
	if draw > 0 {
		q.transfer(transfer{Amount: draw, Rail: "WIRE", Status: heloc.FundingComplete, At: now, Category: "BORROWER_DISBURSEMENT"})
	}
	first := time.Date(now.Year(), now.Month()+2, 1, 0, 0, 0, 0, time.UTC)
	q.Life.FirstDue, q.Life.Payoff = first, first.AddDate(0, months-1, 0)
}

func (q *record) transfer(t transfer) {
	number := string(rune('a' + len(q.Paid)))
	t.ID = "FT-" + derivedID(q.ID, "transfer", number)[:8]
	t.Message = derivedID(q.ID, "message", number)
	q.Paid = append(q.Paid, t)
}
