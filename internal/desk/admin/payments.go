package admin

import (
	"context"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/store"
)

// PaymentsInUse is the message when there is nothing to confirm.
const PaymentsInUse = "These estimates are already in use. Nothing was changed."

// ConfirmPayments resumes the estimates of a rate type after they were stopped. Earlier selections no longer count
// against them.
func (i *Installation) ConfirmPayments(ctx context.Context, rateType heloc.OfferRateType) error {
	if err := i.d.May(access.ManageSettings); err != nil {
		return err
	}
	return i.d.Store.WriteBy(ctx, i.d.ActingUnder(access.ManageSettings), func(tx *store.Tx) error {
		confirmed, err := tx.ConfirmPayments(ctx, rateType, i.d.Now())
		if err != nil {
			return err
		}
		if !confirmed {
			return fault.New(fault.Conflict, PaymentsInUse)
		}
		return tx.Audit(ctx, store.AuditEntry{
			ActorID: i.d.Actor.UserID, Company: i.d.Company(), Action: store.ActionPaymentsConfirm,
			Object: store.PaymentsObject(rateType), Outcome: "done",
		})
	})
}
