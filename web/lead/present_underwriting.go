package lead

import (
	"slices"

	"hearthline/internal/heloc"
	view "hearthline/views/lead"
	"hearthline/views/ui"
	"hearthline/views/words"
	workspaceview "hearthline/views/workspace"
	"hearthline/web/format"
	"hearthline/web/workspace"
)

// presentUnderwriting maps the lender's underwriting so far.
func presentUnderwriting(d heloc.Details) *view.UnderwritingView {
	u := d.App.Underwriting
	return &view.UnderwritingView{
		Panels: []ui.FactsPanelView{
			{ID: "decision", Title: "Decision and range", Facts: format.Facts("Decision", format.DisplayText(u.Decision, words.Name),
				"Minimum amount", format.Dollars(u.MinOfferAmount), "Maximum amount", format.Dollars(u.MaxOfferAmount), "Lowest rate", format.Percent(u.MinOfferRate),
				"Highest rate", format.Percent(u.MaxOfferRate), "Priced as of", format.Date(u.PricingAsOf), "Guideline version", u.GuidelineVersion)},
			{ID: "credit", Title: "Credit", Facts: slices.Concat(presentCredit("Soft-pull", u.SoftCredit), presentCredit("Hard-pull", u.HardCredit),
				format.Facts("Credit as of", format.Date(u.CreditAsOf)))},
			{ID: "income", Title: "Income and DTI", Facts: format.Facts("Employment", format.DisplayText(string(u.EmploymentType), words.Employment),
				"Monthly income", format.Dollars(u.MonthlyIncome), "Stated monthly income", format.Dollars(u.StatedMonthlyIncome),
				"DTI before this line", format.Percent(u.PreLoanDTI), "DTI after this line", format.Percent(u.PostLoanDTI), "Stated DTI", format.Percent(u.StatedDTI))},
			{ID: "insurance", Title: "Title, insurance and sale", Facts: format.Facts("Co-owner on title", format.DisplayText(string(u.CoDeedStatus), words.CoDeed),
				"Flood insurance", yesNo(u.FloodInsured), "Homeowners insurance", yesNo(u.HomeownersInsured),
				"Listed for sale (MLS)", yesNo(u.ForSaleMLS), "Listed for sale (borrower)", yesNo(u.ForSaleAttested))},
		},
		Payoff: presentPayoff(d.App.Payoff), Debts: presentDebtsWithIDs(d.App.Payoff),
	}
}

func presentCredit(kind string, c *heloc.Credit) []ui.Fact {
	if c == nil {
		c = &heloc.Credit{}
	}
	return format.Facts(kind+" bureau", format.DisplayText(string(c.Provider), words.Bureau), kind+" score", format.Count(c.Score), kind+" date", format.Date(c.Timestamp))
}

func presentPayoff(p heloc.PayoffDetails) []ui.Fact {
	return format.Facts("Paid off so far", format.Dollars(p.Paid), "To be paid off", format.Dollars(p.Total), "Payoffs counted in DTI", format.Dollars(p.AllocatedDTI),
		"Payoffs not counted in DTI", format.Dollars(p.AllocatedOther), "Lien position after", format.Ordinal(p.LienPositionAfter))
}

// presentDebtsWithIDs includes the account ids, because the lender's support asks for them.
func presentDebtsWithIDs(p heloc.PayoffDetails) []workspaceview.DebtRow {
	debts := workspace.PresentDebts(p, nil)
	for i, d := range debts {
		if d.ID != "" {
			debts[i].Kind = format.JoinNonEmpty(" · ", d.Kind, "ID "+d.ID)
		}
	}
	return debts
}

// yesNo is empty for an unknown value.
func yesNo(b *bool) string {
	if b == nil {
		return ""
	}
	return words.YesNo(b)
}
