package lendersync

import (
	"reflect"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// reading is what was read about a lead at one instant. A part that was not requested is nil, which is not the same
// as empty.
type reading struct {
	at         time.Time // before the lender was asked
	savedAt    time.Time // when it is stored: nobody can have seen earlier what it changes
	details    heloc.Details
	known      heloc.Details // those of the reading before; zero if they cannot be read
	closing    bool          // conditions and funding were requested
	documents  []heloc.Document
	documented int // how many documents were known before
	properties *heloc.MatchedProperties
	// otherSelected: the pending operation selects an offer, and the lender still shows another one.
	otherSelected bool
	stepHeld      bool                // the lender named no step: the one in details is kept from before
	mismatch      lead.MismatchReason // why the originator named in it cannot be found; empty when they can
}

// mergeResult is what a reading changed: the events to record, and whether the row has a difference that a user can
// see. The parts are compared where they are stored.
type mergeResult struct {
	events  []lead.Event
	changed bool
	moved   bool // the step changed, or the lender asked for the same step again

	// early is the pending operation if the lender answered it before its response arrived: the step it led to was
	// read then, so it is not an answer in this reading.
	early *lead.Operation
}

// merge applies a reading to a lead's row. It is pure and does not set the status, which SaveLead does. op is the
// pending operation, or nil.
func merge(l *lead.Row, r reading, op *lead.Operation) mergeResult {
	var m mergeResult
	d, at := r.details, store.Millis(r.at)
	before := *l
	event := func(kind lead.EventKind) *lead.Event {
		m.events = append(m.events, lead.Event{App: l.App, Originator: l.Originator, At: at, Kind: kind,
			StepBefore: before.Step, StepAfter: d.App.NextInquiryStep})
		return &m.events[len(m.events)-1]
	}

	mergeFacts(l, d)
	if op != nil && op.StepChangedAt != 0 {
		l.PendingOp, l.PendingUntil = "", 0
		m.early, op = op, nil
	}
	mergeStep(l, r, op, func(kind lead.EventKind) *lead.Event { m.moved = true; return event(kind) })
	for i := range m.events {
		if e := &m.events[i]; e.Kind == lead.EventStep && e.StepBefore != e.StepAfter {
			e.Company, e.StayedMillis = l.Company, at-before.StepSince
		}
	}

	if was := r.known.App; was.Status != "" && (d.App.Status != was.Status || d.App.OverallStatus != was.OverallStatus) &&
		!m.moved {
		event(lead.EventStatus)
	}
	if l.Converted && !before.Converted {
		event(lead.EventConverted)
	}
	if r.closing {
		mergeClosing(l, d)
		if l.Funded && !before.Funded {
			event(lead.EventFunded)
		}
		if l.OpenConditions != before.OpenConditions {
			event(lead.EventCondition)
		}
	}
	if len(r.documents) > r.documented {
		event(lead.EventDocuments)
	}
	m.changed = len(m.events) > 0 || !reflect.DeepEqual(*l, before)
	return m
}

func mergeFacts(l *lead.Row, d heloc.Details) {
	a := d.App
	setIfPresent(&l.ShortID, d.AppShortID)
	setIfPresent(&l.City, a.PropertyAddress.City)
	setIfPresent(&l.State, a.PropertyAddress.State)
	l.HistoryLength = len(a.StatusHistory)
	if a.IsInquiry != nil { // null does not reverse a conversion
		l.Converted = !*a.IsInquiry
	}
	l.MaxAmount = orZero(a.Underwriting.MaxOfferAmount)
	for _, o := range a.Underwriting.Offers {
		l.MaxAmount = max(l.MaxAmount, orZero(o.MaxAmount))
	}
	l.SelectedAmount = 0
	if s := a.Underwriting.SelectedOffer; s != nil {
		l.SelectedAmount = orZero(s.DrawAmount)
		if l.SelectedAmount == 0 {
			l.SelectedAmount = orZero(s.LoanAmount)
		}
	}
	k := a.KeyDates
	if !l.Source.StartedHere() {
		setIfPresent(&l.StartedOn, k.Created)
	}
	l.ExpirationDate, l.DisclosureDate, l.ESignedDate = k.Expiration, k.SummaryDisclosure, k.AgreementESigned
	l.SigningDate, l.RescissionDate, l.CanceledDate, l.DeclinedDate = k.Signing, k.RescissionEnd, k.Canceled, k.Declined
	l.NotaryDate = a.Notary.Appointment
	if m := a.Notary.ManualNotary; l.NotaryDate == "" && m != nil {
		l.NotaryDate = m.Date
	}
	l.PricingDate, l.CreditDate = a.Underwriting.PricingAsOf, a.Underwriting.CreditAsOf
}

// mergeStep moves the lead to the lender's step, or records that the lender asks again. A late answer also counts:
// the lead still refers to the operation after its time has passed.
func mergeStep(l *lead.Row, r reading, op *lead.Operation, event func(lead.EventKind) *lead.Event) {
	step, at := r.details.App.NextInquiryStep, store.Millis(r.at)
	switch {
	case step == l.Step && op != nil && !r.stepHeld && askedAgain(l, r, *op):
		kind := lead.EventAskedAgain
		if op.Kind == heloc.OpSelectOffer && step == heloc.StepBorrowerAuth || !sentAt(*op, step) {
			kind = lead.EventStep // another offer was selected, or another step answered: the event is about the current step
		} else {
			l.Attempt++
		}
		l.StepSince = at
		finishPending(l, op, step, event(kind))
	case step == l.Step:
	case step.InProgress():
		// The lender is still processing, which is not an answer: the operation stays pending.
		before := l.Step
		l.Step = step
		if before.InProgress() {
			return
		}
		l.StepSince, l.Attempt, l.SetAsideAt, l.RepullAt = at, 1, 0, 0
		event(lead.EventStep)
	default:
		l.Step, l.StepSince, l.Attempt, l.SetAsideAt, l.RepullAt = step, at, 1, 0, 0
		e := event(lead.EventStep)
		switch isCancel := op != nil && op.Kind == heloc.OpCancel; {
		case !isCancel || step == heloc.StepClosed || r.details.App.KeyDates.Canceled != "":
			finishPending(l, op, step, e)
		case step.Ended():
			l.PendingOp, l.PendingUntil = "", 0 // ended by something else: this step says nothing about the cancellation
		}
	}
}

// finishPending ends the pending operation, if there is one. Only operations whose response we received count toward
// the usual wait: for a lost response, nobody knows when the lender accepted it.
func finishPending(l *lead.Row, op *lead.Operation, step heloc.Step, e *lead.Event) {
	l.PendingOp, l.PendingUntil = "", 0
	if op == nil {
		return
	}
	e.Operation, e.OpID = op.Kind, op.ID
	op.StepChangedAt, op.StepAfter = e.At, step
	if op.State == lead.OpSucceeded && op.AnsweredAt != 0 {
		e.TookMillis = max(1, e.At-op.AnsweredAt)
	}
}

// askedAgain reports whether the lender has answered since the operation was sent and still asks for the same step:
// with a later webhook, which may arrive before the response, or with a longer history. The history counts only if
// the operation was sent at this step; otherwise it has grown with the step. A reading that began before the operation
// was sent, one that still shows another selected offer, and a new inquiry's first UNKNOWN are never an answer: a late
// webhook or a longer history then belongs to the operation before.
func askedAgain(l *lead.Row, r reading, op lead.Operation) bool {
	if l.Step.InProgress() || r.otherSelected || store.Millis(r.at) < op.SentAt {
		return false
	}
	return l.WebhookAt > max(op.SentAt, op.SettledAt) ||
		sentAt(op, l.Step) && len(r.details.App.StatusHistory) > op.HistoryBefore
}

// sentAt reports whether an operation was sent at a step. A start was sent at none.
func sentAt(op lead.Operation, step heloc.Step) bool {
	return op.StepBefore == "" || op.StepBefore == step
}

// mergeClosing merges conditions and funding. A missing report does not reverse a funding; a report that the money
// was returned does.
func mergeClosing(l *lead.Row, d heloc.Details) {
	if d.App.Funding != nil {
		l.Funded, l.FundedDate = heloc.IsFunded(d.App.Funding), ""
	}
	if l.Funded && d.App.Funding != nil {
		for _, t := range d.App.Funding.Transactions {
			if t.Status == heloc.FundingCanceled {
				continue
			}
			for _, day := range []heloc.Date{t.EffectiveDate, t.SentAt} {
				if day > l.FundedDate {
					l.FundedDate = day
				}
			}
		}
	}
	l.OpenConditions = len(heloc.OpenConditions(d.App.Conditions))
}

func setIfPresent[T ~string](into *T, seen T) {
	if seen != "" {
		*into = seen
	}
}

func orZero(m *heloc.Money) heloc.Money {
	if m == nil {
		return 0
	}
	return *m
}
