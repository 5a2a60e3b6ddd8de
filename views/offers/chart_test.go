package offers

import (
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
