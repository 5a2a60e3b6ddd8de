package sandbox

import "hearthline/internal/heloc"

// guidelines is the version of the lender's underwriting rules.
const guidelines = "2026.2"

func (v detailsView) underwriting(s *Sandbox) object {
	u := object{
		"decision": v.decision(), "minOfferAmount": nil, "maxOfferAmount": nil, "minOfferRate": nil, "maxOfferRate": nil,
		"softCredit": nil, "hardCredit": nil, "monthlyIncome": nil, "statedMonthlyIncome": v.statedMonthly(),
		"preLoanDti": nil, "postLoanDti": nil, "statedDti": nil, "coDeedStatus": nil,
		"floodInsured": nil, "homeownersInsured": nil, "employmentType": orNull(string(v.Income.EmploymentType)),
		"homeForSaleMlsResponse": nil, "homeForSaleBorrowerAttested": v.Inquiry.Property.IsListedForSale,
		"pricingAsOfDate": nil, "creditAsOfDate": nil, "guidelineVersion": guidelines,
		"offers": []object{}, "selectedOffer": v.selected(s),
	}
	if v.creditKnown() {
		u["softCredit"] = object{"provider": "TRANS_UNION", "score": v.Score, "timestamp": v.dateOrTimestamp(v.Created)}
		u["creditAsOfDate"] = date(v.Created)
		u["monthlyIncome"] = v.monthlyIncome()
		u["preLoanDti"] = v.preDTI()
		u["statedDti"] = shareOf(v.monthlyDebts(), v.statedMonthly())
		u["homeForSaleMlsResponse"] = false
		u["coDeedStatus"] = orNull(string(v.coDeed()))
	}
	if v.Converted {
		u["hardCredit"] = object{"provider": "EXPERIAN", "score": v.Score - 2,
			"timestamp": v.dateOrTimestamp(v.Dates.Disclosed)}
		u["floodInsured"], u["homeownersInsured"] = false, true
	}
	if v.Pricing == nil {
		return u
	}
	offers := v.offers(quote{})
	lowest, highest := *offers[0].Rate, *offers[0].Rate
	for _, o := range offers {
		lowest, highest = min(lowest, *o.Rate), max(highest, *o.Rate)
	}
	u["minOfferAmount"], u["maxOfferAmount"] = v.Pricing.Min, v.Pricing.Max
	u["minOfferRate"], u["maxOfferRate"] = lowest, highest
	u["pricingAsOfDate"] = date(v.Pricing.At)
	u["postLoanDti"] = v.ratio(v.remainingMonthly() + v.linePayment())
	name := "discountList"
	if v.live {
		name = "discounts"
	}
	u["offers"] = s.offersJSON(offers, name, true)
	return u
}

func (v detailsView) decision() any {
	switch {
	case v.Step == heloc.StepNoOffers, !v.Dates.Declined.IsZero():
		return "INELIGIBLE"
	case v.Pricing != nil && !v.Dates.Funded.IsZero():
		return "APPROVED"
	case v.Pricing != nil:
		return "ELIGIBLE"
	case v.Step == heloc.StepUnknown:
		return nil
	default:
		return "PENDING"
	}
}

// coDeedStatus is the progress of the co-deed, which the other owners on the title sign.
type coDeedStatus string

const (
	coDeedNone       coDeedStatus = "" // nobody else owns the home
	coDeedInitial    coDeedStatus = "INITIAL"
	coDeedInProgress coDeedStatus = "IN_PROGRESS"
	coDeedComplete   coDeedStatus = "COMPLETE"
)

// coDeed is in progress from conversion on, until the other owners sign. A funded loan has a signed one.
func (q *inquiryRecord) coDeed() coDeedStatus {
	switch {
	case q.Inquiry.Property.OwnershipType != heloc.OwnershipJoint:
		return coDeedNone
	case !q.Dates.CoDeedSigned.IsZero(), !q.Dates.Funded.IsZero():
		return coDeedComplete
	case q.Converted:
		return coDeedInProgress
	default:
		return coDeedInitial
	}
}

// linePayment is the line's monthly payment, for the post-loan ratio: that of the selected offer, otherwise
// the one that limits the largest draw.
func (v detailsView) linePayment() heloc.Money {
	if v.Selection != nil {
		return v.Selection.payment()
	}
	return v.terms.qualifyingPayment(v.Pricing, v.Pricing.Max)
}

// offersJSON formats offers. The list of discounts has two names in the interface; the live
// service calls floating rates variable and has no fee cap.
func (s *Sandbox) offersJSON(offers []heloc.Offer, discountsName string, feeCap bool) []object {
	lines := make([]object, 0, len(offers))
	for _, o := range offers {
		line := object{
			"uuid": o.UUID, "minAmount": o.MinAmount, "maxAmount": o.MaxAmount, "rate": o.Rate, "primeRate": o.PrimeRate,
			"term": o.Term, "rateType": s.rateType(o.RateType), "originationFeePercent": o.OriginationFeePercent,
			discountsName: discountsJSON(o.Discounts),
		}
		switch {
		case s.cfg.Dialect == Live:
			line["preDiscountOriginationFee"] = o.OriginationFeePercent
		case feeCap:
			line["appliedOriginationFeeCapAmount"] = o.FeeCapAmount
		}
		lines = append(lines, line)
	}
	return lines
}

func (s *Sandbox) rateType(t heloc.OfferRateType) string {
	if t == heloc.RateFloating && s.cfg.Dialect == Live {
		return "VARIABLE"
	}
	return string(t)
}

func discountsJSON(list []heloc.Discount) []object {
	lines := make([]object, 0, len(list))
	for _, d := range list {
		lines = append(lines, object{"type": d.Type, "rateDiscountAmount": d.RateAmount})
	}
	return lines
}

// selected is the offer that the borrower continues with, or null.
func (v detailsView) selected(s *Sandbox) any {
	sel := v.Selection
	if sel == nil {
		return nil
	}
	o := sel.Offer
	selected := object{
		"offerUuid": o.UUID, "loanAmount": sel.Loan, "drawAmount": sel.Amount, "estimatedMonthlyPayment": sel.payment(),
		"rate": sel.Rate, "primeRate": o.PrimeRate, "term": o.Term, "rateType": s.rateType(o.RateType),
		"originationFeePercent": o.OriginationFeePercent, "creditLine": sel.Loan,
		"selectedDiscounts": discountsJSON(sel.Discounts),
	}
	if v.live {
		selected["originationFee"] = o.OriginationFeePercent
		selected["originationFeeAmount"] = sel.Fee
	}
	return selected
}
