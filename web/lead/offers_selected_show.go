package lead

import (
	"hearthline/internal/desk"
	"hearthline/internal/heloc"
	"hearthline/views"
	"hearthline/views/ui"
	"hearthline/views/words"
	"hearthline/web/format"
)

// showSelected puts the lender's estimate beside ours, and says why they differ.
func (p Priced) showSelected(l desk.LeadView) views.SelectedView {
	s := l.Details.App.Underwriting.SelectedOffer
	if s == nil {
		return views.SelectedView{}
	}
	v := views.SelectedView{
		Title: p.titleOf(s.Term, s.RateType, s.Rate, s.OriginationFeePercent), Payment: format.Dollars(s.MonthlyPayment), CanChange: selectable(l.Row),
	}
	if v.Title == "" {
		v.Title = "An offer is selected"
	}
	if ours := p.paymentOf(*s); ours > 0 {
		v.Ours = format.Amount(ours)
		if s.MonthlyPayment != nil && *s.MonthlyPayment != ours {
			v.Difference = "The lender may round otherwise, or count interest alone while the line can be drawn."
		}
	}
	add := func(label, value string) { v.Facts = append(v.Facts, ui.Fact{Label: label, Value: words.Or(value)}) }
	add("Net draw", format.Dollars(s.DrawAmount))
	add("Loan amount", format.Dollars(s.LoanAmount))
	add("Credit line", format.Dollars(s.CreditLine))
	add("Rate", format.Percent(s.Rate))
	add("Prime rate", format.Percent(s.PrimeRate))
	add("Fee", format.Joined(" ", format.Percent(s.OriginationFeePercent), format.Dollars(s.OriginationFeeAmount)))
	if s.OriginationFee != nil {
		add("Origination fee", format.Percent(s.OriginationFee))
	}
	for _, d := range s.SelectedDiscounts {
		add(discountName(d), "−"+format.Percent(d.RateAmount))
	}
	add("Offer", s.OfferUUID)
	return v
}

func (p Priced) paymentOf(s heloc.SelectedOffer) heloc.Money {
	if s.LoanAmount == nil || s.Rate == nil || s.Term == nil {
		return 0
	}
	return heloc.Payment(*s.LoanAmount, *s.Rate, p.Term.Months(*s.Term))
}
