package lead

import (
	"hearthline/internal/heloc"
	"hearthline/views/ui"
	"hearthline/web/format"
)

// presentNoOffersHints are what a new inquiry could have otherwise, with what stands there now:
// only what this lead gives a reason for. Nothing here says that it would do.
func presentNoOffersHints(f Data) []ui.Fact {
	l := f.View
	if l.Row.StatusKey != heloc.StatusNoOffers || !f.canClone() {
		return nil
	}
	levers := []ui.Fact{{Label: "A smaller amount.", Value: wantedAmountText(l.Row.RequestedAmount)}}
	if debts := l.Details.App.Payoff.Existing; debts != nil && len(debts.Eligible) > 0 {
		levers = append(levers, ui.Fact{Label: "Paying off debts.", Value: "The lender sees " + format.Pluralize(len(debts.Eligible), "debt", "debts") + " that the line could pay off."})
	}
	if !l.DetailsAt.IsZero() {
		levers = append(levers, ui.Fact{Label: "The value of the home.", Value: homeValueText(l.Details.App.Value)})
	}
	return append(levers, ui.Fact{Label: "What was typed.", Value: "A wrong address, a missing unit, income or a lien that was left out."})
}

func wantedAmountText(wanted heloc.Money) string {
	if wanted == 0 {
		return "The line asked for may be more than the home allows."
	}
	return format.Money(wanted) + " was asked for."
}

// homeValueText sets the borrower's word on the home beside the lender's model.
func homeValueText(v heloc.PropertyValue) string {
	switch {
	case v.BorrowerEstimated != nil && v.AVM != nil:
		return "The borrower says " + format.Dollars(v.BorrowerEstimated) + ", the lender’s model " + format.Dollars(v.AVM) + "."
	case v.AVM != nil:
		return "The lender’s model says " + format.Dollars(v.AVM) + "; the borrower has not been asked."
	case v.BorrowerEstimated != nil:
		return "The borrower says " + format.Dollars(v.BorrowerEstimated) + "."
	default:
		return "None was given."
	}
}
