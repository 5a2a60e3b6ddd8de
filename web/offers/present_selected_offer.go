package offers

import (
	"hearthline/internal/desk"
	"hearthline/internal/heloc"
	view "hearthline/views/offers"
	"hearthline/views/ui"
	"hearthline/views/words"
	"hearthline/web/format"
	"hearthline/web/workspace"
)

// presentSelected shows the lender's estimate beside ours, and explains why they differ; it is nil if none is selected.
func presentSelected(l desk.LeadView) *view.SelectedOfferView {
	s := l.Details.App.Underwriting.SelectedOffer
	if s == nil {
		return nil
	}
	v := &view.SelectedOfferView{
		Title: offerTitle(l.Payments.Term, s.Term, s.RateType, s.Rate, s.OriginationFeePercent), Payment: format.Dollars(s.MonthlyPayment), CanChange: workspace.CanSelectOffer(l.Row),
	}
	if v.Title == "" {
		v.Title = "An offer is selected"
	}
	if ours := l.Payments.Selected(*s).Payment(); ours > 0 {
		v.OurEstimate = format.Money(ours)
		if s.MonthlyPayment != nil && *s.MonthlyPayment != ours {
			v.Difference = "The lender may round differently, or include interest-only payments during the draw period."
		}
	}
	add := func(label, value string) {
		v.Facts = append(v.Facts, ui.Fact{Label: label, Value: words.OrDash(value)})
	}
	if l.Payments.Fee == heloc.FeeDeducted {
		add("Draw, before the fee", format.Dollars(s.DrawAmount))
	} else {
		add("Net draw", format.Dollars(s.DrawAmount))
	}
	add("Loan amount", format.Dollars(s.LoanAmount))
	add("Credit line", format.Dollars(s.CreditLine))
	add("Rate", format.Percent(s.Rate))
	add("Prime rate", format.Percent(s.PrimeRate))
	add("Fee", format.JoinNonEmpty(" ", format.Percent(s.OriginationFeePercent), format.Dollars(s.OriginationFeeAmount)))
	if s.OriginationFee != nil {
		add("Origination fee", format.Percent(s.OriginationFee))
	}
	for _, d := range s.SelectedDiscounts {
		add(discountName(d), "−"+format.Percent(d.RateAmount))
	}
	return v
}
