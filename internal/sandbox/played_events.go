package sandbox

import (
	"net/http"
	"time"

	"hearthline/internal/heloc"
)

// event is something that the borrower or the lender does, triggered through /_sandbox/.
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
	eventCoDeed    event = "co-deed-signed"
)

func events() []event {
	return []event{
		eventSignsIn, eventSigned, eventConvert, eventComplete, eventCondition, eventCoDeed, eventFund, eventThaw,
		eventExpire, eventDecline,
	}
}

// Play applies an event to an inquiry and sends its webhook. The error is a rejection when
// the inquiry has ended or its step does not allow the event.
func (s *Sandbox) Play(app heloc.AppID, name string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	q, ok := s.records[string(app)]
	if !ok {
		return unknownApplication()
	}
	now := s.clock.lenderTime()
	if err := q.applyEvent(event(name), now); err != nil {
		return err
	}
	q.addHistory(now)
	if err := s.save(q); err != nil {
		return err
	}
	s.sendEventWebhook(q, event(name))
	return nil
}

// PossibleEvents returns the events that would change an inquiry now, in the order in which they usually
// happen. Play accepts more: it also simulates events that arrive early or twice. An unknown inquiry has none.
func (s *Sandbox) PossibleEvents(app heloc.AppID) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	q, ok := s.records[string(app)]
	if !ok {
		return nil
	}
	var possible []string
	for _, e := range events() {
		if q.hasEffect(e) {
			possible = append(possible, string(e))
		}
	}
	return possible
}

// hasEffect reports whether an event would change the inquiry. While an answer is processed, the borrower and the
// lender can only end the inquiry: the step that the answer leads to is not reached yet.
func (q *inquiryRecord) hasEffect(e event) bool {
	if q.ended() || !q.Dates.Funded.IsZero() {
		return false
	}
	idle := q.Processing == nil
	switch e {
	case eventSignsIn:
		return idle && q.Step == heloc.StepBorrowerAuth
	case eventSigned:
		return idle && q.Step == heloc.StepBrokerDocSigning
	case eventThaw:
		return idle && q.Step == heloc.StepUnfreezeCredit && !q.FreezeLifted
	case eventConvert:
		return idle && q.Step == heloc.StepComplete && !q.Converted
	case eventCondition, eventFund:
		return q.Converted
	case eventCoDeed:
		return q.coDeed() == coDeedInProgress
	case eventExpire:
		return !q.Converted
	case eventDecline:
		return true
	default:
		return false
	}
}

// sendEventWebhook sends the webhook for an event: a step for an inquiry, a status for an
// application, and both if the event is both.
func (s *Sandbox) sendEventWebhook(q *inquiryRecord, e event) {
	if e == eventComplete || !q.Converted {
		s.webhooks.sendInquiry(q)
	}
	if q.Converted {
		s.webhooks.sendApplication(q)
	}
}

func (q *inquiryRecord) applyEvent(e event, now time.Time) error {
	if q.ended() {
		return reject(http.StatusConflict, "The inquiry is no longer open.")
	}
	switch e {
	case eventSignsIn:
		if q.Step != heloc.StepBorrowerAuth {
			return reject(http.StatusConflict, "The borrower is not asked to sign in at the step %s.", q.Step)
		}
		q.Step = heloc.StepBrokerDocSigning
	case eventSigned:
		// Signing implies that the borrower signed in, whether or not that event was played.
		if q.Step != heloc.StepBrokerDocSigning && q.Step != heloc.StepBorrowerAuth {
			return reject(http.StatusConflict, "There are no documents to sign at the step %s.", q.Step)
		}
		q.documentsSigned(now)
	case eventConvert:
		q.convert(now)
	case eventComplete:
		q.documentsSigned(now)
		q.convert(now)
	case eventExpire:
		q.Processing, q.Step = nil, heloc.StepWithdrawn
		if q.Dates.Expiration.After(now) {
			q.Dates.Expiration = day(now) // it expires today, so the expiration date is today
		}
	case eventDecline:
		q.Processing, q.Step, q.Dates.Declined = nil, heloc.StepWithdrawn, now
		q.Reasons = []string{"LENDER_DECISION"}
	case eventThaw:
		q.FreezeLifted = true
	case eventFund:
		q.convert(now)
		q.fund(now)
	case eventCondition:
		q.addCondition(now)
	case eventCoDeed:
		if q.coDeed() != coDeedInProgress {
			return reject(http.StatusConflict, "There is no co-deed to sign.")
		}
		q.Dates.CoDeedSigned = now
	default:
		return reject(http.StatusBadRequest, "The event is not known.")
	}
	return nil
}

func (q *inquiryRecord) documentsSigned(now time.Time) {
	q.Processing, q.Step = nil, heloc.StepComplete
	if q.Dates.DocsSigned.IsZero() {
		q.Dates.DocsSigned = now
	}
}

// convert turns the inquiry into an application: disclosures, the agreement, and the
// appointment. For a primary residence an electronic notary completes the signing the same
// day, and it can be rescinded for three business days; other homes have a notary
// appointment in two business days and no right of rescission.
func (q *inquiryRecord) convert(now time.Time) {
	if q.Converted {
		return
	}
	q.Processing, q.Converted = nil, true
	q.Dates.Disclosed, q.Dates.ESigned = now, now
	q.Dates.Appointment = businessDays(now, 2).Add(10 * time.Hour)
	if q.isPrimaryResidence() {
		q.Dates.Appointment, q.Dates.Notarized = now, now
		q.Dates.Signing, q.Dates.Rescission = now, businessDays(now, 3)
		return
	}
	q.Dates.Signing = q.Dates.Appointment
}

// The notaries of an application.
const (
	notaryElectronic = "ELECTRONIC"
	notaryManual     = "MANUAL"
)

func (v detailsView) notaryType() string {
	if v.isPrimaryResidence() {
		return notaryElectronic
	}
	return notaryManual
}

// addCondition adds the next of the usual conditions; after the last, they repeat.
func (q *inquiryRecord) addCondition(now time.Time) {
	names := []string{
		"HOMEOWNERS_INSURANCE", "PAYOFF_STATEMENT", "PROOF_OF_INCOME", "TRUST_DOCUMENTS", "FLOOD_CERTIFICATE",
		"PHOTO_IDENTIFICATION",
	}
	q.OpenConditions = append(q.OpenConditions, condition{Name: names[len(q.OpenConditions)%len(names)], Active: true,
		Created: now, Updated: now})
}

// fund sends the money: one transfer to each creditor, the rest to the borrower. A loan is funded only
// when it is signed, so a later appointment is moved up to today. The demo may fund before rescission has
// ended, which does not change when it ends.
func (q *inquiryRecord) fund(now time.Time) {
	if !q.Dates.Funded.IsZero() {
		return
	}
	for _, t := range []*time.Time{&q.Dates.Appointment, &q.Dates.Signing} {
		if t.After(now) {
			*t = now
		}
	}
	q.Dates.Notarized = q.Dates.Appointment
	q.Dates.Funded, q.Dates.Completed = now, now
	for i := range q.OpenConditions {
		if q.OpenConditions[i].Active {
			q.OpenConditions[i].Active, q.OpenConditions[i].Updated = false, now
		}
	}
	months, draw := 360, minimumLine(q.Inquiry.Property.Address.State)
	if sel := q.Selection; sel != nil {
		months, draw = int(*sel.Offer.Term), sel.Amount
		paid, _ := q.eligibleDebts(sel.Accounts)
		for _, d := range paid {
			q.transfer(transfer{Amount: d.Balance, Rail: "ACH", Status: heloc.FundingSent, At: now, Category: "CREDITOR_PAYOFF"})
		}
		draw -= sel.Payoff
	}
	if draw > 0 {
		q.transfer(transfer{Amount: draw, Rail: "WIRE", Status: heloc.FundingComplete, At: now,
			Category: "BORROWER_DISBURSEMENT"})
	}
	first := time.Date(now.Year(), now.Month()+2, 1, 0, 0, 0, 0, now.Location())
	q.Dates.FirstDue, q.Dates.Payoff = first, first.AddDate(0, months-1, 0)
}

func (q *inquiryRecord) transfer(t transfer) {
	number := string(rune('a' + len(q.Transfers)))
	t.ID = "FT-" + derivedID(q.ID, "transfer", number)[:8]
	t.Message = derivedID(q.ID, "message", number)
	q.Transfers = append(q.Transfers, t)
}
