package heloc

import (
	"slices"
	"testing"
)

// TestPaymentModel_Price_ByRateType: what is not known of a payment is zero, and never a guess.
func TestPaymentModel_Price_ByRateType(t *testing.T) {
	t.Parallel()
	known := map[int]int{60: 2, 120: 3}
	for _, c := range []struct {
		name                    string
		model                   PaymentModel
		kind                    OfferRateType
		months                  Count
		first, afterward, total Money
		scheduleKnown           bool
	}{
		{"fixed", PaymentModel{Fee: FeeAdded, DrawYears: known}, RateFixed, 60, 123_107, 0, 1_146_985, true},
		{"variable", PaymentModel{Fee: FeeAdded, DrawYears: known}, RateFloating, 60, 35_617, 192_227, 1_535_579, true},
		{"variable, term in years", PaymentModel{Fee: FeeAdded, Term: TermYears, DrawYears: known}, RateFloating, 5, 35_617,
			192_227, 1_535_579, true},
		{"variable, draw period unknown", PaymentModel{Fee: FeeAdded}, RateFloating, 60, 35_617, 0, 0, false},
		{"variable, draw period of this term unknown", PaymentModel{Fee: FeeAdded, DrawYears: known}, RateFloating, 180,
			35_617, 0, 0, false},
		{"variable, amortizing", PaymentModel{Fee: FeeAdded, Variable: VariableAmortizing, DrawYears: known}, RateFloating,
			60, 123_107, 0, 1_146_985, true},
		{"variable, fee deducted", PaymentModel{Fee: FeeDeducted, DrawYears: known}, RateFloating, 60, 34_250, 184_851,
			1_476_653, true},
		{"unknown rate type", PaymentModel{Fee: FeeAdded, DrawYears: known}, RateUnknown, 60, 0, 0, 0, false},
		{"the lender's own rate type", PaymentModel{Fee: FeeAdded, DrawYears: known}, "STEPPED", 60, 0, 0, 0, false},
		{"unconfirmed", PaymentModel{Fee: FeeAdded, DrawYears: known, Unconfirmed: []OfferRateType{RateFloating}},
			RateFloating, 60, 0, 0, 0, false},
		{"another rate type unconfirmed", PaymentModel{Fee: FeeAdded, DrawYears: known,
			Unconfirmed: []OfferRateType{RateFloating}}, RateFixed, 60, 123_107, 0, 1_146_985, true},
	} {
		rate, fee := Percent(6.85), Percent(3.99)
		at := c.model.Price(Dollars(60_000), Offer{RateType: c.kind, Term: &c.months, OriginationFeePercent: &fee}, &rate)
		if got := at.Payment(); got != c.first {
			t.Errorf("%s: first payment: got %v, want %v", c.name, got, c.first)
		}
		if got := at.Afterward(); got != c.afterward {
			t.Errorf("%s: payment afterward: got %v, want %v", c.name, got, c.afterward)
		}
		if got := at.TotalInterest(); got != c.total {
			t.Errorf("%s: total interest: got %v, want %v", c.name, got, c.total)
		}
		if got := at.ScheduleKnown(); got != c.scheduleKnown {
			t.Errorf("%s: schedule known: got %v, want %v", c.name, got, c.scheduleKnown)
		}
		if got, want := at.FeeAmount(), Money(239_400); got != want {
			t.Errorf("%s: the fee does not depend on the model: got %v, want %v", c.name, got, want)
		}
	}
}

// TestPaymentModel_Price_NoFee_NoFigureWithTheFee: an unknown fee is not a fee of zero.
func TestPaymentModel_Price_NoFee_NoFigureWithTheFee(t *testing.T) {
	t.Parallel()
	rate, months, free := Percent(6.85), Count(60), Rate(0)
	for _, c := range []struct {
		name                       string
		method                     FeeMethod
		fee                        *Rate
		loan, cash, payment, total Money
	}{
		{"added", FeeAdded, nil, 0, 6_000_000, 0, 0},
		{"method not set", "", nil, 0, 6_000_000, 0, 0},
		{"deducted", FeeDeducted, nil, 6_000_000, 0, 118_383, 1_102_980},
		{"free, added", FeeAdded, &free, 6_000_000, 6_000_000, 118_383, 1_102_980},
		{"free, deducted", FeeDeducted, &free, 6_000_000, 6_000_000, 118_383, 1_102_980},
	} {
		at := PaymentModel{Fee: c.method}.Price(Dollars(60_000), Offer{RateType: RateFixed, Term: &months,
			OriginationFeePercent: c.fee}, &rate)
		got := []Money{at.Loan(), at.NetCash(), at.Payment(), at.TotalInterest()}
		if want := []Money{c.loan, c.cash, c.payment, c.total}; !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", c.name, got, want)
		}
	}
}

// TestPaymentModel_Selected_UsesLenderLoan: the lender's loan amount includes the fee, whatever the fee method.
func TestPaymentModel_Selected_UsesLenderLoan(t *testing.T) {
	t.Parallel()
	loan, rate, term := Money(6_239_400), Percent(6.85), Count(60)
	for _, method := range []FeeMethod{FeeAdded, FeeDeducted} {
		at := PaymentModel{Fee: method}.Selected(SelectedOffer{LoanAmount: &loan, Rate: &rate, Term: &term,
			RateType: RateFloating})
		if got, want := at.Payment(), Money(35_617); got != want {
			t.Errorf("fee %s: got %v, want %v", method, got, want)
		}
	}
	if got := (PaymentModel{}).Selected(SelectedOffer{Rate: &rate, Term: &term, RateType: RateFixed}).Payment(); got != 0 {
		t.Errorf("without a loan amount: got %v", got)
	}
}
