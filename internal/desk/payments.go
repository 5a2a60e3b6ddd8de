package desk

import (
	"context"
	"slices"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// paymentModel returns what our estimates assume, without the rate types for which an administrator has to confirm it
// first: the value of the setting store.PaymentsUnconfirmed.
func (b *backend) paymentModel(unconfirmed string) heloc.PaymentModel {
	m := b.payments
	m.Unconfirmed = append(slices.Clone(m.Unconfirmed), store.ParseRateTypes(unconfirmed)...)
	return m
}

// FigureCounts counts the selections of a rate type whose figures were compared with the lender's booking.
type FigureCounts struct {
	RateType     heloc.OfferRateType
	Matched      int
	Differed     int
	Incomparable int  // the lender booked another amount, rate or discount
	Modeled      bool // there are payment estimates for the rate type
	Stopped      bool // they were wrong for several leads in a row, and no administrator has confirmed them since
}

// Compared counts the selections that say something about our payment model.
func (c FigureCounts) Compared() int { return c.Matched + c.Differed }

// figureCounts sums up counts by rate type: those that the model has payments for, then others.
func (b *backend) figureCounts(ctx context.Context, counts []lead.FigureCount) ([]FigureCounts, error) {
	setting, err := b.store.Setting(ctx, store.PaymentsUnconfirmed)
	if err != nil {
		return nil, err
	}
	all := []FigureCounts{{RateType: heloc.RateFixed, Modeled: true}, {RateType: heloc.RateFloating, Modeled: true}}
	for _, c := range counts {
		at := slices.IndexFunc(all, func(f FigureCounts) bool { return f.RateType == c.RateType })
		if at < 0 {
			at, all = len(all), append(all, FigureCounts{RateType: c.RateType})
		}
		switch c.Outcome {
		case heloc.FiguresMatched:
			all[at].Matched = c.N
		case heloc.FiguresDiffered:
			all[at].Differed = c.N
		case heloc.FiguresIncomparable:
			all[at].Incomparable = c.N
		}
	}
	unconfirmed := b.paymentModel(setting).Unconfirmed
	for i := range all {
		all[i].Stopped = slices.Contains(unconfirmed, all[i].RateType)
	}
	return all, nil
}

// PaymentsInUse is the message when there is nothing to confirm.
const PaymentsInUse = "These estimates are already in use. Nothing was changed."

// ConfirmPayments resumes the estimates of a rate type after they were stopped. Earlier selections no longer count
// against them.
func (i *Installation) ConfirmPayments(ctx context.Context, rateType heloc.OfferRateType) error {
	if err := i.d.may(access.ManageSettings); err != nil {
		return err
	}
	return i.d.store.WriteBy(ctx, i.d.actingUnder(access.ManageSettings), func(tx *store.Tx) error {
		confirmed, err := tx.ConfirmPayments(ctx, rateType, i.d.now())
		if err != nil {
			return err
		}
		if !confirmed {
			return fault.New(fault.Conflict, PaymentsInUse)
		}
		return tx.Audit(ctx, store.AuditEntry{
			ActorID: i.d.Actor.UserID, Company: i.d.company(), Action: store.ActionPaymentsConfirm, Object: store.PaymentsObject(rateType), Outcome: "done",
		})
	})
}
