package lead

import (
	"hearthline/internal/heloc"
	"hearthline/views/text"
	"hearthline/views/ui"
	"hearthline/web/workspace"
)

// presentNoOffersHints lists what to check for errors before a new inquiry, each with its current value. It does not
// claim that a correction would help. The requested amount is not in it, because the lender never receives it.
func presentNoOffersHints(f *workspace.Data) []ui.Fact {
	l := f.View
	if l.Row.StatusKey != heloc.StatusNoOffers || !canClone(f) {
		return nil
	}
	var hints []ui.Fact
	if debts := l.Details.App.Payoff.Existing; debts != nil && len(debts.Eligible) > 0 {
		hints = append(hints, ui.Fact{Label: "Payoffs:",
			Value: "The lender lists " + text.Pluralize(len(debts.Eligible), "debt", "debts") + " that the line could pay off."})
	}
	if !l.DetailsAt.IsZero() {
		hints = append(hints, ui.Fact{Label: "Property value:", Value: homeValueText(l.Details.App.Value)})
	}
	return append(hints, ui.Fact{Label: "Entry errors:",
		Value: "Wrong address, missing unit, or income or liens left out."})
}

// homeValueText compares the borrower's estimate of the home with the lender's model.
func homeValueText(v heloc.PropertyValue) string {
	switch {
	case v.BorrowerEstimated != nil && v.AVM != nil:
		return "Stated value " + text.Dollars(v.BorrowerEstimated) + ", AVM value " + text.Dollars(v.AVM) + "."
	case v.AVM != nil:
		return "AVM value " + text.Dollars(v.AVM) + "; no stated value."
	case v.BorrowerEstimated != nil:
		return "Stated value " + text.Dollars(v.BorrowerEstimated) + "."
	default:
		return "No value on file."
	}
}
