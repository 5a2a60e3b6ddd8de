package offers

import (
	"context"
	"maps"
	"slices"
	"time"

	"hearthline/internal/access"
	desklead "hearthline/internal/desk/lead"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// PayoffPlan is what is known about the debts besides the lender's list. The lender does not receive it.
type PayoffPlan struct {
	CurrentPayments map[string]heloc.Money // per month, by account id, as the borrower reports it
	// accounts that are selected: with the offer selection, otherwise with the income
	Selected []string
}

// PayoffPlan reads the plan.
func (of *Offers) PayoffPlan(ctx context.Context) (PayoffPlan, error) {
	if err := of.d.May(access.SeeLead); err != nil {
		return PayoffPlan{}, err
	}
	var p PayoffPlan
	row, err := of.d.Store.Part(ctx, of.d.Row.App, lead.PartPayoffPlan)
	if err != nil {
		return p, err
	}
	if row != nil {
		if p.CurrentPayments, err = vault.UnsealJSON[map[string]heloc.Money](of.d.Vault,
			vault.PartAAD(of.d.Row.App, lead.PartPayoffPlan), row.Sealed); err != nil {
			return p, err
		}
	}
	last, err := desklead.LastChoice(ctx, of.d, heloc.OpSelectOffer)
	if err == nil && last.Offer == "" {
		last, err = desklead.LastChoice(ctx, of.d, heloc.OpAssetDepletion)
	}
	p.Selected = last.Accounts
	return p, err
}

// SaveCurrentPayments stores what the borrower currently pays on each debt. It writes nothing when nothing has
// changed.
func (of *Offers) SaveCurrentPayments(ctx context.Context, pays map[string]heloc.Money) error {
	if err := of.mayQuery(ctx); err != nil {
		return err
	}
	known, err := of.PayoffPlan(ctx)
	if err != nil || maps.Equal(known.CurrentPayments, pays) {
		return err
	}
	sealed, err := vault.SealJSON(of.d.Vault, vault.PartAAD(of.d.Row.App, lead.PartPayoffPlan), pays)
	if err != nil {
		return err
	}
	now := store.Millis(of.d.Now())
	return of.d.Store.Write(ctx, func(tx *store.Tx) error {
		if err := of.d.ReauthorizeLead(ctx, tx, access.ActOnLead); err != nil {
			return err
		}
		if err := tx.SavePart(ctx, store.SealedPart{App: of.d.Row.App, Part: lead.PartPayoffPlan, Version: 1, Sealed: sealed,
			FetchedAt: now}); err != nil {
			return err
		}
		return of.d.Audit(ctx, tx, store.ActionPayoffPlan, "done", "")
	})
}

// OfferCosts requests the costs of an offer before it is selected, which only the live dialect supports.
// fault.NotFound means that this lender does not return them; that is stored.
func (of *Offers) OfferCosts(ctx context.Context, offer string, amount heloc.Money) (heloc.Costs, error) {
	if err := of.mayAskLender(ctx); err != nil {
		return heloc.Costs{}, err
	}
	if err := of.checkSupplied(ctx, offer); err != nil {
		return heloc.Costs{}, err
	}
	if known, err := of.d.ReadLenderAnswers(ctx); err != nil || !known.OfferCosts {
		return heloc.Costs{}, costsUnavailableError(err)
	}
	got, err := of.d.Lender.BorrowerCosts(ctx, of.d.Row.App, offer, amount)
	if !fault.Is(err, fault.NotFound) {
		return got.Value, err
	}
	now := of.d.Now().UTC().Format(time.RFC3339)
	return heloc.Costs{}, costsUnavailableError(of.d.Store.Write(ctx, func(tx *store.Tx) error {
		return tx.SaveSetting(ctx, store.LenderNoCosts, now)
	}))
}

func costsUnavailableError(err error) error {
	if err != nil {
		return err
	}
	return fault.New(fault.NotFound, "The lender provides costs only after an offer is selected.")
}

// checkPayoffTotal refuses debts whose total exceeds the amount that is to pay them off.
func (of *Offers) checkPayoffTotal(ctx context.Context, s heloc.OfferSelection) error {
	if len(s.AccountsToPayoff) == 0 {
		return nil
	}
	details, _, err := of.d.Details(ctx)
	if err != nil {
		return err
	}
	var sum heloc.Money
	for _, debt := range details.App.Payoff.Existing.Eligible {
		if debt.Balance != nil && slices.Contains(s.AccountsToPayoff, debt.ID) {
			sum += *debt.Balance
		}
	}
	if sum > s.Amount {
		return fault.InvalidField("offer.selectedAccountsToPayoff", "These debts total $"+sum.Whole()+", more than the draw")
	}
	return nil
}
