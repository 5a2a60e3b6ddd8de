package journal

import (
	"context"
	"slices"
	"time"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/store"
)

// How long the lender is given. Before we have records of our own a wait is guessed;
// afterwards neither a very quick lender nor a few strays of days lead astray.
const (
	defaultUsualWait  = 50 * time.Second
	minWait           = 20 * time.Second
	maxWait           = 15 * time.Minute
	firstRefreshDelay = time.Second

	minWaits         = 3 // fewer are no measure for how long we wait ourselves
	minReportedWaits = 8 // and fewer than these are none to tell a person
)

// UsualWait is how long the lender takes over an operation, by our own records.
type UsualWait struct {
	Median time.Duration // the median
	P95    time.Duration // 95 of 100 are done by then
	Known  bool          // there are records enough to say so to anybody
}

// LoadUsualWait reads how long operations of a kind took lately.
func LoadUsualWait(ctx context.Context, s interface {
	Waits(context.Context, heloc.Operation, int) ([]int64, error)
}, kind heloc.Operation,
) (UsualWait, error) {
	ms, err := s.Waits(ctx, kind, 100)
	if err != nil || len(ms) < minWaits {
		return UsualWait{Median: defaultUsualWait, P95: 2 * defaultUsualWait}, err
	}
	slices.Sort(ms)
	at := func(share int) time.Duration {
		return time.Duration(ms[(len(ms)*share+99)/100-1]) * time.Millisecond
	}
	return UsualWait{Median: at(50), P95: at(95), Known: len(ms) >= minReportedWaits}, nil
}

// leadTimeout is how long a lead is the lender's after an operation: twice the usual wait,
// but not before nearly all such operations would be done.
func (w UsualWait) leadTimeout() time.Duration {
	return min(max(2*w.Median, w.P95, minWait), maxWait)
}

// Accept makes an accepted operation the lender's move: until the step changes, the
// lender answers with the same step, or twice the usual wait has passed. An operation that
// the lender has answered already, before its response came, is nobody's move any more: it
// stays named only until the next reading of the lead.
func Accept(ctx context.Context, tx *store.Tx, lead *store.Lead, op *store.Operation, now time.Time) error {
	switch {
	case !op.Kind.MovesStep():
	case movedSince(*lead, *op):
		op.StepChangedAt, op.StepAfter = lead.StepSince, lead.Step
		lead.PendingOp, lead.PendingUntil = op.ID, 0
	default:
		wait, err := LoadUsualWait(ctx, tx, op.Kind)
		if err != nil {
			return err
		}
		op.StepChangedAt, op.StepAfter = 0, "" // what moved while its outcome was unknown was not its answer
		lead.PendingOp = op.ID
		lead.PendingUntil = store.Millis(now.Add(wait.leadTimeout()))
		lead.SetAsideAt = 0
	}
	lead.RefreshAt = min(lead.RefreshAt, store.Millis(now.Add(firstRefreshDelay)))
	lead.RefreshTries = 0
	return nil
}

// movedSince reports whether the lead has come to another step since an operation was sent.
// A quick lender sends its webhook, and answers our reading, before its response to the
// write has arrived. At the very millisecond of sending only a different step tells.
func movedSince(lead store.Lead, op store.Operation) bool {
	if lead.Step == "" || lead.Step == heloc.StepUnknown {
		return false // the lender is working, which answers nothing
	}
	return lead.StepSince > op.SentAt || lead.StepSince == op.SentAt && lead.Step != op.StepBefore
}

// AcceptOnLead is the effect of an operation on a lead that stands already.
func (j *Journal) AcceptOnLead(ctx context.Context, tx *store.Tx, op *store.Operation) error {
	lead, err := tx.AnyLead(ctx, op.App)
	if err != nil {
		return err
	}
	now := j.now()
	if err := Accept(ctx, tx, &lead, op, now); err != nil {
		return err
	}
	return tx.SaveLead(ctx, &lead, now, true)
}

// logEvent writes an operation's verdict into the lead's history and into the audit. The
// lender's words stay with the operation, sealed: they may quote the borrower.
func (j *Journal) logEvent(ctx context.Context, tx *store.Tx, op store.Operation) error {
	by, name := outcomeActor(op)
	object, detail := "lead:"+string(op.App), "operation:"+op.ID
	if op.App == "" {
		object, detail = detail, ""
	}
	if err := tx.Audit(ctx, store.AuditEntry{
		At: store.Millis(j.now()), ActorID: by, Company: op.Company, Action: store.ActionOf(op.Kind),
		Object: object, Outcome: string(op.State), Detail: detail,
	}); err != nil {
		return err
	}
	kind := eventKindOf(op)
	if op.App == "" || kind == "" {
		return nil
	}
	if by == systemActor {
		by = "" // nobody did it
	}
	return tx.AddEvent(ctx, store.Event{
		App: op.App, Originator: op.Originator, At: store.Millis(j.now()), Kind: kind, Operation: op.Kind, OpID: op.ID,
		ActorID: by, ActorName: name,
	})
}

// systemActor is the actor of what no person did.
const systemActor = "system"

// outcomeActor is who brought an operation to its state: who sent it, who gave it up, or, of
// an outcome that was found out, nobody.
func outcomeActor(op store.Operation) (id, name string) {
	switch {
	case op.State == store.OpAbandoned && op.ResolvedBy != op.ActorID:
		return op.ResolvedBy, ""
	case op.State == store.OpConfirmed || op.State == store.OpAbsent:
		return systemActor, ""
	default:
		return op.ActorID, op.ActorName
	}
}

// eventKindOf is the event that a state is told as. A start that succeeded has been told as
// the beginning of its lead.
func eventKindOf(op store.Operation) store.EventKind {
	switch op.State {
	case store.OpSucceeded:
		if op.Kind == heloc.OpStart {
			return ""
		}
		return store.EventSent
	case store.OpRejected:
		return store.EventRejected
	case store.OpUnknown:
		return store.EventUnknown
	case store.OpConfirmed, store.OpAbsent, store.OpAbandoned:
		return store.EventSettled
	default:
		return ""
	}
}

// raiseRevision raises the revision of a lead whose history has a new line although nothing of
// the lead changed. While an outcome is unknown the lender is asked at once.
func (j *Journal) raiseRevision(ctx context.Context, tx *store.Tx, op store.Operation) error {
	if op.App == "" || op.State == store.OpSucceeded || eventKindOf(op) == "" {
		return nil // what succeeded has changed its lead already
	}
	lead, err := tx.AnyLead(ctx, op.App)
	if fault.KindOf(err) == fault.NotFound {
		return nil
	}
	if err != nil {
		return err
	}
	now := j.now()
	if op.State == store.OpUnknown {
		lead.RefreshAt = min(lead.RefreshAt, store.Millis(now))
	}
	return tx.SaveLead(ctx, &lead, now, true)
}
