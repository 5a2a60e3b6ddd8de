package sandbox

import (
	"regexp"
	"strings"

	"hearthline/internal/heloc"
)

// The lender's limits (interface-live.md section 6).
const (
	maxCLTV       = 85_0000 // percent in ten-thousandths, like heloc.Rate
	maxDTI        = 50_0000
	goodScore     = 740
	lowScore      = 610
	minScore      = 640
	minScoreOther = 680 // second homes and investments
)

const (
	incomeFloor   = heloc.Money(24_000_00)
	lineCeiling   = heloc.Money(750_000_00)
	valuationLine = heloc.Money(400_000_00) // larger lines require a property value
	usualValue    = heloc.Money(460_000_00) // the assumed value of a home without an estimate
)

// minimumLine is the smallest line in a state.
func minimumLine(state string) heloc.Money {
	switch state {
	case "AK":
		return 25_001_00
	case "TX":
		return 35_000_00
	default:
		return 15_000_00
	}
}

// underwrite checks the numbers once, at the start, and appends the resulting blockers to
// those of the name. It does not add a blocker that the name already has.
func (q *inquiryRecord) underwrite() {
	add := func(k blockerKind, reason string) {
		for _, h := range q.Blockers {
			if h.Kind == k || h.Kind == kindVague && k == kindUnit {
				return
			}
		}
		q.Blockers = append(q.Blockers, blocker{Kind: k, Reason: reason})
	}
	if severalUnits(q.Inquiry.Property.Address) {
		add(kindUnit, "")
	}
	lowIncome := amount(q.Inquiry.Applicant.Income.GrossAnnual) < incomeFloor
	if lowIncome {
		add(kindAssets, "")
	}
	if q.Inquiry.Property.EstimatedValue == nil && min(q.availableLine(), lineCeiling) > valuationLine {
		add(kindValue, "")
	}
	if score := q.requiredScore(); q.Score < score {
		add(kindNone, reasonScore)
	}
	if q.availableLine() < minimumLine(q.Inquiry.Property.Address.State) {
		if q.availableLine()+q.secondLiens() >= minimumLine(q.Inquiry.Property.Address.State) {
			add(kindPayoff, "")
		} else {
			add(kindNone, reasonCLTV)
		}
	}
	// While the lender waits for income data, the debt-to-income ratio is not checked.
	income := q.monthlyIncome()
	if !lowIncome && !q.hasBlocker(kindAssets) && exceeds(q.monthlyDebts(), income, maxDTI) {
		if !exceeds(q.monthlyDebts()-q.payableMonthly(), income, maxDTI) {
			add(kindPayoff, "")
		} else {
			add(kindNone, reasonDTI)
		}
	}
}

func (q *inquiryRecord) hasBlocker(k blockerKind) bool {
	for _, h := range q.Blockers {
		if h.Kind == k {
			return true
		}
	}
	return false
}

func (q *inquiryRecord) requiredScore() int {
	if q.isPrimaryResidence() {
		return minScore
	}
	return minScoreOther
}

// homeValue is the assumed value of the home: the borrower's estimate, otherwise a typical
// value, or more if its loans were large.
func (q *inquiryRecord) homeValue() heloc.Money {
	if v := q.Inquiry.Property.EstimatedValue; v != nil && *v > 0 {
		return *v
	}
	var original heloc.Money
	for _, l := range q.Inquiry.Property.Liens {
		original += amount(l.OriginalBalance)
	}
	return max(usualValue, divide(original*8, 5))
}

// lienTotal is the sum of the existing liens.
func (q *inquiryRecord) lienTotal() heloc.Money {
	var sum heloc.Money
	for _, l := range q.Liens {
		sum += lienBalance(l)
	}
	return sum
}

// lienBalance is the current balance, or the original one if it is unknown.
func lienBalance(l heloc.Lien) heloc.Money {
	if l.CurrentBalance != nil {
		return *l.CurrentBalance
	}
	return amount(l.OriginalBalance)
}

// secondLiens is the balance of the junior liens, whose payoff increases the available line.
func (q *inquiryRecord) secondLiens() heloc.Money {
	var sum heloc.Money
	for i, l := range q.Liens {
		if i > 0 {
			sum += lienBalance(l)
		}
	}
	return sum
}

// availableLine is the line that the combined loan-to-value limit allows, with the liens that are to be
// paid off.
func (q *inquiryRecord) availableLine() heloc.Money {
	return percentOf(q.homeValue(), maxCLTV) - q.remainingLiens()
}

// monthlyIncome is a twelfth of the annual income.
func (q *inquiryRecord) monthlyIncome() heloc.Money { return divide(yearly(q.Income), 12) }

// statedMonthly is a twelfth of the income stated at the start.
func (q *inquiryRecord) statedMonthly() heloc.Money {
	return divide(yearly(q.Inquiry.Applicant.Income), 12)
}

func yearly(i heloc.Income) heloc.Money {
	return amount(i.GrossAnnual) + amount(i.OtherAnnual) + amount(i.RetirementAnnual) +
		amount(i.InvestmentAnnual) + amount(i.BusinessAnnual)
}

func (q *inquiryRecord) preDTI() heloc.Rate { return q.ratio(q.monthlyDebts()) }

// ratio is a monthly sum as a percentage of the monthly income; a thousand percent
// when there is no income.
func (q *inquiryRecord) ratio(monthly heloc.Money) heloc.Rate {
	return shareOf(monthly, q.monthlyIncome())
}

// shareOf is a part as a percentage of the whole, rounded half up to two decimals.
func shareOf(part, whole heloc.Money) heloc.Rate {
	const limit = heloc.Rate(1000_0000)
	if whole <= 0 {
		return limit
	}
	return min(limit, heloc.Rate(divideHalfUp(int64(part)*10_000, int64(whole))*100))
}

// exceeds reports whether a part is more than a percentage of the whole; unlike shareOf, it does not round.
func exceeds(part, whole heloc.Money, limit heloc.Rate) bool {
	return whole <= 0 || int64(part)*1_000_000 > int64(limit)*int64(whole)
}

// divide is a sum divided into parts, rounded half up to the cent.
func divide(sum, parts heloc.Money) heloc.Money {
	return heloc.Money(divideHalfUp(int64(sum), int64(parts)))
}

// divideHalfUp rounds half up, also below zero: -2.5 is -2. The divisor must be positive.
func divideHalfUp(n, d int64) int64 {
	n, d = 2*n+d, 2*d
	quotient := n / d
	if n%d < 0 {
		quotient--
	}
	return quotient
}

func amount(m *heloc.Money) heloc.Money {
	if m == nil {
		return 0
	}
	return *m
}

// severalUnits reports whether the address has several street numbers ("12-18 Elm
// Street", "12 1/2") and no unit.
func severalUnits(a heloc.Address) bool {
	if a.Street2 != "" || regexp.MustCompile(`(?i)\b(apt|unit|ste|suite|#)`).MatchString(a.Street1) {
		return false
	}
	number, _, _ := strings.Cut(strings.TrimSpace(a.Street1), " ")
	return regexp.MustCompile(`^\d+[-/]\d+$`).MatchString(number)
}
