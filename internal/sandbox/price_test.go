package sandbox

import (
	"testing"

	"hearthline/internal/heloc"
)

// TestPrices: rates stay inside their limits, fall with the fee and rise with the risk.
func TestPrices(t *testing.T) {
	t.Parallel()
	for _, score := range []int{640, 660, 680, 700, 720, 740, 760, 780, 820} {
		for _, owed := range []heloc.Money{0, 200_000_00, 400_000_00} {
			for _, surcharge := range []heloc.Rate{0, 6500, 1_1000} {
				p := &pricing{Score: score, Value: 640_000_00, Owed: owed, Surcharge: surcharge}
				for _, term := range terms() {
					lowFeeRate, highFeeRate := p.fixedRate(50_000_00, 1_5000, term), p.fixedRate(50_000_00, maxFee, term)
					if lowFeeRate < lowestRate || lowFeeRate > highestRate || highFeeRate < lowestRate || highFeeRate > lowFeeRate {
						t.Errorf("score %d, owed %s, term %d: got %s at 1.50 and %s at 4.99", score, owed, term, lowFeeRate, highFeeRate)
					}
					if margin := p.variableRate(50_000_00, maxFee, term) - primeRate; margin <= 0 {
						t.Errorf("score %d: margin over prime: got %s, want more than zero", score, margin)
					}
				}
			}
		}
	}
}

// TestPricing_LargestLoan_WithinCLTV: including the highest fee, the combined loan to value
// stays within its limit of the stated value, which the valuation exceeds by two percent at most.
func TestPricing_LargestLoan_WithinCLTV(t *testing.T) {
	t.Parallel()
	g := newHarness(t, Config{})
	payload := g.payload("Rivera")
	withField("applicant.income", "grossAnnualIncome", 900000)(payload)
	id := g.start(payload)
	largest := g.appData(id)["underwriting"].(object)["maxOfferAmount"]
	for _, o := range g.appData(id)["underwriting"].(object)["offers"].([]any) {
		if offer := o.(object); offer["originationFeePercent"] == 4.99 {
			g.operate("PUT", id, "select-offer", object{"offer": object{
				"offerUuid": offer["uuid"], "selectedOfferAmount": largest, "selectedDiscounts": []string{},
				"selectedAccountsToPayoff": []string{},
			}})
			break
		}
	}
	if got := g.appData(id)["propertyValue"].(object)["postLoanCltv"].(float64); got > 85 || got < 83 {
		t.Errorf("CLTV of the largest loan: got %v, want just inside 85", got)
	}
}
