package heloc

import "testing"

func TestPayment_MatchesObservedFigures(t *testing.T) {
	for _, c := range []struct {
		loan   Money
		rate   Rate
		months int
		want   Money
	}{
		{16_442_379, Percent(7), 360, 109_392},    // interface-live section 6
		{14_686_000, Percent(6.25), 120, 164_895}, // the pre-qualification example there
		{14_933_550, Percent(8.20), 120, 182_767}, // the worked offers screen
		{14_717_500, Percent(8.40), 60, 301_243},
		{12_000, 0, 12, 1_000},
		{0, Percent(7), 360, 0},
		{100, Percent(7), 0, 0},
	} {
		if got := Payment(c.loan, c.rate, c.months); got != c.want {
			t.Errorf("Payment(%v, %v, %d) = %v, want %v", c.loan, c.rate, c.months, got, c.want)
		}
	}
}

func TestLoanAmount_FeeAddedOrDeducted(t *testing.T) {
	draw := Dollars(145_000)
	if got, want := LoanAmount(draw, Percent(2.99), FeeAdded), Money(14_933_550); got != want {
		t.Errorf("added: got %v, want %v", got, want)
	}
	if got := LoanAmount(draw, Percent(2.99), FeeDeducted); got != draw {
		t.Errorf("deducted: got %v, want %v", got, draw)
	}
}
