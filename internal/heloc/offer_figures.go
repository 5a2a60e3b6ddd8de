package heloc

import "slices"

// OfferFigures are the figures of an offer at a draw: those that the borrower was shown, or those that the lender
// booked. Nil means that a figure is not known.
type OfferFigures struct {
	RateType   OfferRateType
	Amount     *Money   // the draw
	Rate       *Rate    // after the discounts
	Discounts  []string // their types, sorted
	Payment    *Money   // the first monthly payment
	LoanAmount *Money
	Fee        *Money
}

// Figure is one of OfferFigures.
type Figure string

// The figures. The first three are chosen, the others follow from them.
const (
	FigureAmount     Figure = "amount"
	FigureRate       Figure = "rate"
	FigureDiscounts  Figure = "discounts"
	FigurePayment    Figure = "payment"
	FigureLoanAmount Figure = "loan-amount"
	FigureFee        Figure = "fee"
)

// FigureOutcome is the result of comparing what was shown with what was booked.
type FigureOutcome string

// The outcomes. If the lender booked a different amount, rate or discount, the payment and the loan amount cannot be
// used to check our payment model.
const (
	FiguresMatched      FigureOutcome = "matched"
	FiguresDiffered     FigureOutcome = "differed"
	FiguresIncomparable FigureOutcome = "incomparable"
)

// BookedFigures returns the figures of the lender's selected offer. ok is false if the lender's response lacks one of
// them or contradicts itself, so that it says nothing.
func BookedFigures(s *SelectedOffer) (f OfferFigures, ok bool) {
	if s == nil || s.OfferUUID == "" || s.DrawAmount == nil || s.Rate == nil || s.MonthlyPayment == nil ||
		s.LoanAmount == nil {
		return OfferFigures{}, false
	}
	fee := s.Fee()
	contradicts := *s.DrawAmount <= 0 || *s.LoanAmount < *s.DrawAmount || *s.MonthlyPayment <= 0 ||
		*s.MonthlyPayment > *s.LoanAmount || *s.Rate < 0
	if fee == nil || *fee < 0 || contradicts {
		return OfferFigures{}, false
	}
	f = OfferFigures{RateType: s.RateType, Amount: s.DrawAmount, Rate: s.Rate, Payment: s.MonthlyPayment,
		LoanAmount: s.LoanAmount, Fee: fee}
	for _, d := range s.SelectedDiscounts {
		f.Discounts = append(f.Discounts, string(d.Type))
	}
	slices.Sort(f.Discounts)
	return f, true
}

// Fee is the origination fee as an amount: only the live service states it; otherwise it is the lender's percentage of
// the lender's draw. It is nil if neither is known.
func (s SelectedOffer) Fee() *Money {
	if s.OriginationFeeAmount != nil || s.OriginationFeePercent == nil || s.DrawAmount == nil {
		return s.OriginationFeeAmount
	}
	amount := FeeAmount(*s.DrawAmount, *s.OriginationFeePercent)
	return &amount
}

// Differences lists the figures that were booked otherwise than shown, in the order of the constants. Amounts may
// differ by a cent. A figure that is not known on one side is not compared.
func (f OfferFigures) Differences(booked OfferFigures) []Figure {
	var differ []Figure
	add := func(figure Figure, different bool) {
		if different {
			differ = append(differ, figure)
		}
	}
	add(FigureAmount, moneyDiffers(f.Amount, booked.Amount))
	add(FigureRate, f.Rate != nil && booked.Rate != nil && *f.Rate != *booked.Rate)
	add(FigureDiscounts, !slices.Equal(f.Discounts, booked.Discounts))
	add(FigurePayment, moneyDiffers(f.Payment, booked.Payment))
	add(FigureLoanAmount, moneyDiffers(f.LoanAmount, booked.LoanAmount))
	add(FigureFee, moneyDiffers(f.Fee, booked.Fee))
	return differ
}

func moneyDiffers(a, b *Money) bool {
	return a != nil && b != nil && !SameCents(*a, *b)
}

// FigureOutcomeOf returns the outcome of a comparison with these differences.
func FigureOutcomeOf(differ []Figure) FigureOutcome {
	switch {
	case slices.Contains(differ, FigureAmount), slices.Contains(differ, FigureRate),
		slices.Contains(differ, FigureDiscounts):
		return FiguresIncomparable
	case len(differ) > 0:
		return FiguresDiffered
	default:
		return FiguresMatched
	}
}
