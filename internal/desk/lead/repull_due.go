package lead

import (
	"context"
	"time"

	"hearthline/internal/desk/internal/core"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// Why a planned re-pull was not requested, or did not succeed. The views contain the texts.
const (
	RepullSkippedStep        = "step"        // the lead is at another step, or was set aside
	RepullSkippedOwner       = "owner"       // the lead has another originator
	RepullSkippedPerson      = "person"      // the user who would request it may no longer act on the lead
	RepullSkippedConsent     = "consent"     // the consent text has changed since
	RepullSkippedExpired     = "over"        // the lift has ended
	RepullSkippedManual      = "hand"        // a user has requested it manually since
	RepullSkippedBusy        = "busy"        // the lender was working on something else
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
	l.ConfirmRepeat() // whoever made the plan saw which operations may have arrived, and recheckPlan finds later ones
	op, err = l.submitRepull(ctx, l.NewOperationID(heloc.OpRepullCredit), []string{plan.Method, plan.TextVersion}, consent)
	switch {
	case err != nil && op.ID == "":
		// The journal did not accept it: nothing was stored and nothing was sent.
		switch fault.KindOf(err) {
		case fault.Conflict:
			return op, RepullSkippedBusy, nil
		case fault.Unavailable:
			return op, RepullSkippedDown, nil
		}
		return op, RepullSkippedInterrupted, nil
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
