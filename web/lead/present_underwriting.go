package lead

import (
	"slices"

	"hearthline/internal/heloc"
	view "hearthline/views/lead"
	"hearthline/views/text"
	"hearthline/views/ui"
	workspaceview "hearthline/views/workspace"
	"hearthline/web/workspace"
)

// presentUnderwriting maps the lender's underwriting so far.
func presentUnderwriting(d heloc.Details) *view.UnderwritingView {
	u := d.App.Underwriting
	return &view.UnderwritingView{
		Panels: []ui.FactsPanelView{
			{ID: "decision", Title: "Decision and range",
				Facts: ui.FactsOrDash("Decision", text.DisplayText(u.Decision, text.Name),
					"Minimum amount", text.Dollars(u.MinOfferAmount), "Maximum amount", text.Dollars(u.MaxOfferAmount), "Lowest rate",
					text.Percent(u.MinOfferRate), "Highest rate", text.Percent(u.MaxOfferRate), "Priced as of",
					text.Date(u.PricingAsOf), "Guideline version", u.GuidelineVersion)},
			{ID: "credit", Title: "Credit", Facts: slices.Concat(presentCredit("Soft-pull", u.SoftCredit),
				presentCredit("Hard-pull", u.HardCredit),
				ui.FactsOrDash("Credit as of", text.Date(u.CreditAsOf)))},
			{ID: "income", Title: "Income and DTI", Facts: ui.FactsOrDash("Employment",
				text.DisplayText(string(u.EmploymentType), text.Employment),
				"Monthly income", text.Dollars(u.MonthlyIncome), "Stated monthly income", text.Dollars(u.StatedMonthlyIncome),
				"DTI before this line", text.Percent(u.PreLoanDTI), "DTI after this line", text.Percent(u.PostLoanDTI),
				"Stated DTI", text.Percent(u.StatedDTI))},
			{ID: "insurance", Title: "Title, insurance and sale",
				Facts: ui.FactsOrDash("Co-owner on title", text.DisplayText(string(u.CoDeedStatus), text.CoDeed),
					"Flood insurance", text.YesNo(u.FloodInsured), "Homeowners insurance", text.YesNo(u.HomeownersInsured),
					"Listed for sale (MLS)", text.YesNo(u.ForSaleMLS), "Listed for sale (borrower)", text.YesNo(u.ForSaleAttested))},
		},
		Payoff: presentPayoff(d.App.Payoff), Debts: presentDebtsWithIDs(d.App.Payoff),
	}
}

func presentCredit(kind string, c *heloc.Credit) []ui.Fact {
	if c == nil {
		c = &heloc.Credit{}
	}
	return ui.FactsOrDash(kind+" bureau", text.DisplayText(string(c.Provider), text.Bureau), kind+" score",
		text.Count(c.Score), kind+" date", text.Date(c.Timestamp))
}

func presentPayoff(p heloc.PayoffDetails) []ui.Fact {
	return ui.FactsOrDash("Paid off so far", text.Dollars(p.Paid), "To be paid off", text.Dollars(p.Total),
		"Payoffs counted in DTI", text.Dollars(p.AllocatedDTI),
		"Payoffs not counted in DTI", text.Dollars(p.AllocatedOther), "Lien position after",
		text.CountOrdinal(p.LienPositionAfter))
}

// presentDebtsWithIDs includes the account ids, because the lender's support asks for them.
func presentDebtsWithIDs(p heloc.PayoffDetails) []workspaceview.DebtRow {
	debts := workspace.PresentDebts(p, nil)
	for i, d := range debts {
		if d.ID != "" {
			debts[i].Kind = text.JoinNonEmpty(" · ", d.Kind, "ID "+d.ID)
		}
	}
	return debts
}
