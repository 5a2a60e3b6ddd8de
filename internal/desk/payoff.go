package desk

import (
	"context"
	"maps"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// PayoffPlan is what is known about the debts besides the lender's list. The lender does not receive it.
type PayoffPlan struct {
	CurrentPayments map[string]heloc.Money // per month, by account id, as the borrower reports it
	Selected        []string               // accounts that are selected: with the offer selection, otherwise with the income
}

// PayoffPlan reads the plan.
func (l *Lead) PayoffPlan(ctx context.Context) (PayoffPlan, error) {
	if err := l.d.may(access.SeeLead); err != nil {
		return PayoffPlan{}, err
	}
	var p PayoffPlan
	row, err := l.d.store.Part(ctx, l.row.App, lead.PartPayoffPlan)
	if err != nil {
		return p, err
	}
	if row != nil {
		if p.CurrentPayments, err = vault.UnsealJSON[map[string]heloc.Money](l.d.vault, vault.PartAAD(l.row.App, lead.PartPayoffPlan), row.Sealed); err != nil {
			return p, err
		}
	}
	last, err := l.lastChoice(ctx, heloc.OpSelectOffer)
	if err == nil && last.Offer == "" {
		last, err = l.lastChoice(ctx, heloc.OpAssetDepletion)
	}
	p.Selected = last.Accounts
	return p, err
}

// SaveCurrentPayments stores what the borrower currently pays on each debt. It writes nothing when nothing has
// changed.
func (l *Lead) SaveCurrentPayments(ctx context.Context, pays map[string]heloc.Money) error {
	if err := l.mayQuery(ctx); err != nil {
		return err
	}
	known, err := l.PayoffPlan(ctx)
	if err != nil || maps.Equal(known.CurrentPayments, pays) {
		return err
	}
	sealed, err := vault.SealJSON(l.d.vault, vault.PartAAD(l.row.App, lead.PartPayoffPlan), pays)
	if err != nil {
		return err
	}
	now := store.Millis(l.d.now())
	return l.d.store.Write(ctx, func(tx *store.Tx) error {
		if err := l.reauthorize(ctx, tx, access.ActOnLead); err != nil {
			return err
		}
		if err := tx.SavePart(ctx, store.SealedPart{App: l.row.App, Part: lead.PartPayoffPlan, Version: 1, Sealed: sealed, FetchedAt: now}); err != nil {
			return err
		}
		return tx.Audit(ctx, store.AuditEntry{
			At: now, ActorID: l.d.Actor.UserID, Company: l.row.Company, Action: store.ActionPayoffPlan, Object: "lead:" + string(l.row.App), Outcome: "done",
		})
	})
}

// costsRetryAfter is how long store.LenderNoCosts is valid.
const costsRetryAfter = 24 * time.Hour

// MayHaveOfferCosts reports whether the lender may return the costs of an offer before it is selected.
func (l *Lead) MayHaveOfferCosts(ctx context.Context) (bool, error) {
	known, err := l.readLenderAnswers(ctx)
	return known.OfferCosts, err
}

// OfferCosts requests the costs of an offer before it is selected, which only the live dialect supports.
// fault.NotFound means that this lender does not return them; that is stored.
func (l *Lead) OfferCosts(ctx context.Context, offer string, amount heloc.Money) (heloc.Costs, error) {
	if err := l.mayAskLender(ctx); err != nil {
		return heloc.Costs{}, err
	}
	if _, err := l.suppliedOffer(ctx, offer); err != nil {
		return heloc.Costs{}, err
	}
	if tells, err := l.MayHaveOfferCosts(ctx); err != nil || !tells {
		return heloc.Costs{}, costsUnavailableError(err)
	}
	got, err := l.d.lender.BorrowerCosts(ctx, l.row.App, offer, amount)
	if !fault.Is(err, fault.NotFound) {
		return got.Value, err
	}
	now := l.d.now().UTC().Format(time.RFC3339)
	return heloc.Costs{}, costsUnavailableError(l.d.store.Write(ctx, func(tx *store.Tx) error { return tx.SaveSetting(ctx, store.LenderNoCosts, now) }))
}

func costsUnavailableError(err error) error {
	if err != nil {
		return err
	}
	return fault.New(fault.NotFound, "The lender provides costs only after an offer is selected.")
}
