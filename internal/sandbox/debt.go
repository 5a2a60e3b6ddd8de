package sandbox

import (
	"hash/fnv"

	"hearthline/internal/heloc"
)

// debt is one entry of the borrower's credit report, generated from the borrower's
// identity, so that the same borrower always has the same debts.
type debt struct {
	ID       string
	Creditor string
	Type     heloc.LiabilityType
	SubType  heloc.LiabilitySubType
	RateType heloc.LiabilityRateType
	Digits   string
	Balance  heloc.Money
	Monthly  heloc.Money
	Rate     heloc.Rate
	Lien     bool   // a junior lien: paying it off increases the available line
	Reason   string // why it cannot be paid off; empty if it can
	Why      string
}

// debts lists the borrower's liabilities. Details include them only once credit is known.
func (q *inquiryRecord) debts() []debt {
	applicant := q.Inquiry.Applicant
	roll := stableNumber("debts", applicant.Name.First, applicant.Name.Last, string(applicant.DateOfBirth))
	card := heloc.Dollars(2_400 + int64(roll%61)*100)
	store := heloc.Dollars(900 + int64(roll/61%26)*50)
	personal := heloc.Dollars(6_000 + int64(roll/7%40)*250)
	list := []debt{
		{
			Creditor: "Cardinal Bank", Type: "CREDIT_CARD", SubType: "UNSECURED", RateType: "VARIABLE",
			Balance: card, Monthly: divide(card, 40), Rate: heloc.Percent(22.99),
		},
		{
			Creditor: "Harvest Stores Card", Type: "CREDIT_CARD", SubType: "CHARGE", RateType: "VARIABLE",
			Balance: store, Monthly: divide(store, 30), Rate: heloc.Percent(28.49),
		},
		{
			Creditor: "Northfield Personal Loans", Type: "PERSONAL", SubType: "UNSECURED", RateType: "FIXED",
			Balance: personal, Monthly: divide(personal, 36), Rate: heloc.Percent(13.5),
		},
		{
			Creditor: "Beacon Auto Leasing", Type: "AUTO", SubType: "LEASE", RateType: "FIXED",
			Balance: heloc.Dollars(11_300), Monthly: heloc.Dollars(289), Rate: heloc.Percent(5.9),
			Reason: "EXCLUDED_BY_PAYMENT_CAPABILITY", Why: "The lender doesn’t pay off leases.",
		},
		{
			Creditor: "Old Mill Card Services", Type: "CREDIT_CARD", SubType: "UNSECURED", RateType: "VARIABLE",
			Balance: heloc.Dollars(180), Monthly: heloc.Dollars(25), Rate: heloc.Percent(24.99),
			Reason: "EXCLUDED_BY_MONETARY_BALANCE", Why: "The balance is below the lender’s minimum.",
		},
	}
	for i, l := range q.Liens {
		list = append(list, lienDebt(l, i))
	}
	for i := range list {
		list[i].ID = "acct-" + derivedID(q.ID, "debt", list[i].Creditor, string(rune('a'+i)))[:13]
		list[i].Digits = stableDigits(list[i].ID)
	}
	return list
}

// lienDebt is a mortgage loan as the credit report lists it: the first lien cannot be paid
// off, later ones can.
func lienDebt(l heloc.Lien, position int) debt {
	d := debt{
		Creditor: l.LenderName, Type: "MORTGAGE", SubType: "SECURED", RateType: "FIXED",
		Balance: lienBalance(l), Monthly: lienMonthly(l), Rate: heloc.Percent(4.25),
		Reason: "OTHER", Why: "The lender doesn’t pay off first mortgages with this line.",
	}
	if d.Creditor == "" {
		d.Creditor = "Mortgage lender not named"
	}
	if position > 0 {
		d.Type, d.SubType, d.RateType, d.Rate = "HELOC", "HELOC", "VARIABLE", heloc.Percent(9.5)
		d.Lien, d.Reason, d.Why = true, "", ""
	}
	return d
}

// usualPayment is the monthly payment of a mortgage loan as a percentage of its balance.
const usualPayment = heloc.Rate(6000)

// lienMonthly is the payment, or the usual one if it is unknown.
func lienMonthly(l heloc.Lien) heloc.Money {
	if l.MonthlyPayment != nil {
		return *l.MonthlyPayment
	}
	return percentOf(lienBalance(l), usualPayment)
}

func (q *inquiryRecord) monthlyDebts() heloc.Money {
	var sum heloc.Money
	for _, d := range q.debts() {
		sum += d.Monthly
	}
	return sum
}

// payableMonthly is the sum of the monthly payments of all debts that can be paid
// off.
func (q *inquiryRecord) payableMonthly() heloc.Money {
	var sum heloc.Money
	for _, d := range q.debts() {
		if d.Reason == "" {
			sum += d.Monthly
		}
	}
	return sum
}

// paidOff lists the debts that are to be paid off with the line.
func (q *inquiryRecord) paidOff() []debt {
	found, _ := q.eligibleDebts(q.PayoffAccounts)
	return found
}

// remainingLiens is the sum of the liens that are not to be paid off.
func (q *inquiryRecord) remainingLiens() heloc.Money {
	sum := q.lienTotal()
	for _, d := range q.paidOff() {
		if d.Lien {
			sum -= d.Balance
		}
	}
	return sum
}

// remainingMonthly is the sum of the monthly payments of the debts that are not to be paid off.
func (q *inquiryRecord) remainingMonthly() heloc.Money {
	sum := q.monthlyDebts()
	for _, d := range q.paidOff() {
		sum -= d.Monthly
	}
	return sum
}

// eligibleDebts finds the debts of these accounts; ok is false when one of them cannot be
// paid off or is not the borrower's.
func (q *inquiryRecord) eligibleDebts(accounts []string) (found []debt, ok bool) {
	byID := map[string]debt{}
	for _, d := range q.debts() {
		if d.Reason == "" {
			byID[d.ID] = d
		}
	}
	for _, id := range accounts {
		d, known := byID[id]
		if !known {
			return nil, false
		}
		found = append(found, d)
	}
	return found, true
}

func balances(list []debt) heloc.Money {
	var sum heloc.Money
	for _, d := range list {
		sum += d.Balance
	}
	return sum
}

// stableNumber is a hash that is always the same for the same words.
func stableNumber(words ...string) uint32 {
	h := fnv.New32a()
	for _, w := range words {
		_, _ = h.Write([]byte(w))
		_, _ = h.Write([]byte{0})
	}
	return h.Sum32()
}

func stableDigits(seed string) string {
	n := stableNumber("digits", seed) % 10_000
	return string([]byte{byte('0' + n/1000), byte('0' + n/100%10), byte('0' + n/10%10), byte('0' + n%10)})
}
