package sandbox

import (
	"testing"

	"hearthline/internal/heloc"
)

// TestPrices stay inside what borrowers see, fall with the fee and rise with the risk.
func TestPrices(t *testing.T) {
	for _, score := range []int{640, 660, 680, 700, 720, 740, 760, 780, 820} {
		for _, owed := range []heloc.Money{0, 200_000_00, 400_000_00} {
			for _, surcharge := range []heloc.Rate{0, 6500, 1_1000} {
				p := &pricing{Score: score, Value: 640_000_00, Owed: owed, Surcharge: surcharge}
				for _, term := range terms() {
					dear, cheap := p.fixedRate(50_000_00, 1_5000, term), p.fixedRate(50_000_00, maxFee, term)
					if dear < lowestRate || dear > highestRate || cheap < lowestRate || cheap > dear {
						t.Errorf("score %d, owed %s, term %d: got %s at 1.50 and %s at 4.99", score, owed, term, dear, cheap)
					}
					if margin := p.variableRate(50_000_00, maxFee, term) - primeRate; margin <= 0 {
						t.Errorf("score %d: margin over prime: got %s, want more than none", score, margin)
					}
				}
			}
		}
	}
}

// TestLargestLoanFitsTheHome: with the highest fee on top, the combined loan to value
// stays inside its limit.
func TestLargestLoanFitsTheHome(t *testing.T) {
	g := open(t, Config{})
	payload := g.payload("Rivera")
	set("applicant.income", "grossAnnualIncome", 900000)(payload)
	id := g.start(payload)
	largest := g.app(id)["underwriting"].(obj)["maxOfferAmount"]
	for _, o := range g.app(id)["underwriting"].(obj)["offers"].([]any) {
		if offer := o.(obj); offer["originationFeePercent"] == 4.99 {
			g.act("PUT", id, "select-offer", obj{"offer": obj{
				"offerUuid": offer["uuid"], "selectedOfferAmount": largest, "selectedDiscounts": []string{}, "selectedAccountsToPayoff": []string{},
			}})
			break
		}
	}
	if got := g.app(id)["propertyValue"].(obj)["postLoanCltv"].(float64); got > 85 || got < 84 {
		t.Errorf("CLTV of the largest loan: got %v, want just inside 85", got)
	}
}
