package sandbox

import (
	"time"

	"hearthline/internal/heloc"
)

// work is processing under way. Due is real time: a calendar that is set back or
// forward neither hurries nor delays the lender. It survives a restart.
type work struct {
	Op        heloc.Operation
	Serial    int // a later operation (a cancellation) makes an earlier one void
	Due       time.Time
	Selection *selection
}

// slowProcessing is how long an inquiry with the trigger Slow takes at its start.
const slowProcessing = 30 * time.Second

// begin puts the record to work on an operation and writes it down. The lock is
// held. Without processing time the operation is settled before begin returns.
func (s *Sandbox) begin(q *record, w work) error {
	if q.Work != nil {
		w.Serial = q.Work.Serial + 1
	}
	takes := s.processing
	if w.Op == heloc.OpStart && hasTrigger(q.Asked.Applicant.Name.Last, triggerSlow) {
		takes = max(takes, slowProcessing)
	}
	w.Due = time.Now().Add(takes)
	q.Work = &w
	if takes <= 0 {
		return s.finish(q)
	}
	if err := s.keep(q); err != nil {
		return err
	}
	s.await(q.ID, w)
	return nil
}

// await ends the work when it is due, unless the sandbox closes before.
func (s *Sandbox) await(id string, w work) {
	timer := time.NewTimer(time.Until(w.Due))
	s.wg.Go(func() {
		defer timer.Stop()
		select {
		case <-s.done:
		case <-timer.C:
			s.due(id, w.Serial)
		}
	})
}

func (s *Sandbox) due(id string, serial int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	q := s.records[id]
	if q.Work == nil || q.Work.Serial != serial {
		return
	}
	if err := s.finish(q); err != nil {
		s.log.Error("processing was not written down", "appUuid", id, "err", err)
	}
}

// finish ends the work of a record and tells the partner. The lock is held.
func (s *Sandbox) finish(q *record) error {
	w := q.Work
	q.Work = nil
	now := s.clock.now()
	switch w.Op {
	case heloc.OpCancel:
		q.Step, q.Life.Canceled = heloc.StepClosed, now
	case heloc.OpSelectOffer:
		q.Step, q.Selection = heloc.StepBorrowerAuth, w.Selection
		q.Selection.At = now
		q.Marked = w.Selection.Accounts
	default:
		q.Step = q.settle()
		if q.Step == heloc.StepOffersAvailable && q.Pricing == nil {
			q.Pricing = q.price(now)
		}
	}
	q.note(now)
	if err := s.keep(q); err != nil {
		return err
	}
	s.hooks.inquiry(q)
	return nil
}

// note writes the present status into the history, also when it is the same as
// before: that the lender has answered is worth a line.
func (q *record) note(at time.Time) {
	overall, status := q.status()
	q.History = append(q.History, entry{At: at, Overall: overall, Status: status})
}

// status is the pair of opaque words that goes with where the record stands.
func (q *record) status() (overall, status string) {
	switch {
	case !q.Life.Declined.IsZero():
		return "CLOSED", "DECLINED"
	case q.Step == heloc.StepClosed:
		return "CLOSED", "CANCELED"
	case q.Step == heloc.StepWithdrawn:
		return "CLOSED", "EXPIRED"
	case !q.Life.Funded.IsZero():
		return "FUNDED", "FUNDED"
	case q.Converted && !q.Life.Notarized.IsZero():
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

// resume goes on with what was under way when the state was last closed.
func (s *Sandbox) resume() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, id := range s.order {
		if w := s.records[id].Work; w != nil {
			s.await(id, *w)
		}
	}
}
