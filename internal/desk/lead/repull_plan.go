package lead

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/oklog/ulid/v2"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
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
		ID: ulid.MustNew(uint64(store.Millis(now)), ulid.DefaultEntropy()).String(), App: l.d.Row.App,
		UserID: l.d.Actor.UserID, Method: c.Method, TextVersion: c.Version,
		LiftedAt: store.Millis(lift.At), UntilAt: store.Millis(lift.Until),
		DueAt: store.Millis(lift.due(now)), CreatedAt: store.Millis(now), State: lead.RepullWaiting,
		Bureaus: strings.Join(lift.Bureaus, ","), ConsentBy: l.d.Actor.UserID,
		ConsentFor: heloc.OriginatorID(l.d.Actor.OriginatorUUID),
	}
	return l.d.UpdateRow(ctx, func(tx *store.Tx, row *lead.Row) error {
		if row.Step != heloc.StepUnfreezeCredit || row.SetAsideAt != 0 {
			return fault.New(fault.Conflict,
				"The lead changed after you opened this page. Nothing was scheduled. Check its current step.")
		}
		if row.PendingUntil > store.Millis(now) {
			return fault.New(fault.Conflict,
				"The lender is still processing the last request. Nothing was scheduled. Try again in a moment.")
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
