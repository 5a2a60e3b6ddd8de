package web

import (
	"hearthline/internal/desk"
	"hearthline/internal/heloc"
	"hearthline/views"
	"hearthline/views/ui"
	"hearthline/views/words"
)

// showSelected puts the lender's estimate beside ours, and says why they differ.
func (p priced) showSelected(l desk.LeadView) views.SelectedView {
	s := l.Details.App.Underwriting.SelectedOffer
	if s == nil {
		return views.SelectedView{}
	}
	v := views.SelectedView{
		Title: p.titleOf(s.Term, s.RateType, s.Rate, s.OriginationFeePercent), Payment: dollars(s.MonthlyPayment), CanChange: selectable(l.Row),
	}
	if v.Title == "" {
		v.Title = "An offer is selected"
	}
	if ours := p.paymentOf(*s); ours > 0 {
		v.Ours = amount(ours)
		if s.MonthlyPayment != nil && *s.MonthlyPayment != ours {
			v.Difference = "The lender may round otherwise, or count interest alone while the line can be drawn."
		}
	}
	add := func(label, value string) { v.Facts = append(v.Facts, ui.Fact{Label: label, Value: words.Or(value)}) }
	add("Net draw", dollars(s.DrawAmount))
	add("Loan amount", dollars(s.LoanAmount))
	add("Credit line", dollars(s.CreditLine))
	add("Rate", percent(s.Rate))
	add("Prime rate", percent(s.PrimeRate))
	add("Fee", joined(" ", percent(s.OriginationFeePercent), dollars(s.OriginationFeeAmount)))
	if s.OriginationFee != nil {
		add("Origination fee", percent(s.OriginationFee))
	}
	for _, d := range s.SelectedDiscounts {
		add(discountName(d), "−"+percent(d.RateAmount))
	}
	add("Offer", s.OfferUUID)
	return v
}

func (p priced) paymentOf(s heloc.SelectedOffer) heloc.Money {
	if s.LoanAmount == nil || s.Rate == nil || s.Term == nil {
		return 0
	}
	return heloc.Payment(*s.LoanAmount, *s.Rate, p.term.Months(*s.Term))
}
