package sandbox

import (
	"sort"
	"time"

	"hearthline/internal/heloc"
)

// primeRate is the basis of every variable offer (interface-live.md section 6).
const primeRate = heloc.Rate(6_7500)

// All offered rates are between these.
const (
	lowestRate  = heloc.Rate(6_6500)
	highestRate = heloc.Rate(14_6000)
)

// maxFee is the highest origination fee, in percent.
const maxFee = heloc.Rate(4_9900)

// The discounts of every offer; the interface does not specify the types.
const (
	discountAutopay     = "AUTOPAY"
	discountCreditUnion = "CREDIT_UNION"
)

func discounts() []heloc.Discount {
	autopay, creditUnion := heloc.Rate(2500), heloc.Rate(5000)
	return []heloc.Discount{
		{Type: discountAutopay, RateAmount: &autopay},
		{Type: discountCreditUnion, RateAmount: &creditUnion},
	}
}

func terms() []int { return []int{60, 120, 180, 360} }

// pricing is what determines the offers of an inquiry. It is fixed when offers first become
// available, so that the same offers can be computed again at any time.
type pricing struct {
	At        time.Time
	Min, Max  heloc.Money
	Score     int
	Value     heloc.Money
	Owed      heloc.Money
	Tiers     [3]heloc.Rate
	Surcharge heloc.Rate // for homes other than a primary residence
}

// newPricing fixes the pricing. The largest draw, with the highest fee if it is financed on top, fits the limit of
// the combined loan to value and the lender's largest line, and its payment fits the debt-to-income limit.
// It is rounded down to $100, because rounding up would exceed the limit. A cleared blocker does not limit
// the line, so the smallest line is always on offer.
func (q *inquiryRecord) newPricing(at time.Time) *pricing {
	lowest := minimumLine(q.Inquiry.Property.Address.State)
	p := &pricing{
		At: at, Min: lowest, Score: q.Score, Value: q.homeValue(), Owed: q.remainingLiens(),
		Tiers: [3]heloc.Rate{1_9900, 3_9900, maxFee}, Surcharge: q.surcharge(),
	}
	if stableNumber("tiers", q.ID)%2 == 0 {
		p.Tiers = [3]heloc.Rate{1_5000, 2_9900, maxFee}
	}
	const step = heloc.Money(100_00)
	ceiling := min(q.availableLine(), lineCeiling)
	affordable := percentOf(q.monthlyIncome(), maxDTI) - q.remainingMonthly()
	tooLarge := sort.Search(int(lineCeiling/step)+1, func(steps int) bool {
		draw := heloc.Money(steps) * step
		return q.terms.loan(draw, maxFee) > ceiling || q.terms.qualifyingPayment(p, draw) > affordable
	})
	p.Max = max(lowest, heloc.Money(tooLarge-1)*step)
	return p
}

// qualifyingPayment is the payment that the debt-to-income limit applies to: the highest that a draw has
// at any of the fees, fixed over the longest term.
func (t loanTerms) qualifyingPayment(p *pricing, draw heloc.Money) heloc.Money {
	const longest = 360
	var highest heloc.Money
	for _, fee := range p.Tiers {
		highest = max(highest, levelPayment(t.loan(draw, fee), p.fixedRate(draw, fee, longest), longest))
	}
	return highest
}

func (q *inquiryRecord) surcharge() heloc.Rate {
	switch q.Inquiry.Property.PropertyType {
	case heloc.PropertySecondary:
		return 6500
	case heloc.PropertyInvestment:
		return 1_1000
	default:
		return 0
	}
}

// fixedRate prices a draw at a fee over a term, before discounts.
func (p *pricing) fixedRate(draw heloc.Money, fee heloc.Rate, term int) heloc.Rate {
	rate := heloc.Rate(7_8500) + scoreRate(p.Score) + p.Surcharge
	cltv := shareOf(p.Owed+draw, p.Value)
	// 0.03 points for each point of CLTV, and a point of fee reduces the rate by 0.35 points.
	rate += max(-2500, heloc.Rate(divideHalfUp(int64(cltv-60_0000)*3, 100)))
	rate += heloc.Rate(divideHalfUp(int64(2_9900-fee)*35, 100))
	switch term {
	case 60:
		rate -= 3500
	case 120:
		rate -= 1500
	case 360:
		rate += 3500
	}
	const step = 500 // rates are quoted in steps of 0.05
	return max(lowestRate, min(highestRate, (rate+step/2)/step*step))
}

// variableRate is based on prime and a little below the fixed rate of the same offer.
func (p *pricing) variableRate(draw heloc.Money, fee heloc.Rate, term int) heloc.Rate {
	return max(primeRate+1000, p.fixedRate(draw, fee, term)-4000)
}

func scoreRate(score int) heloc.Rate {
	switch {
	case score >= 780:
		return -3500
	case score >= 760:
		return -2000
	case score >= 740:
		return 0
	case score >= 720:
		return 2500
	case score >= 700:
		return 5000
	case score >= 680:
		return 9000
	case score >= 660:
		return 1_5000
	default:
		return 2_2000
	}
}
