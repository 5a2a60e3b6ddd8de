package lead

import (
	"context"
	"strings"

	"hearthline/internal/heloc"
)

// FigureComparison is what the borrower was shown for the selected offer beside what the lender booked. Without Differ,
// they are the same or there is nothing to compare.
type FigureComparison struct {
	Shown, Booked heloc.OfferFigures
	Differ        []heloc.Figure
}

// compareFigures compares what the borrower was shown for the current selection with the lender's selected offer.
func (l *Lead) compareFigures(ctx context.Context, s *heloc.SelectedOffer) (FigureComparison, error) {
	booked, ok := heloc.BookedFigures(s)
	if !ok || l.d.Row.AwaitsLender() { // the lender may still show what was selected before
		return FigureComparison{}, nil
	}
	check, err := l.d.Store.FigureCheck(ctx, l.d.Row.App)
	if err != nil || check == nil || !strings.EqualFold(check.Offer, s.OfferUUID) {
		return FigureComparison{}, err
	}
	shown := check.Shown()
	return FigureComparison{Shown: shown, Booked: booked, Differ: shown.Differences(booked)}, nil
}
