package offers

import (
	"strconv"
	"strings"
	"testing"
)

func TestPaymentChart_UsesSelectedFee(t *testing.T) {
	o := sampleOffers()
	c := o.paymentChart()
	if c.Fee != "fee 2.99%" || len(c.Bars) != 3 {
		t.Fatalf("got %+v", c)
	}
	for i, want := range []PaymentBar{
		{Term: "5 yr", Payment: "$3,017", Exact: "$3,017.28", Height: "100.0"}, {Term: "10 yr", Payment: "$1,828", Exact: "$1,827.67", Chosen: true, Height: "60.6"},
		{Term: "30 yr", Payment: "$1,186", Exact: "$1,185.50", Height: "39.3"},
	} {
		if b := c.Bars[i]; b.Term != want.Term || b.Payment != want.Payment || b.Exact != want.Exact || b.Chosen != want.Chosen || b.Height != want.Height {
			t.Errorf("got %+v, want %+v", b, want)
		}
	}
	o.Form.Values = nil
	if c := o.paymentChart(); len(c.Bars) != 0 {
		t.Errorf("got %d bars although no offer is chosen", len(c.Bars))
	}
}

// The interest of the years adds up to the total, to the cent.
func TestBalanceChart_InterestAddsUp(t *testing.T) {
	c := sampleOffers().Balance
	for year, want := range []string{"0||$149,336||$149,336", "1|$12,034.07|$139,000|$5,000.00|$0", "2|$8,966.05|$0||$0"} {
		if got := strings.Join(c.Rows[year], "|"); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if got := strings.Join(c.Totals, "|"); got != "$21,000.12|$5,000.00" {
		t.Errorf("got totals %q", got)
	}
}

// TestBalanceChart_LinesEndApart_NamesBeside: names stand beside lines that end apart, a shorter line's further down;
// otherwise a legend has them.
func TestBalanceChart_LinesEndApart_NamesBeside(t *testing.T) {
	line := func(years int) BalanceLine {
		l := BalanceLine{Name: strconv.Itoa(years) + " years", Owed: make([]int64, years+1)}
		for year := range l.Owed {
			l.Owed[year] = int64(10_000_000 * (years - year) / years)
		}
		return l
	}
	apart := NewBalanceChart([]BalanceLine{line(10), line(5), line(15)})
	if !apart.Direct {
		t.Error("lines of 5, 10 and 15 years have a legend")
	}
	height := func(l ChartLine) float64 {
		y, err := strconv.ParseFloat(l.LabelY, 64)
		if err != nil {
			t.Fatal(err)
		}
		return y
	}
	if ten, five, fifteen := height(apart.Lines[0]), height(apart.Lines[1]), height(apart.Lines[2]); five < ten+10 || ten < fifteen+10 {
		t.Errorf("the names of 15, 10 and 5 years are at %.0f, %.0f and %.0f, want each 10 below the other", fifteen, ten, five)
	}
	if NewBalanceChart([]BalanceLine{line(10), line(10), line(5)}).Direct {
		t.Error("names are beside two lines that coincide")
	}
}
