package heloc

import "slices"

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
	SelectedDiscounts     []Discount    `json:"selectedDiscounts,omitempty"`

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
