package workspace

import (
	"slices"

	"hearthline/internal/desk"
	"hearthline/internal/heloc"
	"hearthline/views/ui"
	"hearthline/web/format"
)

// CashFacts lists what the selected offer pays off and what is left for the borrower, as far as they are known.
func CashFacts(l desk.LeadView) []ui.Fact {
	s := l.Details.App.Underwriting.SelectedOffer
	if s == nil || s.DrawAmount == nil || l.NewSelection != nil {
		return nil
	}
	var facts []ui.Fact
	payoffs, known := selectedPayoffs(l)
	if payoffs > 0 {
		facts = append(facts, ui.Fact{Label: "Pays off", Value: format.Money(payoffs)})
	}
	cash, label := *s.DrawAmount-payoffs, "Cash to the borrower"
	if l.Payments.Fee == heloc.FeeDeducted {
		_, fee := SelectedFee(l, *s)
		if fee == nil {
			return facts
		}
		cash, label = cash-*fee, "Cash to the borrower, after the fee"
	}
	if known && cash >= 0 {
		facts = append(facts, ui.Fact{Label: label, Value: format.Money(cash)})
	}
	return facts
}

// selectedPayoffs is the total of the debts that the selected offer pays off: the lender's total, or else that of the
// debts that were sent with the selection. known is false if the balance of one of them is not.
func selectedPayoffs(l desk.LeadView) (sum heloc.Money, known bool) {
	debts := l.Details.App.Payoff
	if debts.Total != nil {
		return *debts.Total, true
	}
	found := 0
	if debts.Existing != nil {
		for _, d := range debts.Existing.Eligible {
			if d.Balance != nil && slices.Contains(l.SelectedAccounts, d.ID) {
				sum, found = sum+*d.Balance, found+1
			}
		}
	}
	return sum, found == len(l.SelectedAccounts)
}

// SelectedFee is the origination fee of the selected offer in percent and as an amount: the lender's figure, or else,
// if the fee is added to the draw, the loan amount less the draw.
func SelectedFee(l desk.LeadView, s heloc.SelectedOffer) (percent *heloc.Rate, amount *heloc.Money) {
	percent, amount = s.OriginationFeePercent, s.OriginationFeeAmount
	switch {
	case amount != nil || s.DrawAmount == nil:
	case l.Payments.Fee == heloc.FeeAdded && s.LoanAmount != nil:
		fee := *s.LoanAmount - *s.DrawAmount
		amount = &fee
	case percent != nil:
		fee := heloc.FeeAmount(*s.DrawAmount, *percent)
		amount = &fee
	}
	return percent, amount
}
