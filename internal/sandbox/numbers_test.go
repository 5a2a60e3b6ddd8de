package sandbox

import (
	"fmt"
	"math"
	"testing"

	"hearthline/internal/heloc"
)

// The formulas of this file are written in floating point from interface-live.md section 6, and not with
// the functions that the sandbox computes with.

// cents rounds dollars half up to the cent.
func cents(dollars float64) float64 { return math.Floor(dollars*100+0.5+1e-7) / 100 }

// installment amortizes a loan in equal payments.
func installment(loan, rate float64, months int) float64 {
	i := rate / 1200
	growth := math.Pow(1+i, float64(months))
	return cents(loan * i * growth / (growth - 1))
}

// sameNumber compares two numbers as they are read from JSON.
func sameNumber(a, b float64) bool { return math.Abs(a-b) < 0.0049 }

func number(o object, name string) float64 {
	v, ok := o[name].(float64)
	if !ok {
		return math.NaN()
	}
	return v
}

// TestCalculateOffers_FeeCap_FollowsDraw: the threshold is the highest fee, 4.99 percent (interface-live.md
// section 6), of the draw that was asked for (interface.md section 2.4). The fee of an offer is charged on
// that draw, including the debts paid from it, so no offer has a fee above its cap.
func TestCalculateOffers_FeeCap_FollowsDraw(t *testing.T) {
	t.Parallel()
	g := newHarness(t, Config{})
	id := g.start(g.payload("Rivera"))
	account := g.eligibleAccount(id)
	largest := number(g.appData(id)["underwriting"].(object), "maxOfferAmount")
	for _, row := range []struct {
		ask  object
		draw float64
	}{
		{object{"amount": 40000}, 40000},
		{object{"amount": 62345.67}, 62345.67},
		{object{"amount": 15000.5, "originationFee": 4.99}, 15000.5},
		{object{"amount": 40000, "accountIds": []string{account}}, 40000},
		{object{"amount": 40000, "accountIds": []string{account}, "liabilityPayoffAmount": 12000}, 40000},
		{object{"originationFee": 2.5}, largest},
	} {
		status, answer := g.call("POST", "/products/heloc/v1/inquiry/"+id+"/calculate-offers", row.ask)
		if status != 200 {
			t.Fatalf("%v: got %d %v, want 200", row.ask, status, answer)
		}
		underwriting, want := answer["underwriting"].(object), cents(row.draw*0.0499)
		if got := number(underwriting, "ofeeMaxThreshold"); got != want {
			t.Errorf("%v: ofeeMaxThreshold: got %v, want %v", row.ask, got, want)
		}
		for _, o := range underwriting["offers"].([]any) {
			offer := o.(object)
			feeCap, fee := number(offer, "appliedOriginationFeeCapAmount"),
				cents(row.draw*number(offer, "originationFeePercent")/100)
			if feeCap != want || fee > feeCap {
				t.Errorf("%v: cap of an offer: got %v for a fee of %v, want %v", row.ask, feeCap, fee, want)
			}
		}
	}
	for _, o := range g.appData(id)["underwriting"].(object)["offers"].([]any) {
		offer := o.(object)
		if got, want := number(offer, "appliedOriginationFeeCapAmount"),
			cents(number(offer, "maxAmount")*0.0499); got != want {
			t.Fatalf("cap of an offer without a draw: got %v, want %v: that of its largest draw", got, want)
		}
	}
}

// TestSelectedOffer_FollowsFormulas: the loan is the net draw and the fee; a fixed loan is fully amortizing,
// and a variable one is interest-only in the draw window (interface-live.md section 6).
func TestSelectedOffer_FollowsFormulas(t *testing.T) {
	t.Parallel()
	for _, dialect := range []Dialect{Documented, Live} {
		g := newHarness(t, Config{Dialect: dialect})
		payload := g.payload("Rivera")
		withField("applicant.income", "grossAnnualIncome", 250001)(payload)
		id := g.start(payload)
		q := g.s.records[id]
		before := number(g.appData(id)["underwriting"].(object), "preLoanDti")
		for _, o := range g.appData(id)["underwriting"].(object)["offers"].([]any) {
			offer := o.(object)
			const draw = 61234.56
			status := g.operate("PUT", id, "select-offer", object{"offer": object{
				"offerUuid": offer["uuid"], "selectedOfferAmount": draw, "selectedDiscounts": []string{"CREDIT_UNION"},
				"selectedAccountsToPayoff": []string{},
			}})
			if status != 200 {
				t.Fatalf("select-offer: got %d, want 200", status)
			}
			app := g.appData(id)
			underwriting := app["underwriting"].(object)
			got := underwriting["selectedOffer"].(object)
			name := fmt.Sprintf("%s, %v over %v at a fee of %v",
				dialect, offer["rateType"], offer["term"], offer["originationFeePercent"])
			loan := cents(draw + cents(draw*number(offer, "originationFeePercent")/100))
			rate := number(offer, "rate") - 0.5
			payment := installment(loan, rate, int(number(offer, "term")))
			if offer["rateType"] != "FIXED" {
				payment = cents(loan * rate / 1200)
				if number(offer, "rate") <= number(offer, "primeRate") || number(offer, "primeRate") != 6.75 {
					t.Errorf("%s: got %v over prime %v, want prime 6.75 and a margin", name, offer["rate"], offer["primeRate"])
				}
			}
			for field, want := range map[string]float64{
				"drawAmount": draw, "loanAmount": loan, "creditLine": loan, "rate": rate, "estimatedMonthlyPayment": payment,
			} {
				if !sameNumber(number(got, field), want) {
					t.Errorf("%s: %s: got %v, want %v", name, field, got[field], want)
				}
			}
			if dialect == Live && !sameNumber(number(got, "originationFeeAmount"), loan-draw) {
				t.Errorf("%s: originationFeeAmount: got %v, want %v", name, got["originationFeeAmount"], loan-draw)
			}
			income, debts := cents(250001.0/12), float64(q.monthlyDebts())/100
			value := app["propertyValue"].(object)
			valuation := number(value, "propertyAvmValue")
			if valuation < 640000 || valuation > 1.02*640000+500 { // rounded to thousands
				t.Errorf("%s: got a valuation of %v, want 640000 to 2 percent more", name, valuation)
			}
			for field, want := range map[string][2]float64{
				"preLoanDti": {before, cents(debts / income * 100)}, "monthlyIncome": {
					number(underwriting, "monthlyIncome"), income,
				},
				"postLoanDti":        {number(underwriting, "postLoanDti"), cents((debts + payment) / income * 100)},
				"preLoanCltv":        {number(value, "preLoanCltv"), cents(262000.0 / valuation * 100)},
				"postLoanCltv":       {number(value, "postLoanCltv"), cents((262000 + loan) / valuation * 100)},
				"postLoanAdjMinCltv": {number(value, "postLoanAdjMinCltv"), cents((262000 + loan) / valuation * 100)},
			} {
				if !sameNumber(want[0], want[1]) {
					t.Errorf("%s: %s: got %v, want %v", name, field, want[0], want[1])
				}
			}
		}
	}
}

// TestRounding_HalfUp: figures that do not come out even are rounded, never truncated.
func TestRounding_HalfUp(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		part, whole heloc.Money
		want        heloc.Rate
	}{
		{262_000_00, 640_000_00, 40_9400}, {1, 3, 33_3300}, {2, 3, 66_6700}, {12_345, 100_000, 12_3500},
		{12_344, 100_000, 12_3400}, {0, 5, 0}, {5, 0, 1000_0000}, {50, 1, 1000_0000},
	} {
		if got := shareOf(row.part, row.whole); got != row.want {
			t.Errorf("%d of %d: got %s, want %s percent", row.part, row.whole, got, row.want)
		}
	}
	for _, row := range []struct{ sum, parts, want heloc.Money }{{128_000_00, 12, 10_666_67}, {100, 3, 33}, {5, 2, 3},
		{7, 2, 4}, {-5, 2, -2}, {0, 12, 0}} {
		if got := divide(row.sum, row.parts); got != row.want {
			t.Errorf("%d in %d parts: got %d, want %d", row.sum, row.parts, got, row.want)
		}
	}
	g := newHarness(t, Config{})
	app := g.appData(g.start(g.payload("Rivera")))
	if got := number(app["underwriting"].(object), "statedMonthlyIncome"); got != 10666.67 {
		t.Errorf("a twelfth of 128,000: got %v, want 10666.67", got)
	}
	home := app["propertyDetails"].(object)
	if got, want := number(home, "propertyAcres"), cents(number(home, "lotSquareFeet")/43560); got != want {
		t.Errorf("acres: got %v, want %v", got, want)
	}
}

// TestRates_RoundedToSteps: rates are quoted in steps of 0.05; a point of fee lowers them by 0.35 and a
// point of CLTV raises them by 0.03.
func TestRates_RoundedToSteps(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		owed, draw heloc.Money
		fee        heloc.Rate
		term       int
		want       heloc.Rate
	}{
		{300_000_00, 84_000_00, 2_9900, 180, 7_8500}, // 60 percent of 640,000
		{300_000_00, 84_000_00, 4_9900, 180, 7_1500},
		{300_000_00, 84_000_00, 1_9900, 60, 7_8500},
		{300_000_00, 244_000_00, 2_9900, 360, 8_9500},
		{0, 40_000_00, 1_5000, 120, 7_9500}, // 7.85 - 0.25 - 0.15 + 0.5215 = 7.9715
	} {
		p := &pricing{Score: goodScore, Value: 640_000_00, Owed: row.owed}
		if got := p.fixedRate(row.draw, row.fee, row.term); got != row.want {
			t.Errorf("owed %s, draw %s, fee %s, %d months: got %s, want %s",
				row.owed, row.draw, row.fee, row.term, got, row.want)
		}
	}
}

// TestLargestLoan_WithinLimits: CLTV is at most 85 percent of the stated value and DTI at most 50 percent, for the
// largest draw with its fee; the limits are reached as closely as steps of $100 allow.
func TestLargestLoan_WithinLimits(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		income, value, owed float64
		kind                string
		limit               string // what limits the line
	}{
		{900000, 640000, 262000, "PRIMARY", "CLTV"}, {900000, 640000, 262000, "INVESTMENT", "CLTV"},
		{70000, 1000000, 262000, "PRIMARY", "DTI"}, {70000, 1000000, 262000, "INVESTMENT", "DTI"},
		{81234.56, 900000, 100000.55, "SECONDARY", "DTI"}, {2000000, 3000000, 100000, "PRIMARY", "line"},
	} {
		g := newHarness(t, Config{})
		payload := g.payload("Rivera")
		withField("applicant.income", "grossAnnualIncome", row.income)(payload)
		withField("property", "borrowerEstimatedValue", row.value)(payload)
		withField("property", "propertyType", row.kind)(payload)
		withField("property", "liens", []object{{"originationDate": "2019-05-01", "originalBalance": 310000,
			"currentBalance": row.owed, "monthlyPayment": 1640}})(payload)
		app := g.appData(g.start(payload))
		if app["nextInquiryStep"] != "OFFERS_AVAILABLE" {
			t.Fatalf("%+v: got %v, want offers", row, app["nextInquiryStep"])
		}
		underwriting, value := app["underwriting"].(object), app["propertyValue"].(object)
		loan := cents(number(underwriting, "maxOfferAmount") * 1.0499)
		valuation := number(value, "propertyAvmValue")
		cltv, dti := number(value, "postLoanCltv"), number(underwriting, "postLoanDti")
		if want := cents((row.owed + loan) / valuation * 100); !sameNumber(cltv, want) {
			t.Errorf("%+v: postLoanCltv: got %v, want %v for a loan of %v", row, cltv, want, loan)
		}
		if smallest := cents((row.owed + 15000) / valuation * 100); number(value, "postLoanAdjMinCltv") < smallest ||
			number(value, "postLoanAdjMinCltv") > smallest+0.25 {
			t.Errorf("%+v: postLoanAdjMinCltv: got %v, want a little over %v", row, value["postLoanAdjMinCltv"], smallest)
		}
		near := map[string]bool{"CLTV": (row.owed+loan)/row.value > 0.849, "DTI": dti > 49.8,
			"line": loan > 749_800}[row.limit]
		if cltv > 85 || dti > 50 || loan > 750_000 || !near {
			t.Errorf("%+v: got CLTV %v, DTI %v, loan %v, want the %s just at its limit", row, cltv, dti, loan, row.limit)
		}
	}
}

// TestPayoff_CountsInRatios: debts that are paid off with the line no longer count in the ratios after it.
func TestPayoff_CountsInRatios(t *testing.T) {
	t.Parallel()
	g := newHarness(t, Config{})
	payload := g.payload("Rivera-Payoff")
	secondLien(payload)
	id := g.start(payload)
	var lien string
	for _, o := range g.appData(id)["ddpDetails"].(object)["existingLiabilities"].(object)["eligible"].([]any) {
		if o.(object)["providesCltvCredit"] == true {
			lien = o.(object)["id"].(string)
		}
	}
	status := g.operate("PUT", id, "asset-depletion", object{
		"income":          object{"employmentType": "FULL_TIME", "grossAnnualIncome": 128000},
		"liabilityPayoff": object{"selectedAccountsToPayoff": []string{lien}},
	})
	if status != 200 {
		t.Fatalf("asset-depletion: got %d, want 200", status)
	}
	app := g.appData(id)
	value, underwriting := app["propertyValue"].(object), app["underwriting"].(object)
	loan := cents(number(underwriting, "maxOfferAmount") * 1.0499)
	ratio := func(owed float64) float64 { return cents(owed / number(value, "propertyAvmValue") * 100) }
	for field, want := range map[string]float64{
		"preLoanCltv": ratio(336000), "preLoanAdjCltv": ratio(262000),
		"postLoanCltv": ratio(262000 + loan), "postLoanAdjCltv": ratio(262000 + loan),
	} {
		if !sameNumber(number(value, field), want) {
			t.Errorf("%s: got %v, want %v", field, value[field], want)
		}
	}
	if got := (262000 + loan) / 4000; got > 85 || got < 84.9 {
		t.Errorf("CLTV of the largest loan, with the second lien paid off: got %v, want just inside 85", got)
	}
	debts, income := float64(g.s.records[id].monthlyDebts())/100, cents(128000.0/12)
	if pre := number(underwriting, "preLoanDti"); !sameNumber(pre, cents(debts/income*100)) {
		t.Errorf("preLoanDti: got %v, want every debt in it", pre)
	}
	highest := 0.0
	for _, o := range underwriting["offers"].([]any) {
		if o := o.(object); o["rateType"] == "FIXED" && o["term"] == 360.0 {
			loan := cents(number(underwriting, "maxOfferAmount") * (1 + number(o, "originationFeePercent")/100))
			highest = max(highest, installment(loan, number(o, "rate"), 360))
		}
	}
	if want := cents((debts - 480 + highest) / income * 100); !sameNumber(number(underwriting, "postLoanDti"), want) {
		t.Errorf("postLoanDti: got %v, want %v: without the payment of the second lien", underwriting["postLoanDti"], want)
	}
}

// TestPrequalify_FollowsFormulas: the fee is a percentage of the whole loan amount and included in it, as in
// 146,860 with 7,328 inside (interface-live.md section 6); the APR repays what is paid out.
func TestPrequalify_FollowsFormulas(t *testing.T) {
	t.Parallel()
	g := newHarness(t, Config{})
	for _, row := range []struct{ amount, loan, fee float64 }{{139532, 146860, 7328}, {80000, 84200, 4202},
		{50000, 52630, 2626}, {99999, 105250, 5252}} {
		payload := prequalification()
		payload["amountToBorrow"], payload["propertyValue"] = row.amount, 900000
		_, answer := g.call("POST", "/products/heloc/pre-qualify/v1", payload)
		for _, o := range answer["offers"].([]any) {
			offer := o.(object)
			if offer["loanAmount"] != row.loan || offer["originationFee"] != row.fee {
				t.Errorf("borrow %v: got loan %v and fee %v, want %v and %v",
					row.amount, offer["loanAmount"], offer["originationFee"], row.loan, row.fee)
			}
			term := int(number(offer, "term"))
			if want := installment(row.loan, number(offer, "interestRate"), term); !sameNumber(number(offer, "monthlyPayment"),
				want) {
				t.Errorf("borrow %v over %d: payment: got %v, want %v", row.amount, term, offer["monthlyPayment"], want)
			}
			if repaid := installment(row.loan-row.fee, number(offer, "apr"), term); math.Abs(repaid-number(offer,
				"monthlyPayment")) > 0.1 {
				t.Errorf("borrow %v over %d: at the APR %v the payment is %v, want %v",
					row.amount, term, offer["apr"], repaid, offer["monthlyPayment"])
			}
		}
	}
}
