package sandbox

import (
	"fmt"

	"hearthline/internal/heloc"
)

// property is the county's data about the home; null until it is clear which property is meant.
func (v detailsView) property() object {
	kind := orNull(string(v.Inquiry.Property.PropertyType))
	if v.Step == heloc.StepUnknown || v.Step == heloc.StepSelectProperty {
		return object{
			"county": nil, "propertyType": kind, "vendorPropertyId": nil, "propertyUuid": nil, "lotSquareFeet": nil,
			"propertyFloodZone": nil, "landUseDescription": nil, "landUseCode": nil, "buildingGrossArea": nil,
			"propertyAcres": nil,
		}
	}
	at := v.Inquiry.Property.Address
	roll := stableNumber("home", at.Street1, at.ZIP)
	square := 4_200 + int(roll%90)*100
	use, code := "SINGLE FAMILY RESIDENCE", "1001"
	if v.Property != "" {
		use, code = "CONDOMINIUM", "1004"
	}
	return object{
		"county": county(at), "propertyType": kind, "vendorPropertyId": fmt.Sprint(100_000_000 + roll%900_000_000),
		"propertyUuid": derivedID("home", at.Street1, at.ZIP), "lotSquareFeet": square, "propertyFloodZone": "X",
		"landUseDescription": use, "landUseCode": code, "buildingGrossArea": 1_250 + int(roll/91%180)*10,
		"propertyAcres": float64(divideHalfUp(int64(square)*100, 43_560)) / 100,
	}
}

// county is invented, but always the same for a town.
func county(a heloc.Address) string {
	names := []string{"Jefferson", "Washington", "Lincoln", "Franklin", "Madison", "Monroe", "Clay", "Marion"}
	return names[stableNumber("county", a.State, a.City)%uint32(len(names))]
}

func (v detailsView) propertyLiens() []object {
	lines := make([]object, 0, len(v.Liens))
	for _, l := range v.Liens {
		lines = append(lines, object{
			"lienUuid": l.LienUUID, "originationDate": orNull(string(l.OriginationDate)), "lenderName": orNull(l.LenderName),
			"originalBalance": l.OriginalBalance, "currentBalance": l.CurrentBalance,
			"monthlyPayment": l.MonthlyPayment, "lienPosition": l.Position,
		})
	}
	return lines
}

// propertyValue also contains the ratios to the automated valuation once there is one. The adjusted ones and those
// after the loan do not count the liens that are to be paid off.
func (v detailsView) propertyValue() object {
	value := object{
		"borrowerEstimatedValue": v.Inquiry.Property.EstimatedValue, "propertyAvmValue": nil, "preLoanCltv": nil,
		"postLoanCltv": nil, "preLoanAdjCltv": nil, "postLoanAdjCltv": nil, "postLoanAdjMinCltv": nil,
	}
	if !v.creditKnown() || v.Step == heloc.StepPropertyValue {
		return value
	}
	valuation := v.avm()
	value["propertyAvmValue"] = valuation
	value["preLoanCltv"], value["preLoanAdjCltv"] = shareOf(v.lienTotal(), valuation),
		shareOf(v.remainingLiens(), valuation)
	if largest, smallest, ok := v.loans(); ok {
		post := shareOf(v.remainingLiens()+largest, valuation)
		value["postLoanCltv"], value["postLoanAdjCltv"] = post, post
		value["postLoanAdjMinCltv"] = shareOf(v.remainingLiens()+smallest, valuation)
	}
	return value
}

// avm is the automated valuation: up to two percent above the assumed home value, which limits the line.
func (v detailsView) avm() heloc.Money {
	roll := heloc.Money(stableNumber("avm", v.ID) % 21)
	return divide(v.homeValue()+divide(v.homeValue()*roll, 1000), 1000_00) * 1000_00
}

// loans are the loan amounts for the post-loan ratios, including the fee: the selected one, otherwise the
// largest and the smallest on offer.
func (q *inquiryRecord) loans() (largest, smallest heloc.Money, ok bool) {
	switch {
	case q.Selection != nil:
		return q.Selection.Loan, q.Selection.Loan, true
	case q.Pricing != nil:
		return q.terms.loan(q.Pricing.Max, maxFee), q.terms.loan(q.Pricing.Min, q.Pricing.Tiers[0]), true
	default:
		return 0, 0, false
	}
}

// creditKnown reports whether a credit report is available.
func (q *inquiryRecord) creditKnown() bool {
	switch q.Step {
	case heloc.StepUnknown, heloc.StepCreditMatch, heloc.StepUnfreezeCredit, heloc.StepSelectProperty:
		return false
	default:
		return true
	}
}
