package lead

import "hearthline/internal/heloc"

// BorrowerQuote is what a borrower is shown of their offers: figures and dates, without texts, so that both
// languages show the same. Nothing in it identifies the borrower, the property or the lead, because a
// shared link shows it to whoever has the link.
type BorrowerQuote struct {
	PreparedOn heloc.Date `json:"preparedOn"` // in the calendar of the user who prepared it
	PricedAsOf heloc.Date `json:"pricedAsOf,omitempty"`
	Expires    heloc.Date `json:"expires,omitempty"` // when the lender's inquiry expires; empty if unknown
	// the last day of a shared link, in the calendar of who shared it
	LinkExpires  heloc.Date         `json:"linkExpires,omitempty"`
	Draw         heloc.Money        `json:"draw"`
	FeeMethod    heloc.FeeMethod    `json:"feeMethod"`
	PricedAtDraw bool               `json:"pricedAtDraw"` // whether the lender priced the offers for this draw
	SoftInquiry  bool               `json:"softInquiry"`  // whether nothing beyond the inquiry has happened yet
	Offers       []BorrowerOffer    `json:"offers,omitempty"`
	MoreOffers   bool               `json:"moreOffers,omitempty"` // there are more than are shown
	Debts        []BorrowerDebt     `json:"debts,omitempty"`
	Discounts    []BorrowerDiscount `json:"discounts,omitempty"`
}

// BorrowerOffer is one offer. What is nil is unknown.
type BorrowerOffer struct {
	RateType  heloc.OfferRateType `json:"rateType"`
	Months    int                 `json:"months"`
	Rate      *heloc.Rate         `json:"rate,omitempty"`
	Fee       *heloc.Rate         `json:"fee,omitempty"`
	MinAmount *heloc.Money        `json:"min,omitempty"`
	MaxAmount *heloc.Money        `json:"max,omitempty"`

	InterestOnly bool `json:"interestOnly,omitempty"` // interest only during the draw period
	DrawMonths   int  `json:"drawMonths,omitempty"`   // the draw period; zero if there is none or it is unknown
	NoPayment    bool `json:"noPayment,omitempty"`    // how it is repaid is unknown
}

// BorrowerDebt is a debt that the line would pay off.
type BorrowerDebt struct {
	Creditor string       `json:"creditor,omitempty"`
	Balance  *heloc.Money `json:"balance,omitempty"`
	Payment  heloc.Money  `json:"payment,omitempty"` // monthly, as the borrower reported it; zero if unknown
}

// BorrowerDiscount is a discount that was asked for.
type BorrowerDiscount struct {
	Type     heloc.DiscountType `json:"type"`
	Rate     *heloc.Rate        `json:"rate,omitempty"`
	Included bool               `json:"included"` // in the rates; otherwise it may lower them
	// the rates include it as we estimate it; the lender has not priced it in
	Estimated bool `json:"estimated,omitempty"`
}

// PaysOff is the total of the debts.
func (q BorrowerQuote) PaysOff() heloc.Money {
	var sum heloc.Money
	for _, d := range q.Debts {
		if d.Balance != nil {
			sum += *d.Balance
		}
	}
	return sum
}

// Estimate returns an offer at the draw, for our estimates. Without a rate, or with an amount out of the offer's range,
// it has no payment.
func (q BorrowerQuote) Estimate(o BorrowerOffer) heloc.PricedOffer {
	at := heloc.PricedOffer{Draw: q.Draw, Months: o.Months, Method: q.FeeMethod, InterestOnly: o.InterestOnly,
		DrawMonths: o.DrawMonths}
	if o.Fee != nil {
		at.Fee = *o.Fee
	}
	if o.Rate == nil || o.NoPayment || !o.InRange(q.Draw) {
		at.Months = 0
		return at
	}
	at.Rate = *o.Rate
	return at
}

// InRange reports whether the offer is available at a draw.
func (o BorrowerOffer) InRange(draw heloc.Money) bool {
	return (o.MaxAmount == nil || draw <= *o.MaxAmount) && (o.MinAmount == nil || draw >= *o.MinAmount)
}
