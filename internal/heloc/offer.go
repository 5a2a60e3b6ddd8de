package heloc

import (
	"slices"
	"strings"
	"unicode"
)

// Offer is one priced offer (section 2.3). Term is in months unless a deployment is
// configured otherwise; Rate and OriginationFeePercent are percent; there is no payment and no APR.
type Offer struct {
	UUID                  string        `json:"uuid,omitempty"`
	MinAmount             *Money        `json:"minAmount,omitempty"`
	MaxAmount             *Money        `json:"maxAmount,omitempty"`
	Rate                  *Rate         `json:"rate,omitempty"`
	PrimeRate             *Rate         `json:"primeRate,omitempty"`
	Term                  *Count        `json:"term,omitempty"`
	RateType              OfferRateType `json:"rateType,omitempty"`
	OriginationFeePercent *Rate         `json:"originationFeePercent,omitempty"`
	FeeCapAmount          *Money        `json:"appliedOriginationFeeCapAmount,omitempty"`
	Discounts             []Discount    `json:"discountList,omitempty"`

	// Only from the live service:
	PreDiscountOriginationFee *Rate `json:"preDiscountOriginationFee,omitempty"`
}

// FindOffer finds an offer by its id; an empty id has none.
func FindOffer(offers []Offer, id string) (Offer, bool) {
	at := slices.IndexFunc(offers, func(o Offer) bool { return id != "" && o.UUID == id })
	if at < 0 {
		return Offer{}, false
	}
	return offers[at], true
}

// Discount is a rate reduction in percentage points.
type Discount struct {
	Type       DiscountType `json:"type,omitempty"`
	RateAmount *Rate        `json:"rateDiscountAmount,omitempty"`
}

// SelectedOffer is the selected offer, with the lender's own payment estimate.
type SelectedOffer struct {
	OfferUUID             string        `json:"offerUuid,omitempty"`
	LoanAmount            *Money        `json:"loanAmount,omitempty"`
	DrawAmount            *Money        `json:"drawAmount,omitempty"`
	MonthlyPayment        *Money        `json:"estimatedMonthlyPayment,omitempty"`
	Rate                  *Rate         `json:"rate,omitempty"`
	PrimeRate             *Rate         `json:"primeRate,omitempty"`
	Term                  *Count        `json:"term,omitempty"`
	RateType              OfferRateType `json:"rateType,omitempty"`
	OriginationFeePercent *Rate         `json:"originationFeePercent,omitempty"`
	CreditLine            *Money        `json:"creditLine,omitempty"`
	SelectedDiscounts     []Discount    `json:"selectedDiscounts"` // nil if the lender didn't say; empty if there are none

	// Only from the live service:
	OriginationFee       *Rate  `json:"originationFee,omitempty"`
	OriginationFeeAmount *Money `json:"originationFeeAmount,omitempty"`
}

// QuoteRequest requests offers (calculate-offers, section 4.2). Amount is the net draw, or,
// with accounts to pay off, the total before LiabilityPayoff is subtracted.
type QuoteRequest struct {
	Amount            *Money   `json:"amount,omitempty"`
	OriginationFee    *Rate    `json:"originationFee,omitempty"`
	LiabilityPayoff   *Money   `json:"liabilityPayoffAmount,omitempty"`
	AccountIDs        []string `json:"accountIds,omitempty"`
	AutopayDiscount   bool     `json:"autoPayDiscountEnabled"`
	CreditUnionMember bool     `json:"cuDiscountEnabled"`
}

// Quote is the response of calculate-offers (section 2.4).
type Quote struct {
	RequestUUID string  `json:"requestUuid,omitempty"`
	MaxFee      *Money  `json:"ofeeMaxThreshold,omitempty"`
	Offers      []Offer `json:"offers,omitempty"`
}

// PayoffOffers is the response of direct-debt-payoff-offers (section 2.4).
type PayoffOffers struct {
	Organization string  `json:"organization,omitempty"`
	AppUUID      AppID   `json:"appUuid,omitempty"`
	Offers       []Offer `json:"offers,omitempty"`
}

// OfferSelection selects an offer (select-offer, section 4.4).
type OfferSelection struct {
	OfferUUID        string   `json:"offerUuid"`
	Amount           Money    `json:"selectedOfferAmount"`
	Discounts        []string `json:"selectedDiscounts"`
	AccountsToPayoff []string `json:"selectedAccountsToPayoff"`

	// Statement is the sentence that the originator confirmed, with the figures as shown. It is stored with the operation
	// and never sent.
	Statement string `json:"-"`

	// Shown are the figures that the borrower was shown for this selection. They are stored to be compared with what the
	// lender books, and never sent. Nil if none were shown.
	Shown *OfferFigures `json:"-"`
}

// Autopay reports whether autoPayDiscountEnabled applies to the discount. The lender does
// not document the types, so the comparison ignores case and separators.
func (t DiscountType) Autopay() bool { return strings.HasPrefix(t.plain(), "AUTOPAY") }

// CreditUnion reports whether cuDiscountEnabled applies to the discount.
func (t DiscountType) CreditUnion() bool {
	plain := t.plain()
	return strings.HasPrefix(plain, "CREDITUNION") || plain == "CU" || plain == "CUDISCOUNT" || plain == "CUMEMBER"
}

func (t DiscountType) plain() string {
	return strings.Map(func(r rune) rune {
		switch r {
		case '_', '-', ' ':
			return -1
		default:
			return unicode.ToUpper(r)
		}
	}, string(t))
}

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
