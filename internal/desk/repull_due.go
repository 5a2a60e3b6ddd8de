package desk

import (
	"context"
	"time"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/hub"
	"hearthline/internal/journal"
	"hearthline/internal/store"
)

// Why a planned re-pull was not asked for, or did not go well; the words stand in the views.
const (
	NotAskedStep        = "step"        // the lead has moved on, or was set aside
	NotAskedOwner       = "owner"       // the lead has another originator
	NotAskedPerson      = "person"      // who is to ask may not act on it any more
	NotAskedConsent     = "consent"     // the text that was read is not today's
	NotAskedOver        = "over"        // the lift has ended
	NotAskedHand        = "hand"        // somebody asked by hand meanwhile
	NotAskedBusy        = "busy"        // the lender was working on something else
	NotAskedDown        = "down"        // the lender could not be reached
	NotAskedInterrupted = "interrupted" // the portal stopped while it was trying
	AskedRefused        = "refused"     // it was asked for, and the lender refused
	AskedUnknown        = "unknown"     // it was asked for, and nobody knows what came of it
)

// AskPlanned asks for credit as it was planned, when everything that was asked then still
// holds; else it says why not. It is fault.Denied for who may not act any more. What the lender answers is the operation's.
func (l *Lead) AskPlanned(ctx context.Context, plan store.Repull) (op store.Operation, why string, err error) {
	if err := l.d.mayAct(); err != nil {
		return op, "", err
	}
	ops, err := l.d.Store.Operations(ctx, plan.App, 20)
	if err != nil {
		return op, "", err
	}
	if why := l.stillRight(plan, ops); why != "" {
		return op, why, nil
	}
	consent := &store.Consent{
		UserID: plan.TakenBy, Originator: plan.TakenFor, Method: plan.Method, TextVersion: plan.TextVersion, At: plan.CreatedAt,
	}
	op, err = l.repull(ctx, l.Ticket(heloc.OpRepullCredit), []string{plan.Method, plan.TextVersion}, consent)
	switch {
	case err != nil && (op.ID == "" || op.State == store.OpPrepared):
		// The journal did not take it: nothing was written down, nothing was sent.
		if fault.KindOf(err) == fault.Conflict {
			return op, NotAskedBusy, nil
		}
		return op, NotAskedInterrupted, nil
	case op.State == store.OpNotSent:
		return op, NotAskedDown, nil
	default:
		return op, "", nil // asked for; a refusal is the operation's to tell
	}
}

// stillRight asks everything again that was asked when the plan was made.
func (l *Lead) stillRight(plan store.Repull, ops []store.Operation) (why string) {
	now := l.d.Now()
	switch {
	case l.row.Originator != plan.Originator:
		return NotAskedOwner
	case askedSince(ops, plan.CreatedAt):
		return NotAskedHand
	case l.row.Step != heloc.StepUnfreezeCredit || l.row.SetAsideAt != 0:
		return NotAskedStep
	case plan.UntilAt != 0 && plan.UntilAt <= store.Millis(now):
		return NotAskedOver
	case plan.TextVersion != l.d.Consent.Version || plan.CreatedAt < store.Millis(now.Add(-latestLift-liftTakes-time.Hour)):
		return NotAskedConsent
	}
	return ""
}

// askedSince says whether credit was asked for after the plan was made, or may have been.
// What the lender showed no sign of may have arrived all the same: nobody but a person asks
// again after that.
func askedSince(ops []store.Operation, since int64) bool {
	for _, op := range ops {
		if op.Kind == heloc.OpRepullCredit && op.CreatedAt >= since && op.State != store.OpNotSent && op.State != store.OpRejected {
			return true
		}
	}
	return false
}

// EndRepull ends the try of a plan with its outcome: the operation that it became, or why
// it was not asked for. Told is what its people hear of now; empty when the lender's answer
// will be told. It is the system's word, so it asks nobody.
func (r *Rooms) EndRepull(ctx context.Context, plan store.Repull, told string) error {
	var people []string
	err := r.Store.Write(ctx, func(tx *store.Tx) error {
		ended, err := tx.MoveRepull(ctx, plan, store.RepullTrying)
		if err != nil || !ended {
			return err
		}
		row, err := tx.AnyLead(ctx, plan.App)
		if err != nil {
			return err
		}
		if plan.State == store.RepullDone || plan.Outcome == NotAskedOver {
			row.RepullAt = 0 // asked for, or frozen again; else it stays due, to be asked for by hand
		}
		if plan.State == store.RepullMissed {
			e := store.Event{App: plan.App, Originator: row.Originator, At: store.Millis(r.Now()), Kind: store.EventNotAsked, Detail: plan.Outcome}
			if err := tx.AddEvent(ctx, e); err != nil {
				return err
			}
		}
		if err := tx.Audit(ctx, store.Audited{
			ActorID: plan.UserID, Company: row.Company, Action: store.ActRepullDue, Object: "lead:" + string(row.App), Outcome: string(plan.State),
			Detail: "plan:" + plan.ID + " " + plan.Outcome,
		}); err != nil {
			return err
		}
		if err := tx.SaveLead(ctx, &row, r.Now(), true); err != nil || told == "" {
			return err
		}
		people, err = r.tellOfRepull(ctx, tx, row, plan, told)
		return err
	})
	if err == nil {
		r.publish(ctx, plan.App)
		for _, who := range people {
			r.Hub.Publish(hub.Event{Inbox: true}, hub.Person(who))
		}
	}
	return err
}

// tellOfRepull notifies whose lead it is, and who planned it.
func (r *Rooms) tellOfRepull(ctx context.Context, tx *store.Tx, row store.Lead, plan store.Repull, told string) (people []string, err error) {
	all, err := tx.PeopleOf(ctx, row.Originator, row.Company)
	if err != nil {
		return nil, err
	}
	facts := journal.Facts(r.Vault, string(row.App), "repull", plan.ID)
	for _, who := range append(all, plan.UserID) {
		fresh, err := tx.Notify(ctx, store.Notification{
			UserID: who, Company: row.Company, App: row.App, ShortID: row.ShortID, Kind: store.NoticeNotAsked, About: told,
			Fact: facts[0], Older: facts[1:], At: store.Millis(r.Now()),
		})
		if err != nil {
			return nil, err
		}
		if fresh {
			people = append(people, who)
		}
	}
	return people, nil
}
