package lead

import (
	"hearthline/internal/heloc"
	view "hearthline/views/lead"
	"hearthline/views/words"
	"hearthline/web/format"
)

// presentUnderwriting maps the lender's underwriting so far.
func presentUnderwriting(d heloc.Details) view.UnderwritingView {
	u := d.App.Underwriting
	return view.UnderwritingView{
		Decision: format.DisplayText(u.Decision, words.Name), MinAmount: format.Dollars(u.MinOfferAmount), MaxAmount: format.Dollars(u.MaxOfferAmount),
		MinRate: format.Percent(u.MinOfferRate), MaxRate: format.Percent(u.MaxOfferRate), PricedAsOf: format.Date(u.PricingAsOf),
		CreditAsOf: format.Date(u.CreditAsOf), Guideline: u.GuidelineVersion, Soft: presentCredit(u.SoftCredit), Hard: presentCredit(u.HardCredit),
		MonthlyIncome: format.Dollars(u.MonthlyIncome), StatedIncome: format.Dollars(u.StatedMonthlyIncome),
		Employment: format.DisplayText(string(u.EmploymentType), words.Employment), PreDTI: format.Percent(u.PreLoanDTI), PostDTI: format.Percent(u.PostLoanDTI),
		StatedDTI: format.Percent(u.StatedDTI), CoDeed: format.DisplayText(string(u.CoDeedStatus), words.CoDeed), FloodInsured: yesNo(u.FloodInsured),
		HomeownersInsured: yesNo(u.HomeownersInsured), ListedMLS: yesNo(u.ForSaleMLS), ListedAttested: yesNo(u.ForSaleAttested),
		Payoff: presentPayoff(d.App.Payoff),
	}
}

func presentCredit(c *heloc.Credit) view.CreditView {
	if c == nil {
		return view.CreditView{}
	}
	return view.CreditView{Bureau: format.DisplayText(string(c.Provider), words.Bureau), Score: format.Count(c.Score), When: format.Date(c.Timestamp)}
}

// presentPayoff includes the account ids, because the lender's support asks for them.
func presentPayoff(p heloc.PayoffDetails) view.PayoffView {
	v := view.PayoffView{
		Paid: format.Dollars(p.Paid), Total: format.Dollars(p.Total), AllocatedDTI: format.Dollars(p.AllocatedDTI), AllocatedOther: format.Dollars(p.AllocatedOther),
		LienPositionAfter: format.Ordinal(p.LienPositionAfter), Debts: presentDebts(p, nil),
	}
	for i, d := range v.Debts {
		if d.ID != "" {
			v.Debts[i].Kind = format.JoinNonEmpty(" · ", d.Kind, "id "+d.ID)
		}
	}
	return v
}

// presentDebts lists the debts that the line can pay off, then those that it cannot, with the
// lender's reason. chosen has the account ids of the ticked debts.
func presentDebts(p heloc.PayoffDetails, chosen []string) []view.DebtRow {
	if p.Existing == nil {
		return nil
	}
	rows := make([]view.DebtRow, 0, len(p.Existing.Eligible)+len(p.Existing.Ineligible))
	for _, d := range p.Existing.Eligible {
		row := presentDebt(d)
		for _, id := range chosen {
			row.Chosen = row.Chosen || id == d.ID
		}
		rows = append(rows, row)
	}
	for _, d := range p.Existing.Ineligible {
		row := presentDebt(d)
		row.Ineligible = unavailableReasons(d.Reasons)
		rows = append(rows, row)
	}
	return rows
}

func presentDebt(d heloc.Liability) view.DebtRow {
	row := view.DebtRow{
		ID: d.ID, Creditor: words.OrDash(d.Creditor), Balance: format.Dollars(d.Balance), Status: format.DisplayText(string(d.PayOffStatus), words.Payoff),
	}
	kind := []string{format.DisplayText(string(d.Type), words.Liability), format.DisplayText(string(d.SubType), words.LiabilitySub), format.DisplayText(string(d.RateType), words.RateType), debtRateText(d)}
	if d.LastDigits != "" {
		kind = append(kind, "ends "+d.LastDigits)
	}
	row.Kind = format.JoinNonEmpty(" · ", kind...)
	for _, h := range []struct {
		credit *bool
		with   string
	}{{d.DTICredit, "DTI"}, {d.CLTVCredit, "CLTV"}, {d.LienPositionCredit, "Lien position"}} {
		if h.credit != nil && *h.credit {
			row.Improves = append(row.Improves, h.with)
		}
	}
	return row
}

// debtRateText returns a debt's rate, with its range if it has one.
func debtRateText(d heloc.Liability) string {
	rate := format.Percent(d.InterestRate)
	if d.InterestRateMin != nil && d.InterestRateMax != nil && *d.InterestRateMin != *d.InterestRateMax {
		return format.JoinNonEmpty(" ", rate, "("+format.Percent(d.InterestRateMin)+" to "+format.Percent(d.InterestRateMax)+")")
	}
	return rate
}

// unavailableReasons states why a debt cannot be paid off. It is never empty, because an empty text
// would mean that it can.
func unavailableReasons(reasons []heloc.UnavailableDetail) string {
	var all []string
	for _, r := range reasons {
		all = append(all, format.JoinNonEmpty(": ", format.DisplayText(string(r.Reason), words.Unavailable), r.Description))
	}
	if text := format.JoinNonEmpty("; ", all...); text != "" {
		return text
	}
	return "the lender gives no reason"
}

// yesNo is empty for an unknown value.
func yesNo(b *bool) string {
	if b == nil {
		return ""
	}
	return words.YesNo(b)
}
