package lendersync

import (
	"reflect"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/store"
)

// reading is what was read of a lead at one instant. A part that was not asked for
// is nil, which is not the same as empty.
type reading struct {
	at         time.Time
	details    heloc.Details
	closing    bool // conditions and funding were asked for
	documents  []heloc.Document
	properties *heloc.MatchedProperties
	stepHeld   bool                 // the lender named no step: the one in details is kept from before
	mismatch   store.MismatchReason // why the originator named in it cannot be found; empty when they can
}

// mergeResult is what a reading changed: the events to write down, and whether a person can
// see the difference.
type mergeResult struct {
	events  []store.Event
	changed bool
	moved   bool // the step changed, or the lender asked for the same step again

	// early is the operation under way that the lender had answered before its response
	// came: the step it led to was read then, and is no answer of this reading.
	early *store.Operation
}

// merge writes a reading into a lead's row. Pure: the standing is the save's.
// op is the operation under way, or nil.
func merge(l *store.Lead, r reading, op *store.Operation) mergeResult {
	var m mergeResult
	d, at := r.details, store.Millis(r.at)
	before := *l
	event := func(kind store.EventKind) *store.Event {
		m.events = append(m.events, store.Event{App: l.App, Originator: l.Originator, At: at, Kind: kind, From: before.Step, To: d.App.NextInquiryStep})
		return &m.events[len(m.events)-1]
	}

	mergeFacts(l, d)
	if op != nil && op.StepChangedAt != 0 {
		l.PendingOp, l.PendingUntil = "", 0
		m.early, op = op, nil
	}
	mergeStep(l, r, op, func(kind store.EventKind) *store.Event { m.moved = true; return event(kind) })

	if before.Status != "" && (l.Status != before.Status || l.OverallStatus != before.OverallStatus) && !m.moved {
		event(store.EventStatus)
	}
	if l.Converted && !before.Converted {
		event(store.EventConverted)
	}
	if r.closing {
		mergeClosing(l, d)
		if l.Funded && !before.Funded {
			event(store.EventFunded)
		}
		if l.OpenConditions != before.OpenConditions {
			event(store.EventCondition)
		}
	}
	if r.documents != nil {
		l.Documents = len(r.documents)
		if l.Documents > before.Documents {
			event(store.EventDocuments)
		}
	}
	m.changed = len(m.events) > 0 || !reflect.DeepEqual(*l, before)
	return m
}

func mergeFacts(l *store.Lead, d heloc.Details) {
	a := d.App
	setIfPresent(&l.ShortID, d.AppShortID)
	setIfPresent(&l.City, a.PropertyAddress.City)
	setIfPresent(&l.State, a.PropertyAddress.State)
	setIfPresent(&l.PropertyType, a.Property.PropertyType)
	l.Status, l.OverallStatus, l.HistoryLength = a.Status, a.OverallStatus, len(a.StatusHistory)
	if a.IsInquiry != nil { // null takes no conversion back
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
	l.CreatedDate, l.ExpirationDate, l.DisclosureDate, l.ESignedDate = k.Created, k.Expiration, k.SummaryDisclosure, k.AgreementESigned
	l.SigningDate, l.RescissionDate, l.CanceledDate, l.DeclinedDate = k.Signing, k.RescissionEnd, k.Canceled, k.Declined
	l.NotaryDate = a.Notary.Appointment
	l.PricingDate, l.CreditDate = a.Underwriting.PricingAsOf, a.Underwriting.CreditAsOf
}

// inProgress reports whether a step says only that the lender works on it.
func inProgress(s heloc.Step) bool { return s == "" || s == heloc.StepUnknown }

// mergeStep moves the lead to the lender's step, or notes that the lender asks again. A
// late answer is an answer too: the operation stays named after its time has passed.
func mergeStep(l *store.Lead, r reading, op *store.Operation, event func(store.EventKind) *store.Event) {
	step, at := r.details.App.NextInquiryStep, store.Millis(r.at)
	switch {
	case step == l.Step && op != nil && !r.stepHeld && askedAgain(l, r, *op):
		kind := store.EventAskedAgain
		if op.Kind == heloc.OpSelectOffer && step == heloc.StepBorrowerAuth || !sentAt(*op, step) {
			kind = store.EventStep // another offer was chosen, or another step answered: it leads to where the lead stands
		} else {
			l.Attempt++
		}
		l.StepSince = at
		finishPending(l, op, step, event(kind))
	case step == l.Step:
	case inProgress(step):
		// The lender works, which answers nothing: the operation stays under way.
		before := l.Step
		l.Step = step
		if inProgress(before) {
			return
		}
		l.StepSince, l.Attempt, l.SetAsideAt, l.RepullAt = at, 1, 0, 0
		event(store.EventStep)
	default:
		l.Step, l.StepSince, l.Attempt, l.SetAsideAt, l.RepullAt = step, at, 1, 0, 0
		finishPending(l, op, step, event(store.EventStep))
	}
}

// finishPending ends the operation under way, if there is one. Only what was accepted in our
// sight says how long the lender takes: of a lost answer nobody knows when it was sent.
func finishPending(l *store.Lead, op *store.Operation, step heloc.Step, e *store.Event) {
	l.PendingOp, l.PendingUntil = "", 0
	if op == nil {
		return
	}
	e.Operation, e.OpID = op.Kind, op.ID
	op.StepChangedAt, op.StepAfter = e.At, step
	if op.State == store.OpSucceeded && op.AnsweredAt != 0 {
		e.TookMillis = max(1, e.At-op.AnsweredAt)
	}
}

// askedAgain reports whether the lender has spoken since the operation was sent and
// still asks for the same step: by a later webhook, which may come before the response, or
// by a longer history. The history says so only where the operation was sent at this step:
// else it has grown with the step. The new inquiry's own UNKNOWN is never an answer.
func askedAgain(l *store.Lead, r reading, op store.Operation) bool {
	if inProgress(l.Step) {
		return false
	}
	return l.WebhookAt > max(op.SentAt, op.SettledAt) || sentAt(op, l.Step) && len(r.details.App.StatusHistory) > op.HistoryBefore
}

// sentAt reports whether an operation answered a step. A start answered none.
func sentAt(op store.Operation, step heloc.Step) bool {
	return op.StepBefore == "" || op.StepBefore == step
}

// mergeClosing reads conditions and funding. No report takes no funding back; a report of
// money that was returned does.
func mergeClosing(l *store.Lead, d heloc.Details) {
	if d.App.Funding != nil {
		l.Funded, l.FundedDate = heloc.IsFunded(d.App.Funding), ""
	}
	if l.Funded && d.App.Funding != nil {
		for _, t := range d.App.Funding.Transactions {
			for _, day := range []heloc.Date{t.EffectiveDate, t.SentAt} {
				if day > l.FundedDate {
					l.FundedDate = day
				}
			}
		}
	}
	l.OpenConditions = 0
	for _, c := range d.App.Conditions {
		if c.Active == nil || *c.Active {
			l.OpenConditions++
		}
	}
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
