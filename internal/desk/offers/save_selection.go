package offers

import (
	"context"

	desklead "hearthline/internal/desk/lead"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// saveSelection returns a function that stores a selection, and what the borrower was shown for it, in the transaction
// that stores its operation.
func (of *Offers) saveSelection(s heloc.OfferSelection) func(context.Context, *store.Tx, lead.Row, string) error {
	saveChoice := desklead.SaveChoice(of.d, heloc.OpSelectOffer, desklead.Choice{Offer: s.OfferUUID, Amount: s.Amount,
		Discounts: s.Discounts, Accounts: s.AccountsToPayoff, Statement: s.Statement})
	return func(ctx context.Context, tx *store.Tx, row lead.Row, id string) error {
		if err := saveChoice(ctx, tx, row, id); err != nil || s.Shown == nil {
			return err
		}
		check := lead.FigureCheck{OpID: id, App: of.d.Row.App, Company: of.d.Row.Company, Offer: s.OfferUUID,
			ShownAt: store.Millis(of.d.Now())}
		check.SetShown(*s.Shown)
		return tx.AddFigureCheck(ctx, check)
	}
}
