package offers

import (
	"cmp"

	desklead "hearthline/internal/desk/lead"
	"hearthline/internal/heloc"
	view "hearthline/views/offers"
	"hearthline/views/text"
	"hearthline/views/ui"
	"hearthline/web/workspace"
)

// presentSelected maps the selected offer with the lender's figures; it is nil if none is selected. While the lender is
// processing a new selection, it maps that one only, because the earlier one may no longer be selected.
func presentSelected(l desklead.Snapshot) *view.SelectedOfferView {
	if l.NewSelection != nil {
		return presentNewSelection(l)
	}
	s := l.Details.App.Underwriting.SelectedOffer
	if s == nil {
		return nil
	}
	v := &view.SelectedOfferView{
		Title: cmp.Or(offerTitle(l.Payments.Term, s.Term, s.RateType, s.Rate, s.OriginationFeePercent),
			"An offer is selected"),
		Payment: text.Dollars(s.MonthlyPayment), CanChange: workspace.CanSelectOffer(l.Row),
	}
	ours := l.Payments.Selected(*s)
	if p := ours.Payment(); p > 0 && (s.MonthlyPayment == nil || !heloc.SameCents(p, *s.MonthlyPayment)) {
		v.OurEstimate = text.Money(p)
	}
	v.Facts = selectedFacts(l, *s)
	if s.MonthlyPayment != nil && v.OurEstimate == "" && ours.InterestOnly && ours.Payment() > 0 {
		v.PaymentNote = "during the draw period"
		v.Facts = append([]ui.Fact{{Label: "Afterward (our estimate)", Value: text.Afterward(ours)}}, v.Facts...)
	}
	return v
}

// presentNewSelection maps a selection that the lender is processing: what the originator confirmed.
func presentNewSelection(l desklead.Snapshot) *view.SelectedOfferView {
	sent := l.NewSelection
	v := &view.SelectedOfferView{Title: "sent to the lender", IsNew: true, Statement: sent.Statement}
	if v.Statement == "" {
		v.Facts = []ui.Fact{{Label: drawLabel(l.Payments.Fee), Value: text.Money(sent.Amount)}}
	}
	return v
}

func selectedFacts(l desklead.Snapshot, s heloc.SelectedOffer) []ui.Fact {
	draw := ui.FactOrDash(drawLabel(l.Payments.Fee), text.Dollars(s.DrawAmount))
	facts := append([]ui.Fact{draw}, workspace.CashFacts(l)...)
	fee := s.OriginationFeePercent
	facts = append(facts, ui.FactsOrDash(
		"Origination fee", text.JoinNonEmpty(" · ", text.Percent(fee), text.Dollars(s.Fee())),
		"Loan amount", text.Dollars(s.LoanAmount), "Credit line", text.Dollars(s.CreditLine),
		"Rate", text.Percent(s.Rate), "Prime rate", text.Percent(s.PrimeRate))...)
	if s.OriginationFee != nil && (fee == nil || *s.OriginationFee != *fee) {
		facts = append(facts, ui.FactOrDash("Origination fee (also reported)", text.Percent(s.OriginationFee)))
	}
	for _, d := range s.SelectedDiscounts {
		facts = append(facts, ui.FactOrDash(discountName(d), "−"+text.Percent(d.RateAmount)))
	}
	return facts
}

// drawLabel names the amount that was selected.
func drawLabel(method heloc.FeeMethod) string {
	if method == heloc.FeeDeducted {
		return "Draw, before the fee"
	}
	return "Net draw"
}
