package sandbox

import (
	"time"

	"hearthline/internal/heloc"
)

// processing is an operation that the lender is processing. Due is real time: setting the
// calendar does not change how long processing takes. It survives a restart.
type processing struct {
	Op        heloc.Operation
	Serial    int // a later operation (a cancellation) invalidates an earlier one
	Due       time.Time
	Selection *selection
}

// slowProcessing is how long the start of an inquiry with the trigger Slow takes.
const slowProcessing = 30 * time.Second

// startProcessing starts processing an operation and stores the record. The caller must hold
// mu. If the processing time is zero, it finishes before startProcessing returns.
func (s *Sandbox) startProcessing(q *inquiryRecord, w processing) error {
	if q.Processing != nil {
		w.Serial = q.Processing.Serial + 1
	}
	duration := s.processing
	if w.Op == heloc.OpStart && hasTrigger(q.Inquiry.Applicant.Name.Last, triggerSlow) {
		duration = max(duration, slowProcessing)
	}
	w.Due = time.Now().Add(duration)
	q.Processing = &w
	if duration <= 0 {
		return s.finish(q)
	}
	if err := s.save(q); err != nil {
		return err
	}
	s.scheduleFinish(q.ID, w)
	return nil
}

// scheduleFinish finishes processing when it is due, unless the sandbox closes first.
func (s *Sandbox) scheduleFinish(id string, w processing) {
	timer := time.NewTimer(time.Until(w.Due))
	s.wg.Go(func() {
		defer timer.Stop()
		select {
		case <-s.done:
		case <-timer.C:
			s.finishIfCurrent(id, w.Serial)
		}
	})
}

func (s *Sandbox) finishIfCurrent(id string, serial int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	q := s.records[id]
	if q.Processing == nil || q.Processing.Serial != serial {
		return
	}
	if err := s.finish(q); err != nil {
		s.log.Error("processing was not stored", "appUuid", id, "err", err)
	}
}

// finish ends the processing of a record and notifies the partner. The caller must hold mu.
func (s *Sandbox) finish(q *inquiryRecord) error {
	w := q.Processing
	q.Processing = nil
	now := s.clock.lenderTime()
	switch w.Op {
	case heloc.OpCancel:
		q.Step, q.Dates.Canceled = heloc.StepClosed, now
	case heloc.OpSelectOffer:
		q.Step, q.Selection = heloc.StepBorrowerAuth, w.Selection
		q.Selection.At = now
		q.PayoffAccounts = w.Selection.Accounts
	default:
		q.Step = q.advance()
		if q.Step == heloc.StepOffersAvailable && q.Pricing == nil {
			q.Pricing = q.newPricing(now)
		}
	}
	q.addHistory(now)
	if err := s.save(q); err != nil {
		return err
	}
	s.webhooks.sendInquiry(q)
	return nil
}

// addHistory adds the current status to the history, even when it is unchanged: the history
// must show that the lender has responded.
func (q *inquiryRecord) addHistory(at time.Time) {
	overall, status := q.status()
	q.History = append(q.History, historyEntry{At: at, Overall: overall, Status: status})
}

// status returns the opaque status values for the record's state.
func (q *inquiryRecord) status() (overall, status string) {
	switch {
	case !q.Dates.Declined.IsZero():
		return "CLOSED", "DECLINED"
	case q.Step == heloc.StepClosed:
		return "CLOSED", "CANCELED"
	case q.Step == heloc.StepWithdrawn:
		return "CLOSED", "EXPIRED"
	case !q.Dates.Funded.IsZero():
		return "FUNDED", "FUNDED"
	case q.Converted && !q.Dates.Notarized.IsZero():
		return "APPLICATION", "SIGNED"
	case q.Converted:
		return "APPLICATION", "PENDING_SIGNING"
	}
	switch q.Step {
	case heloc.StepUnknown:
		return "INQUIRY", "IN_PROCESS"
	case heloc.StepOffersAvailable:
		return "INQUIRY", "OFFERS_AVAILABLE"
	case heloc.StepNoOffers:
		return "INQUIRY", "NO_OFFERS"
	case heloc.StepBorrowerAuth:
		return "INQUIRY", "PENDING_BORROWER"
	case heloc.StepBrokerDocSigning:
		return "INQUIRY", "PENDING_DOCUMENTS"
	case heloc.StepComplete:
		return "INQUIRY", "COMPLETE"
	default:
		return "INQUIRY", "ACTION_REQUIRED"
	}
}

// resume schedules the processing that was pending when the state was last closed.
func (s *Sandbox) resume() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, id := range s.order {
		if w := s.records[id].Processing; w != nil {
			s.scheduleFinish(id, *w)
		}
	}
}
