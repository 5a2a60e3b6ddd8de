package heloc

import (
	"slices"
	"testing"
)

// TestOfferFigures_ComparedWithBooking compares what was shown with the lender's selected offer, of which one figure is
// changed.
func TestOfferFigures_ComparedWithBooking(t *testing.T) {
	t.Parallel()
	ptr := func(m Money) *Money { return &m }
	rate, fee := Percent(6.85), Percent(3.99)
	shown := OfferFigures{
		RateType: RateFloating, Amount: ptr(60_000_00), Rate: &rate, Discounts: []string{"AUTOPAY", "CREDIT_UNION"},
		Payment: ptr(356_17), LoanAmount: ptr(62_394_00), Fee: ptr(2_394_00),
	}
	other, high := Percent(6.8501), Percent(4.99)
	for _, tt := range []struct {
		name   string
		change func(shown *OfferFigures, booked *SelectedOffer)
		want   FigureOutcome
		differ []Figure
	}{
		{"the same", func(*OfferFigures, *SelectedOffer) {}, FiguresMatched, nil},
		{"a cent more", func(_ *OfferFigures, b *SelectedOffer) { b.MonthlyPayment = ptr(356_18) }, FiguresMatched, nil},
		{"a cent less", func(_ *OfferFigures, b *SelectedOffer) { b.MonthlyPayment = ptr(356_16) }, FiguresMatched, nil},
		{"two cents", func(_ *OfferFigures, b *SelectedOffer) { b.MonthlyPayment = ptr(356_19) }, FiguresDiffered,
			[]Figure{FigurePayment}},
		{"an amortizing payment", func(s *OfferFigures, _ *SelectedOffer) { s.Payment = ptr(1_231_07) }, FiguresDiffered,
			[]Figure{FigurePayment}},
		{"no payment shown", func(s *OfferFigures, b *SelectedOffer) { s.Payment, b.MonthlyPayment = nil, ptr(1) },
			FiguresMatched, nil},
		{"no payment shown, another loan", func(s *OfferFigures, b *SelectedOffer) {
			s.Payment, b.LoanAmount = nil, ptr(60_000_00)
		}, FiguresDiffered, []Figure{FigureLoanAmount}},
		{"the fee as an amount", func(_ *OfferFigures, b *SelectedOffer) { b.OriginationFeeAmount = ptr(2_400_00) },
			FiguresDiffered, []Figure{FigureFee}},
		{"the fee in percent", func(_ *OfferFigures, b *SelectedOffer) { b.OriginationFeePercent = &high }, FiguresDiffered,
			[]Figure{FigureFee}},
		{"another rate and payment", func(_ *OfferFigures, b *SelectedOffer) {
			b.Rate, b.MonthlyPayment = &other, ptr(356_50)
		}, FiguresIncomparable, []Figure{FigureRate, FigurePayment}},
		{"another amount", func(_ *OfferFigures, b *SelectedOffer) {
			b.DrawAmount = ptr(50_000_00)
			b.OriginationFeeAmount = ptr(2_394_00)
		}, FiguresIncomparable, []Figure{FigureAmount}},
		{"a discount less", func(_ *OfferFigures, b *SelectedOffer) { b.SelectedDiscounts = b.SelectedDiscounts[:1] },
			FiguresIncomparable, []Figure{FigureDiscounts}},
		{"no rate shown", func(s *OfferFigures, b *SelectedOffer) { s.Rate, b.Rate = nil, &other }, FiguresMatched, nil},
	} {
		mine := shown
		booked := SelectedOffer{
			OfferUUID: "o", DrawAmount: ptr(60_000_00), Rate: &rate, MonthlyPayment: ptr(356_17), LoanAmount: ptr(62_394_00),
			OriginationFeePercent: &fee,
			SelectedDiscounts:     []Discount{{Type: "CREDIT_UNION"}, {Type: "AUTOPAY"}},
		}
		tt.change(&mine, &booked)
		f, ok := BookedFigures(&booked)
		differ := mine.Differences(f)
		if got := FigureOutcomeOf(differ); !ok || got != tt.want || !slices.Equal(differ, tt.differ) {
			t.Errorf("%s: got %s with %v (%v), want %s with %v", tt.name, got, differ, ok, tt.want, tt.differ)
		}
	}
}

// TestBookedFigures_IncompleteOrContradictory_Unusable: such a response says nothing about a booking.
func TestBookedFigures_IncompleteOrContradictory_Unusable(t *testing.T) {
	t.Parallel()
	ptr := func(m Money) *Money { return &m }
	rate, fee := Percent(6.85), Percent(3.99)
	for name, change := range map[string]func(*SelectedOffer){
		"no offer":               func(s *SelectedOffer) { s.OfferUUID = "" },
		"no draw":                func(s *SelectedOffer) { s.DrawAmount = nil },
		"no rate":                func(s *SelectedOffer) { s.Rate = nil },
		"no payment":             func(s *SelectedOffer) { s.MonthlyPayment = nil },
		"no loan amount":         func(s *SelectedOffer) { s.LoanAmount = nil },
		"no fee":                 func(s *SelectedOffer) { s.OriginationFeePercent = nil },
		"a loan below the draw":  func(s *SelectedOffer) { s.LoanAmount = ptr(59_999_99) },
		"a payment of zero":      func(s *SelectedOffer) { s.MonthlyPayment = ptr(0) },
		"a payment above a loan": func(s *SelectedOffer) { s.MonthlyPayment = ptr(62_394_01) },
		"a fee below zero":       func(s *SelectedOffer) { s.OriginationFeeAmount = ptr(-1) },
	} {
		s := SelectedOffer{OfferUUID: "o", DrawAmount: ptr(60_000_00), Rate: &rate, MonthlyPayment: ptr(356_17),
			LoanAmount: ptr(62_394_00), OriginationFeePercent: &fee}
		if _, ok := BookedFigures(&s); !ok {
			t.Fatal("a complete booking is unusable")
		}
		change(&s)
		if f, ok := BookedFigures(&s); ok {
			t.Errorf("%s: got %+v, want none", name, f)
		}
	}
	if _, ok := BookedFigures(nil); ok {
		t.Error("without a selected offer: got figures, want none")
	}
}
