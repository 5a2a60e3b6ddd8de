package workspace

import (
	"slices"

	desklead "hearthline/internal/desk/lead"
	"hearthline/internal/heloc"
	"hearthline/views/text"
	"hearthline/views/ui"
)

// CashFacts lists what the selected offer pays off and what is left for the borrower, as far as they are known.
func CashFacts(l desklead.Snapshot) []ui.Fact {
	s := l.Details.App.Underwriting.SelectedOffer
	if s == nil || s.DrawAmount == nil || l.NewSelection != nil {
		return nil
	}
	var facts []ui.Fact
	payoffs, known := selectedPayoffs(l)
	if payoffs > 0 {
		facts = append(facts, ui.Fact{Label: "Pays off", Value: text.Money(payoffs)})
	}
	cash, label := *s.DrawAmount-payoffs, "Cash to the borrower"
	if l.Payments.Fee == heloc.FeeDeducted {
		fee := s.Fee()
		if fee == nil {
			return facts
		}
		cash, label = cash-*fee, "Cash to the borrower, after the fee"
	}
	if known && cash >= 0 {
		facts = append(facts, ui.Fact{Label: label, Value: text.Money(cash)})
	}
	return facts
}

// selectedPayoffs is the total of the debts that the selected offer pays off: the lender's total, or else that of the
// debts that were sent with the selection. known is false if the offer was selected elsewhere, or if the balance of a
// debt is unknown.
func selectedPayoffs(l desklead.Snapshot) (sum heloc.Money, known bool) {
	debts := l.Details.App.Payoff
	if debts.Total != nil && (*debts.Total > 0 || len(l.SelectedAccounts) == 0) {
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
	return sum, l.SelectedHere && found == len(l.SelectedAccounts)
}
