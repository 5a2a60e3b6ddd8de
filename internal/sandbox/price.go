package sandbox

import (
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

// newPricing fixes the pricing. A cleared blocker does not limit the line, so the smallest
// line is always on offer.
func (q *inquiryRecord) newPricing(at time.Time) *pricing {
	lowest := minimumLine(q.Inquiry.Property.Address.State)
	p := &pricing{
		At: at, Min: lowest, Score: q.Score, Value: q.homeValue(), Owed: q.lienTotal(),
		Tiers: [3]heloc.Rate{1_9900, 3_9900, maxFee}, Surcharge: q.surcharge(),
	}
	if stableNumber("tiers", q.ID)%2 == 0 {
		p.Tiers = [3]heloc.Rate{1_5000, 2_9900, maxFee}
	}
	affordable := percentOf(q.monthlyIncome(), maxDTI) - q.monthlyDebts()
	const perThousand = 8_50 // per month for each thousand dollars over thirty years at nine percent
	byIncome := affordable * 1000_00 / perThousand
	// The fee is financed on top of the draw, and the loan including the fee must fit the home.
	byHome := min(q.availableLine(), lineCeiling) * 1_000_000 / (1_000_000 + heloc.Money(maxFee))
	p.Max = max(lowest, min(byHome, byIncome)/100_00*100_00)
	return p
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
	rate += max(-2500, (cltv-60_0000)*3/100) // 0.03 points for each point of CLTV
	rate += (2_9900 - fee) * 35 / 100        // a point of fee reduces the rate by 0.35 points
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
