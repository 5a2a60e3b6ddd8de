package offers

import (
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
