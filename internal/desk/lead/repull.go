package lead

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/desk/internal/core"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// liftDelay is how long a bureau may take to lift a freeze that was lifted by phone or online.
const liftDelay = time.Hour

const (
	maxLiftAge   = 7 * 24 * time.Hour  // an older lift needs no plan
	maxLiftAhead = 14 * 24 * time.Hour // a consent is not stored for longer
)

// FreezeLift is when the borrower lifts the freeze, until when, and at which bureaus, if known.
type FreezeLift struct {
	At, Until time.Time
	Bureaus   []string
}

// Bureaus lists the bureaus at which a freeze can be lifted, by the lender's names.
func Bureaus() []string { return []string{"EXPERIAN", "TRANS_UNION", "EQUIFAX"} }

func (f FreezeLift) check(now time.Time) []fault.Field {
	var wrong []fault.Field
	due := f.due(now)
	switch {
	case f.At.IsZero():
		wrong = append(wrong, fault.Field{Name: "thaw.liftedAt", Message: "Enter the date and time of the lift"})
	case f.At.Before(now.Add(-maxLiftAge)):
		wrong = append(wrong, fault.Field{Name: "thaw.liftedAt",
			Message: "This is more than a week ago. Re-pull credit below instead"})
	case f.At.After(now.Add(maxLiftAhead)):
		wrong = append(wrong, fault.Field{Name: "thaw.liftedAt", Message: "Enter a date within the next two weeks"})
	case !f.Until.IsZero() && !f.Until.After(due):
		wrong = append(wrong, fault.Field{Name: "thaw.until", Message: "Enter a time more than an hour after the lift"})
	}
	for _, b := range f.Bureaus {
		if !slices.Contains(Bureaus(), b) {
			return append(wrong, fault.Field{Name: "thaw.bureaus", Message: "Choose from the list"})
		}
	}
	return wrong
}

// due is when the credit report is requested: an hour after the lift, but never before now.
func (f FreezeLift) due(now time.Time) time.Time {
	if at := f.At.Add(liftDelay); at.After(now) {
		return at
	}
	return now
}

// PlanRepull plans another credit request for the time when the lift is certain to be effective, with the consent
// that is taken now. It replaces a plan that is still waiting.
func (l *Lead) PlanRepull(ctx context.Context, lift FreezeLift, c lead.ConsentForm) error {
	if err := l.d.May(access.ActOnLead); err != nil {
		return err
	}
	now := l.d.Now()
	wrong := lift.check(now)
	_, err := l.d.CheckConsent(c)
	if wrong = append(wrong, fault.FieldsOf(err)...); len(wrong) > 0 {
		return fault.InvalidFields(wrong...)
	}
	r := lead.Repull{
		ID: l.d.NewID(), App: l.d.Row.App,
		UserID: l.d.Actor.UserID, Method: c.Method, TextVersion: c.Version,
		LiftedAt: store.Millis(lift.At), UntilAt: store.Millis(lift.Until),
		DueAt: store.Millis(lift.due(now)), CreatedAt: store.Millis(now), State: lead.RepullWaiting,
		Bureaus: strings.Join(lift.Bureaus, ","), ConsentBy: l.d.Actor.UserID,
		ConsentFor: heloc.OriginatorID(l.d.Actor.OriginatorUUID),
	}
	return l.d.AddToRow(ctx, func(tx *store.Tx, row *lead.Row) error {
		if row.Step != heloc.StepUnfreezeCredit || row.SetAsideAt != 0 {
			return fault.New(fault.Conflict,
				"The lead changed after you opened this page. Nothing was scheduled. Check its current step.")
		}
		if row.PendingUntil > store.Millis(now) {
			return fault.New(fault.Conflict,
				"The lender is still processing the last request. Nothing was scheduled. Try again in a moment.")
		}
		if err := l.checkRepullRisks(ctx, tx, *row); err != nil {
			return err
		}
		r.Originator = row.Originator
		if err := tx.PlanRepull(ctx, r); err != nil {
			return err
		}
		row.RepullAt = r.DueAt
		detail := "plan:" + r.ID + " consent:" + c.Method + " " + c.Version
		return l.d.AuditEvent(ctx, tx, l.d.NewEvent(lead.EventRepullPlanned, ""), store.ActionRepullPlan, "planned", detail)
	})
}

// checkRepullRisks refuses a plan while it is unknown whether an earlier request arrived, and one that may pull the
// borrower's credit a second time unless the user has confirmed that.
func (l *Lead) checkRepullRisks(ctx context.Context, tx *store.Tx, row lead.Row) error {
	open, err := tx.OperationAndOpen(ctx, "", row.App)
	if err != nil {
		return err
	}
	for _, op := range open {
		switch {
		case op.State == lead.OpSent || op.Blocks(heloc.OpRepullCredit, row.Step):
			return fault.New(fault.Conflict, "We don’t know yet whether the lender received the last request. "+
				"Nothing was scheduled. Wait for the result, or mark the request as not received on its receipt.")
		case op.MayRepeat(heloc.OpRepullCredit, row) && !l.d.RepeatConfirmed:
			return fault.InvalidFields(fault.Field{Name: journal.ConfirmRepeat,
				Message: "Check this box to schedule another re-pull"})
		}
	}
	return nil
}

// CancelRepullPlan cancels a plan. It returns an error when there is none anymore.
func (l *Lead) CancelRepullPlan(ctx context.Context) error {
	if err := l.d.May(access.AnnotateLead); err != nil {
		return err
	}
	return l.d.UpdateRow(ctx, func(tx *store.Tx, row *lead.Row) error {
		dropped, err := tx.CancelRepull(ctx, row.App, "by hand")
		if err != nil {
			return err
		}
		if !dropped {
			return fault.New(fault.Conflict,
				"The scheduled re-pull was already requested or canceled. Check the lead’s current step.")
		}
		row.RepullAt = 0
		return l.d.AuditEvent(ctx, tx, l.d.NewEvent(lead.EventRepullCanceled, ""), store.ActionRepullCancel, "dropped", "")
	})
}

// cancelSupersededPlan cancels the plan after a user has requested the credit report manually.
func (l *Lead) cancelSupersededPlan(ctx context.Context) error {
	ctx = context.WithoutCancel(ctx)
	return l.d.Store.Write(ctx, func(tx *store.Tx) error {
		if _, err := tx.CancelRepull(ctx, l.d.Row.App, "asked by hand"); err != nil {
			return err
		}
		row, err := tx.AnyLead(ctx, l.d.Row.App)
		if err != nil || row.RepullAt == 0 {
			return err
		}
		row.RepullAt = 0
		return tx.SaveLead(ctx, &row, l.d.Now(), true)
	})
}

// Why a planned re-pull was not requested, or did not succeed. The views contain the texts.
const (
	RepullSkippedStep        = "step"        // the lead is at another step, or was set aside
	RepullSkippedOwner       = "owner"       // the lead has another originator
	RepullSkippedPerson      = "person"      // the user who would request it may no longer act on the lead
	RepullSkippedConsent     = "consent"     // the consent text has changed since
	RepullSkippedExpired     = "over"        // the lift has ended
	RepullSkippedManual      = "hand"        // a user has requested it manually since
	RepullSkippedBusy        = "busy"        // the lender was working on something else
	RepullSkippedUnconfirmed = "unconfirmed" // an earlier request may have arrived
	RepullSkippedDown        = "down"        // the lender could not be reached
	RepullSkippedInterrupted = "interrupted" // the portal stopped while it was trying
	RepullRejected           = "refused"     // it was requested, and the lender rejected it
	RepullUnknown            = "unknown"     // it was requested, and its outcome is unknown
)

// ExecutePlannedRepull requests the credit report as planned if all conditions of the plan still hold; otherwise it
// returns why not. It returns fault.Denied when the user may no longer act. The operation contains the lender's
// answer.
func (l *Lead) ExecutePlannedRepull(ctx context.Context, plan lead.Repull) (op lead.Operation, why string, err error) {
	if err := l.d.MayAct(); err != nil {
		return op, "", err
	}
	ops, err := l.d.Store.Operations(ctx, plan.App, 20)
	if err != nil {
		return op, "", err
	}
	if why := l.recheckPlan(plan, ops); why != "" {
		return op, why, nil
	}
	consent := &lead.Consent{
		UserID: plan.ConsentBy, Originator: plan.ConsentFor, Method: plan.Method, TextVersion: plan.TextVersion,
		At: plan.CreatedAt,
	}
	l.ConfirmRepeat() // PlanRepull asked about the requests that might have arrived, and recheckPlan finds later ones
	op, err = l.submitRepull(ctx, l.NewOperationID(heloc.OpRepullCredit), []string{plan.Method, plan.TextVersion}, consent)
	switch {
	case err != nil && op.ID == "":
		// The journal did not accept it: nothing was stored and nothing was sent.
		skipped := map[fault.Kind]string{fault.Conflict: RepullSkippedBusy, fault.Unavailable: RepullSkippedDown}
		return op, cmp.Or(skipped[fault.KindOf(err)], RepullSkippedInterrupted), nil
	case op.State == lead.OpNotSent:
		return op, RepullSkippedDown, nil
	default:
		return op, "", nil // it was requested; a rejection is in the operation
	}
}

// recheckPlan checks again everything that was checked when the plan was made.
func (l *Lead) recheckPlan(plan lead.Repull, ops []lead.Operation) (why string) {
	now := l.d.Now()
	switch {
	case l.d.Row.Originator != plan.Originator:
		return RepullSkippedOwner
	case repulledSince(ops, plan.CreatedAt):
		return RepullSkippedManual
	case l.d.Row.Step != heloc.StepUnfreezeCredit || l.d.Row.SetAsideAt != 0:
		return RepullSkippedStep
	case l.unconfirmedSince(ops, plan.CreatedAt):
		return RepullSkippedUnconfirmed
	case plan.UntilAt != 0 && plan.UntilAt <= store.Millis(now):
		return RepullSkippedExpired
	case plan.TextVersion != l.d.Consent.Version ||
		plan.CreatedAt < store.Millis(now.Add(-maxLiftAhead-liftDelay-time.Hour)):
		return RepullSkippedConsent
	}
	return ""
}

// repulledSince reports whether a credit report was, or may have been, requested after the plan was made. A request
// may have arrived even if the lender shows no sign of it. After that, only a user may request it again.
func repulledSince(ops []lead.Operation, since int64) bool {
	for _, op := range ops {
		if op.Kind == heloc.OpRepullCredit && op.CreatedAt >= since && op.State != lead.OpNotSent &&
			op.State != lead.OpRejected {
			return true
		}
	}
	return false
}

// unconfirmedSince reports whether an earlier request may have arrived and the user who made the plan was not asked
// about it: its outcome is unknown, or was when the plan was made.
func (l *Lead) unconfirmedSince(ops []lead.Operation, planned int64) bool {
	return slices.ContainsFunc(ops, func(op lead.Operation) bool {
		return op.Blocks(heloc.OpRepullCredit, l.d.Row.Step) ||
			op.SettledAt >= planned && op.MayRepeat(heloc.OpRepullCredit, l.d.Row)
	})
}

// FinishRepull ends the attempt of a plan with its outcome: the operation, or why it was not requested. Notice is what
// the affected users are notified of now; it is empty when the lender's answer will notify them. The system calls it,
// so it checks no permission.
func FinishRepull(ctx context.Context, s core.Services, plan lead.Repull, notice string) error {
	return s.Store.Write(ctx, func(tx *store.Tx) error {
		ended, err := tx.UpdateRepullState(ctx, plan, lead.RepullTrying)
		if err != nil || !ended {
			return err
		}
		row, err := tx.AnyLead(ctx, plan.App)
		if err != nil {
			return err
		}
		if plan.State == lead.RepullDone || plan.Outcome == RepullSkippedExpired {
			row.RepullAt = 0 // requested, or frozen again; otherwise it stays due and a user can request it
		}
		if plan.State == lead.RepullSkipped {
			e := lead.Event{App: plan.App, Originator: row.Originator, At: store.Millis(s.Now()), Kind: lead.EventRepullSkipped,
				Detail: plan.Outcome}
			if err := tx.AddEvent(ctx, e); err != nil {
				return err
			}
		}
		if err := tx.Audit(ctx, store.AuditEntry{
			ActorID: plan.UserID, Company: row.Company, Action: store.ActionRepullDue, Object: "lead:" + string(row.App),
			Outcome: string(plan.State),
			Detail:  "plan:" + plan.ID + " " + plan.Outcome,
		}); err != nil {
			return err
		}
		if err := tx.SaveLead(ctx, &row, s.Now(), true); err != nil || notice == "" {
			return err
		}
		return notifyRepull(ctx, s, tx, row, plan, notice)
	})
}

// notifyRepull notifies the lead's originator and the user who planned the re-pull.
func notifyRepull(ctx context.Context, s core.Services, tx *store.Tx, row lead.Row, plan lead.Repull,
	notice string) error {
	all, err := tx.NotifiedOf(ctx, row.Originator, row.Company)
	if err != nil {
		return err
	}
	dedupKeys := s.Vault.NoticeDedupKeys(string(row.App), "repull", plan.ID)
	return core.NotifyAll(ctx, tx, append(all, plan.UserID), lead.Notice{
		Company: row.Company, App: row.App, ShortID: row.ShortID, Kind: lead.NoticeRepullSkipped, About: notice,
		DedupKey: dedupKeys[0], OldDedupKeys: dedupKeys[1:], At: store.Millis(s.Now()),
	})
}
