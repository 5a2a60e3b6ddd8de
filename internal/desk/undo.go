package desk

import (
	"context"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/store"
)

// undoFor is how long a hand-over can be taken back by who did it.
const undoFor = 15 * time.Minute

// UndoUntil is until when the hand-over can be taken back; the zero time when not.
func (h Handed) UndoUntil() time.Time {
	if done := h.DoneAt(); done != 0 && h.Undoes == "" {
		return store.Instant(done).Add(undoFor)
	}
	return time.Time{}
}

// HandOver is the hand-over that this receipt is of; fault.NotFound for any other
// operation and for anybody else's.
func (r *Receipt) HandOver(ctx context.Context) (Handed, error) {
	if err := r.d.may(access.ReassignLead); err != nil {
		return Handed{}, err
	}
	if r.Op.Kind != heloc.OpReassign || r.Op.ActorID != r.d.Actor.UserID {
		return Handed{}, fault.New(fault.NotFound, "This is no hand-over of yours.")
	}
	row, err := r.d.Store.HandOver(ctx, r.Op.ID)
	if err != nil {
		return Handed{}, err
	}
	return r.d.named(ctx, row), nil
}

// UndoTicket makes the operation id of the form that takes it back. The lead may be out
// of the person's reach by now, so the ticket says nothing of where it stands.
func (r *Receipt) UndoTicket() string {
	return r.d.Journal.Ticket(r.d.Actor, heloc.OpReassign, r.Op.App, "undo")
}

// Undo takes a hand-over back: a reassignment to who had the lead before, journalled
// like any other. It is for who did it, for fifteen minutes, and only while the lead is
// still with whom they gave it to.
func (r *Receipt) Undo(ctx context.Context, ticket string) (store.Operation, error) {
	handed, err := r.HandOver(ctx)
	if err != nil {
		return store.Operation{}, err
	}
	intent := journal.Intent{
		Ticket: ticket, Kind: heloc.OpReassign, Actor: r.d.Actor, App: r.Op.App, Target: handed.From, Undoes: r.Op.ID,
		Content: []string{string(handed.From), "undo", r.Op.ID},
	}
	intent.Prepare = func(ctx context.Context, tx *store.Tx, id string) error {
		row, err := r.undoable(ctx, tx, handed)
		if err != nil {
			return err
		}
		return r.d.writeAlong(ctx, tx, row, along{to: handed.From, undoes: r.Op.ID}, id)
	}
	op, err := r.d.Journal.Run(ctx, intent, func(ctx context.Context, _ string) journal.Outcome {
		return outcome(r.d.Lender.Reassign(ctx, r.Op.App, handed.From))
	}, r.d.Journal.AcceptOnLead)
	if op.ID != "" {
		r.d.tell(ctx, r.Op.App)
	}
	if err == nil && op.State == store.OpSucceeded {
		r.d.confirm(ctx, r.Op.App, handed.From)
	}
	return op, err
}

// undoable gives the lead as it stands, or says why it stays where it is.
func (r *Receipt) undoable(ctx context.Context, tx *store.Tx, handed Handed) (store.Lead, error) {
	refuse := func(why string) (store.Lead, error) {
		return store.Lead{}, fault.New(fault.Conflict, why+" Nothing was sent.")
	}
	if until := handed.UndoUntil(); until.IsZero() || !r.d.Now().Before(until) {
		return refuse("A hand-over can be taken back for 15 minutes. Ask who has the lead now, or your manager.")
	}
	if again, err := tx.TakenBack(ctx, r.Op.ID); err != nil || again {
		if err != nil {
			return store.Lead{}, err
		}
		return refuse("This hand-over was taken back already.")
	}
	row, err := tx.AnyLead(ctx, r.Op.App)
	if err != nil {
		return row, err
	}
	if row.Originator != handed.To && row.Originator != handed.From {
		return refuse("Somebody else has the lead by now.")
	}
	if row.Company != r.d.company() {
		return refuse("The lead is with another company by now.")
	}
	return row, nil
}
