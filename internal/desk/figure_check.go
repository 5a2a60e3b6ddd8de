package desk

import (
	"context"
	"strings"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// FigureComparison is what the borrower was shown for the selected offer beside what the lender booked. Without Differ,
// they are the same or there is nothing to compare.
type FigureComparison struct {
	Shown, Booked heloc.OfferFigures
	Differ        []heloc.Figure
}

// saveSelection returns a function that stores a selection, and what the borrower was shown for it, in the transaction
// that stores its operation.
func (l *Lead) saveSelection(s heloc.OfferSelection) func(context.Context, *store.Tx, string) error {
	saveChoice := l.saveChoice(heloc.OpSelectOffer, choice{Offer: s.OfferUUID, Amount: s.Amount, Discounts: s.Discounts, Accounts: s.AccountsToPayoff, Statement: s.Statement})
	return func(ctx context.Context, tx *store.Tx, id string) error {
		if err := saveChoice(ctx, tx, id); err != nil || s.Shown == nil {
			return err
		}
		check := lead.FigureCheck{OpID: id, App: l.row.App, Company: l.row.Company, Offer: s.OfferUUID, ShownAt: store.Millis(l.d.now())}
		check.SetShown(*s.Shown)
		return tx.AddFigureCheck(ctx, check)
	}
}

// compareFigures compares what the borrower was shown for the current selection with the lender's selected offer.
func (l *Lead) compareFigures(ctx context.Context, s *heloc.SelectedOffer) (FigureComparison, error) {
	booked, ok := heloc.BookedFigures(s)
	if !ok || l.awaitsLender() { // the lender may still show what was selected before
		return FigureComparison{}, nil
	}
	check, err := l.d.store.FigureCheck(ctx, l.row.App)
	if err != nil || check == nil || !strings.EqualFold(check.Offer, s.OfferUUID) {
		return FigureComparison{}, err
	}
	shown := check.Shown()
	return FigureComparison{Shown: shown, Booked: booked, Differ: shown.Differences(booked)}, nil
}
