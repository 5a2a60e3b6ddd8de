package heloc

import "testing"

func pricedOffer(draw int64, fee, rate float64, months int, method FeeMethod) PricedOffer {
	return PricedOffer{Draw: Dollars(draw), Fee: Percent(fee), Rate: Percent(rate), Months: months, Method: method}
}

func TestPricedOffer_Figures(t *testing.T) {
	for _, c := range []struct {
		name                                   string
		p                                      PricedOffer
		fee, loan, cash, pay, plus1, plus2, in Money
	}{
		{"fee added", pricedOffer(145_000, 2.99, 8.20, 120, FeeAdded), 433_550, 14_933_550, 14_500_000, 182_767, 190_792,
			199_006, 6_998_529},
		{"fee deducted", pricedOffer(145_000, 2.99, 8.20, 120, FeeDeducted), 433_550, 14_500_000, 14_066_450, 177_461,
			185_253, 193_228, 6_795_343},
		{"no rate", pricedOffer(12_000, 0, 0, 120, FeeAdded), 0, 1_200_000, 1_200_000, 10_000, 10_512, 11_042, 0},
		{"no term", pricedOffer(12_000, 1.5, 8, 0, FeeAdded), 18_000, 1_218_000, 1_200_000, 0, 0, 0, 0},
		{"no draw", pricedOffer(0, 1.5, 8, 120, FeeAdded), 0, 0, 0, 0, 0, 0, 0},
	} {
		got := []Money{c.p.FeeAmount(), c.p.Loan(), c.p.NetCash(), c.p.Payment(), c.p.AtHigherRate(Percent(1)).Payment(),
			c.p.AtHigherRate(Percent(2)).Payment(), c.p.TotalInterest()}
		for i, want := range []Money{c.fee, c.loan, c.cash, c.pay, c.plus1, c.plus2, c.in} {
			if got[i] != want {
				t.Errorf("%s: figure %d: got %v, want %v", c.name, i, got[i], want)
			}
		}
	}
}

func TestPricedOfferBalances_EndAtZero(t *testing.T) {
	p := pricedOffer(145_000, 2.99, 8.20, 120, FeeAdded)
	all := p.Balances()
	if len(all) != 121 || all[0] != p.Loan() || all[120] != 0 {
		t.Fatalf("got %d months from %v to %v", len(all)-1, all[0], all[len(all)-1])
	}
	// 149,335.50 at 8.2 %: the first month's interest is 1,020.46 of 1,827.67.
	if got, want := all[1], Money(14_933_550+102_046-182_767); got != want {
		t.Errorf("after one month: got %v, want %v", got, want)
	}
	for m := 1; m < len(all); m++ {
		if all[m] >= all[m-1] {
			t.Fatalf("month %d: %v is not below %v", m, all[m], all[m-1])
		}
	}
	// The last payment differs from the others by less than a dollar.
	if last := all[119] + InterestOnly(all[119], p.Rate) - p.Payment(); last > 100 || last < -100 {
		t.Errorf("the last payment is off by %v", last)
	}
	if got := pricedOffer(1, 0, 8, 0, FeeAdded).Balances(); got != nil {
		t.Errorf("without a term: got %d balances", len(got))
	}
}

// The total is what the schedule adds up to: the last payment differs from the others by the cents that rounding
// leaves.
func TestPricedOfferTotalInterest_IsSumOfSchedule(t *testing.T) {
	for _, p := range []PricedOffer{
		pricedOffer(145_000, 2.99, 8.20, 120, FeeAdded), pricedOffer(145_000, 2.99, 8.20, 360, FeeDeducted),
		pricedOffer(60_000, 1.5, 7.35, 180, FeeAdded), pricedOffer(15_000, 0, 0, 60, FeeAdded),
	} {
		var want Money
		owed := p.Balances()
		for _, balance := range owed {
			want += InterestOnly(balance, p.Rate)
		}
		if got := p.TotalInterest(); got != want {
			t.Errorf("%+v: got %v, want %v", p, got, want)
		}
		if all := p.InterestPaid(); len(all) != len(owed) || all[0] != 0 || all[len(all)-1] != want {
			t.Errorf("%+v: the schedule ends with %v, want %v", p, all[len(all)-1], want)
		}
	}
}

func TestBreakEven(t *testing.T) {
	for _, c := range []struct {
		name          string
		lower, higher PricedOffer
		month         int
		ok            bool
	}{
		// On 100,000 for ten years at the same rate, two points of fee cost 2,000 and save nothing.
		{"same rate, higher fee", pricedOffer(100_000, 1, 8, 120, FeeAdded),
			pricedOffer(100_000, 3, 8, 120, FeeAdded), 0, false},
		// A point of rate on about 100,000 saves some 83 a month at first: it takes a little over two years to recover a
		// fee of 2,000.
		{"fee added", pricedOffer(100_000, 1, 8, 360, FeeAdded), pricedOffer(100_000, 3, 7, 360, FeeAdded), 28, true},
		{"fee deducted", pricedOffer(100_000, 1, 8, 360, FeeDeducted),
			pricedOffer(100_000, 3, 7, 360, FeeDeducted), 24, true},
		{"offers swapped", pricedOffer(100_000, 3, 7, 360, FeeAdded), pricedOffer(100_000, 1, 8, 360, FeeAdded), 0, false},
		{"different terms", pricedOffer(100_000, 1, 8, 360, FeeAdded), pricedOffer(100_000, 3, 7, 120, FeeAdded), 0, false},
		{"no term", pricedOffer(100_000, 1, 8, 0, FeeAdded), pricedOffer(100_000, 3, 7, 0, FeeAdded), 0, false},
	} {
		month, ok := BreakEven(c.lower, c.higher)
		if month != c.month || ok != c.ok {
			t.Errorf("%s: got month %d, %v, want %d, %v", c.name, month, ok, c.month, c.ok)
		}
	}
}

func TestHeadroom(t *testing.T) {
	money := func(d int64) *Money { return new(Dollars(d)) }
	for _, c := range []struct {
		name string
		caps []*Money
		want Money
		ok   bool
	}{
		{"no cap", []*Money{nil, nil}, 0, false},
		{"one cap", []*Money{money(7_000), nil}, Dollars(2_000), true},
		{"the smaller of two", []*Money{money(7_000), money(6_000)}, Dollars(1_000), true},
		{"above the cap", []*Money{nil, money(4_000)}, Dollars(-1_000), true},
		{"at the cap", []*Money{money(5_000)}, 0, true},
	} {
		if got, ok := Headroom(Dollars(5_000), c.caps...); got != c.want || ok != c.ok {
			t.Errorf("%s: got %v, %v, want %v, %v", c.name, got, ok, c.want, c.ok)
		}
	}
}

func TestWeightedRate(t *testing.T) {
	for _, c := range []struct {
		debts []Debt
		want  Rate
		ok    bool
	}{
		{[]Debt{{Dollars(10_000), Percent(20)}, {Dollars(30_000), Percent(8)}}, Percent(11), true},
		{[]Debt{{Dollars(3), Percent(10)}, {Dollars(3), Percent(10.0001)}, {Dollars(3), Percent(10.0001)}},
			Percent(10.0001), true},
		{[]Debt{{0, Percent(20)}}, 0, false},
		{nil, 0, false},
	} {
		if got, ok := WeightedRate(c.debts); got != c.want || ok != c.ok {
			t.Errorf("%v: got %v, %v, want %v, %v", c.debts, got, ok, c.want, c.ok)
		}
	}
}
