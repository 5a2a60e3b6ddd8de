package desk

import (
	"context"
	"errors"
	"time"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/store"
)

// Why a planned re-pull was not asked for; the words stand in the views.
const (
	notAskedStep        = "step"        // the lead has moved on, or was set aside
	notAskedOwner       = "owner"       // the lead has another originator
	notAskedPerson      = "person"      // who planned it may not act on it any more
	notAskedConsent     = "consent"     // the text that was read is not today's
	notAskedOver        = "over"        // the lift has ended
	notAskedHand        = "hand"        // somebody asked by hand meanwhile
	notAskedBusy        = "busy"        // the lender was working on something else
	notAskedDown        = "down"        // the lender could not be reached
	notAskedInterrupted = "interrupted" // the portal stopped while it was trying
)

const (
	dueBatch = 20
	// tryTakes is longer than any call: a try that began before has lost its process.
	tryTakes = 2 * time.Minute
)

// RunDue does what was planned for now, each plan at most once and in the name of who
// made it. It may run in several processes: the plan is claimed in a transaction of its
// own before anything is looked at, so whatever stops a try, no second one follows.
func (r *Rooms) RunDue(ctx context.Context) error {
	now := r.Now()
	due, err := r.Store.RepullsDue(ctx, now, now.Add(-tryTakes), dueBatch)
	if err != nil {
		return err
	}
	var failed []error
	for _, plan := range due {
		if err := r.repull(ctx, plan); err != nil {
			failed = append(failed, err)
		}
	}
	return errors.Join(failed...)
}

func (r *Rooms) repull(ctx context.Context, plan store.Repull) error {
	if plan.State == store.RepullTrying {
		return r.notAsked(ctx, plan, notAskedInterrupted)
	}
	plan.State, plan.TriedAt = store.RepullTrying, store.Millis(r.Now())
	claimed := false
	err := r.Store.Write(ctx, func(tx *store.Tx) (err error) {
		claimed, err = tx.MoveRepull(ctx, plan, store.RepullWaiting)
		return err
	})
	if err != nil || !claimed {
		return err
	}
	// From here on the try is this one, whatever becomes of the process's context.
	ctx = context.WithoutCancel(ctx)
	lead, why, err := r.stillRight(ctx, plan)
	if err != nil {
		return errors.Join(err, r.notAsked(ctx, plan, notAskedInterrupted))
	}
	if why != "" {
		return r.notAsked(ctx, plan, why)
	}
	ticket := lead.Ticket(heloc.OpRepullCredit)
	consent := &store.Consent{Method: plan.Method, TextVersion: plan.TextVersion, At: plan.CreatedAt}
	op, err := lead.repull(ctx, ticket, []string{plan.Method, plan.TextVersion}, consent)
	switch {
	case err != nil && (op.ID == "" || op.State == store.OpPrepared):
		// The journal did not take it: nothing was written down, nothing was sent.
		why = notAskedBusy
		if fault.KindOf(err) != fault.Conflict {
			why = notAskedInterrupted
		}
		return r.notAsked(ctx, plan, why)
	case op.State == store.OpNotSent:
		return r.notAsked(ctx, plan, notAskedDown)
	}
	return r.asked(ctx, plan, op)
}

// stillRight asks everything again that was asked when the plan was made, and says why
// it does not hold any more.
func (r *Rooms) stillRight(ctx context.Context, plan store.Repull) (lead *Lead, why string, err error) {
	person, err := r.Store.PersonByID(ctx, plan.UserID)
	if fault.KindOf(err) == fault.NotFound || err == nil && person.Disabled {
		return nil, notAskedPerson, nil
	}
	if err != nil {
		return nil, "", err
	}
	d := r.For(person.Actor)
	lead, err = d.Lead(ctx, string(plan.App))
	if fault.KindOf(err) == fault.NotFound {
		return nil, notAskedOwner, nil
	}
	if err != nil {
		return nil, "", err
	}
	if err := d.mayAct(); err != nil {
		return nil, notAskedPerson, nil //nolint:nilerr // the refusal is the answer
	}
	ops, err := r.Store.Operations(ctx, plan.App, 20)
	if err != nil {
		return nil, "", err
	}
	now := store.Millis(r.Now())
	switch {
	case lead.row.Originator != plan.Originator:
		return nil, notAskedOwner, nil
	case askedSince(ops, plan.CreatedAt):
		return nil, notAskedHand, nil
	case lead.row.Step != heloc.StepUnfreezeCredit || lead.row.SetAsideAt != 0:
		return nil, notAskedStep, nil
	case plan.UntilAt != 0 && plan.UntilAt <= now:
		return nil, notAskedOver, nil
	case plan.TextVersion != r.Consent.Version || plan.CreatedAt < store.Millis(r.Now().Add(-latestLift-liftTakes-time.Hour)):
		return nil, notAskedConsent, nil
	}
	return lead, "", nil
}

// askedSince says whether credit was asked for after the plan was made, or may have been.
func askedSince(ops []store.Operation, since int64) bool {
	for _, op := range ops {
		if op.Kind == heloc.OpRepullCredit && op.CreatedAt >= since && op.State != store.OpNotSent && op.State != store.OpRejected && op.State != store.OpAbsent {
			return true
		}
	}
	return false
}

// asked ends a plan that reached the journal, which tells the rest.
func (r *Rooms) asked(ctx context.Context, plan store.Repull, op store.Operation) error {
	plan.State, plan.Outcome = store.RepullDone, op.ID
	return r.end(ctx, plan, nil, func(row *store.Lead) { row.RepullAt = 0 })
}

// notAsked ends a plan and tells why. The lead stays due where asking by hand is what
// is left to do.
func (r *Rooms) notAsked(ctx context.Context, plan store.Repull, why string) error {
	plan.State, plan.Outcome = store.RepullMissed, why
	told := &store.Event{App: plan.App, At: store.Millis(r.Now()), Kind: store.EventNotAsked, Detail: why}
	return r.end(ctx, plan, told, func(row *store.Lead) {
		if why == notAskedOver {
			row.RepullAt = 0 // frozen again: the borrower's move
		}
	})
}

// end writes the end of a try, what is told of it, and what it changes on the lead, in
// one transaction.
func (r *Rooms) end(ctx context.Context, plan store.Repull, told *store.Event, change func(*store.Lead)) error {
	err := r.Store.Write(ctx, func(tx *store.Tx) error {
		ended, err := tx.MoveRepull(ctx, plan, store.RepullTrying)
		if err != nil || !ended {
			return err
		}
		row, err := tx.AnyLead(ctx, plan.App)
		if err != nil {
			return err
		}
		change(&row)
		if told != nil {
			told.Originator = row.Originator
			if err := tx.AddEvent(ctx, *told); err != nil {
				return err
			}
		}
		if err := tx.Audit(ctx, store.Audited{
			ActorID: plan.UserID, Company: row.Company, Action: "repull.due", Object: "lead:" + string(row.App), Outcome: string(plan.State),
			Detail: "plan:" + plan.ID + " " + plan.Outcome,
		}); err != nil {
			return err
		}
		return tx.SaveLead(ctx, &row, r.Now(), true)
	})
	if err == nil {
		r.publish(ctx, plan.App)
	}
	return err
}
