package journal

import (
	"context"
	"slices"
	"time"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// How long the lead waits for the lender. Until we have enough records, the usual wait is a guess; afterwards the
// limits guard against very fast lenders and against a few very long waits.
const (
	defaultUsualWait  = 50 * time.Second
	minWait           = 20 * time.Second
	firstRefreshDelay = time.Second

	minWaits         = 3 // fewer records are not enough for our own timeouts
	minReportedWaits = 8 // fewer records are not enough to show to a user
)

// MaxWait is the longest time for which a lead waits for the lender after an operation.
const MaxWait = 15 * time.Minute

// LoadUsualWait reads how long recent operations of a kind took.
func LoadUsualWait(ctx context.Context, from store.Queries, kind heloc.Operation) (lead.UsualWait, error) {
	ms, err := from.Waits(ctx, kind, 100)
	if err != nil || len(ms) < minWaits {
		return lead.UsualWait{Median: defaultUsualWait, P95: 2 * defaultUsualWait}, err
	}
	slices.Sort(ms)
	at := func(share int) time.Duration {
		return time.Duration(ms[(len(ms)*share+99)/100-1]) * time.Millisecond
	}
	return lead.UsualWait{Median: at(50), P95: at(95), Known: len(ms) >= minReportedWaits}, nil
}

// leadTimeout is how long it is the lender's move after an operation: twice the usual wait, but long enough for
// nearly all such operations to finish.
func leadTimeout(w lead.UsualWait) time.Duration {
	return min(max(2*w.Median, w.P95, minWait), MaxWait)
}

// Accept makes it the lender's move after an accepted operation: until the step changes, the lender answers with the
// same step, or twice the usual wait has passed. If the lender had already answered the operation before its response
// arrived, it is nobody's move: the lead refers to the operation only until its next reading.
func Accept(ctx context.Context, tx *store.Tx, row *lead.Row, op *lead.Operation, now time.Time) error {
	switch {
	case !op.Kind.MovesStep():
	case movedSince(*row, *op):
		op.StepChangedAt, op.StepAfter = row.StepSince, row.Step
		row.PendingOp, row.PendingUntil = op.ID, 0
	default:
		wait, err := LoadUsualWait(ctx, tx.Queries, op.Kind)
		if err != nil {
			return err
		}
		op.StepChangedAt, op.StepAfter = 0, "" // what changed while its outcome was unknown was not the answer to it
		row.PendingOp = op.ID
		row.PendingUntil = store.Millis(now.Add(leadTimeout(wait)))
		row.SetAsideAt = 0
	}
	row.RefreshAt = min(row.RefreshAt, store.Millis(now.Add(firstRefreshDelay)))
	return nil
}

// movedSince reports whether the lead has come to another step since an operation was sent. A fast lender sends its
// webhook, and answers our reading, before its response to the write arrives. If both happened in the same
// millisecond, only a different step counts.
func movedSince(row lead.Row, op lead.Operation) bool {
	if row.Step == "" || row.Step == heloc.StepUnknown {
		return false // the lender is processing, which is not an answer
	}
	return row.StepSince > op.SentAt || row.StepSince == op.SentAt && row.Step != op.StepBefore
}

// acceptOnLead is the effect of an operation on an existing lead.
func (j *Journal) acceptOnLead(ctx context.Context, tx *store.Tx, op *lead.Operation) error {
	row, err := tx.AnyLead(ctx, op.App)
	if err != nil {
		return err
	}
	now := j.now()
	if err := Accept(ctx, tx, &row, op, now); err != nil {
		return err
	}
	return tx.SaveLead(ctx, &row, now, true)
}

// logEvent adds an operation's verdict to the lead's history and to the audit, and notifies its sender of one that is
// unknown. The lender's messages stay encrypted
// with the operation, because they may quote the borrower.
func (j *Journal) logEvent(ctx context.Context, tx *store.Tx, op lead.Operation) error {
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
	if err := j.notifySender(ctx, tx, op); err != nil {
		return err
	}
	kind := eventKindOf(op)
	if op.App == "" || kind == "" {
		return nil
	}
	if by == systemActor {
		by = "" // no user did it
	}
	return tx.AddEvent(ctx, lead.Event{
		App: op.App, Originator: op.Originator, At: store.Millis(j.now()), Kind: kind, Operation: op.Kind, OpID: op.ID,
		ActorID: by, ActorName: name,
	})
}

// systemActor is the actor of events that no user caused.
const systemActor = "system"

// outcomeActor returns who brought an operation to its state: its sender, the user who abandoned it or, for an
// outcome that was found out later, the system.
func outcomeActor(op lead.Operation) (id, name string) {
	switch {
	case op.State == lead.OpAbandoned && op.ResolvedBy != op.ActorID:
		return op.ResolvedBy, ""
	case op.State == lead.OpConfirmed || op.State == lead.OpAbsent || reopened(op):
		return systemActor, ""
	default:
		return op.ActorID, op.ActorName
	}
}

// reopened reports whether an absent operation became unknown again because the lead moved on, as Correct says.
func reopened(op lead.Operation) bool { return op.State == lead.OpUnknown && op.StepChangedAt != 0 }

// eventKindOf returns the event that records a state. A start that succeeded has none, because createLead records it.
func eventKindOf(op lead.Operation) lead.EventKind {
	switch op.State {
	case lead.OpSucceeded:
		if op.Kind == heloc.OpStart {
			return ""
		}
		return lead.EventSent
	case lead.OpRejected:
		return lead.EventRejected
	case lead.OpUnknown:
		if reopened(op) {
			return lead.EventSettled
		}
		return lead.EventUnknown
	case lead.OpConfirmed, lead.OpAbsent, lead.OpAbandoned:
		return lead.EventSettled
	default:
		return ""
	}
}

// raiseRevision raises the revision of a lead whose history has a new event although the lead itself has not changed.
// While an outcome is unknown, the lead is also due for a refresh immediately.
func (j *Journal) raiseRevision(ctx context.Context, tx *store.Tx, op lead.Operation) error {
	if op.App == "" || op.State == lead.OpSucceeded || eventKindOf(op) == "" {
		return nil // an operation that succeeded has already changed its lead
	}
	row, err := tx.AnyLead(ctx, op.App)
	if fault.Is(err, fault.NotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	now := j.now()
	if op.State == lead.OpUnknown {
		row.RefreshAt = min(row.RefreshAt, store.Millis(now))
	}
	return tx.SaveLead(ctx, &row, now, true)
}
