package lead

import (
	"hearthline/internal/heloc"
	"hearthline/views"
	"hearthline/views/words"
	"hearthline/web/format"
)

// showUnderwriting maps the lender's judgement so far.
func showUnderwriting(d heloc.Details) views.UnderwritingView {
	u := d.App.Underwriting
	return views.UnderwritingView{
		Decision: format.Said(u.Decision, words.Name), MinAmount: format.Dollars(u.MinOfferAmount), MaxAmount: format.Dollars(u.MaxOfferAmount),
		MinRate: format.Percent(u.MinOfferRate), MaxRate: format.Percent(u.MaxOfferRate), PricedAsOf: format.Calendar(u.PricingAsOf),
		CreditAsOf: format.Calendar(u.CreditAsOf), Guideline: u.GuidelineVersion, Soft: showCredit(u.SoftCredit), Hard: showCredit(u.HardCredit),
		MonthlyIncome: format.Dollars(u.MonthlyIncome), StatedIncome: format.Dollars(u.StatedMonthlyIncome),
		Employment: format.Said(string(u.EmploymentType), words.Employment), PreDTI: format.Percent(u.PreLoanDTI), PostDTI: format.Percent(u.PostLoanDTI),
		StatedDTI: format.Percent(u.StatedDTI), CoDeed: format.Said(string(u.CoDeedStatus), words.CoDeed), FloodInsured: yesNo(u.FloodInsured),
		HomeownersInsured: yesNo(u.HomeownersInsured), ListedMLS: yesNo(u.ForSaleMLS), ListedAttested: yesNo(u.ForSaleAttested),
		Payoff: showPayoff(d.App.Payoff),
	}
}

func showCredit(c *heloc.Credit) views.CreditView {
	if c == nil {
		return views.CreditView{}
	}
	return views.CreditView{Bureau: format.Said(string(c.Provider), words.Bureau), Score: format.Count(c.Score), When: format.Calendar(c.Timestamp)}
}

// showPayoff shows the account ids too: support asks for them.
func showPayoff(p heloc.PayoffDetails) views.PayoffView {
	v := views.PayoffView{
		Paid: format.Dollars(p.Paid), Total: format.Dollars(p.Total), AllocatedDTI: format.Dollars(p.AllocatedDTI), AllocatedOther: format.Dollars(p.AllocatedOther),
		LienPositionAfter: format.Ordinal(p.LienPositionAfter), Debts: showDebts(p, nil),
	}
	for i, d := range v.Debts {
		if d.ID != "" {
			v.Debts[i].Kind = format.Joined(" · ", d.Kind, "id "+d.ID)
		}
	}
	return v
}

// showDebts lists the debts that the line can pay off, then those it cannot, with
// the lender's reason. chosen are the account ids that stand ticked.
func showDebts(p heloc.PayoffDetails, chosen []string) []views.DebtRow {
	if p.Existing == nil {
		return nil
	}
	rows := make([]views.DebtRow, 0, len(p.Existing.Eligible)+len(p.Existing.Ineligible))
	for _, d := range p.Existing.Eligible {
		row := showDebt(d)
		for _, id := range chosen {
			row.Chosen = row.Chosen || id == d.ID
		}
		rows = append(rows, row)
	}
	for _, d := range p.Existing.Ineligible {
		row := showDebt(d)
		row.Reason = reasonsOf(d.Reasons)
		rows = append(rows, row)
	}
	return rows
}

func showDebt(d heloc.Liability) views.DebtRow {
	row := views.DebtRow{
		ID: d.ID, Creditor: words.Or(d.Creditor), Balance: format.Dollars(d.Balance), Status: format.Said(string(d.PayOffStatus), words.Payoff),
	}
	kind := []string{format.Said(string(d.Type), words.Liability), format.Said(string(d.SubType), words.LiabilitySub), format.Said(string(d.RateType), words.RateType), debtRate(d)}
	if d.LastDigits != "" {
		kind = append(kind, "ends "+d.LastDigits)
	}
	row.Kind = format.Joined(" · ", kind...)
	for _, h := range []struct {
		credit *bool
		with   string
	}{{d.DTICredit, "DTI"}, {d.CLTVCredit, "CLTV"}, {d.LienPositionCredit, "Lien position"}} {
		if h.credit != nil && *h.credit {
			row.Helps = append(row.Helps, h.with)
		}
	}
	return row
}

// debtRate is a debt's rate, or between which rates it lies.
func debtRate(d heloc.Liability) string {
	rate := format.Percent(d.InterestRate)
	if d.InterestRateMin != nil && d.InterestRateMax != nil && *d.InterestRateMin != *d.InterestRateMax {
		return format.Joined(" ", rate, "("+format.Percent(d.InterestRateMin)+" to "+format.Percent(d.InterestRateMax)+")")
	}
	return rate
}

// reasonsOf says why a debt cannot be paid off; it is never empty, because the
// emptiness would read as yes.
func reasonsOf(reasons []heloc.UnavailableDetail) string {
	var all []string
	for _, r := range reasons {
		all = append(all, format.Joined(": ", format.Said(string(r.Reason), words.Unavailable), r.Description))
	}
	if text := format.Joined("; ", all...); text != "" {
		return text
	}
	return "the lender gives no reason"
}

// yesNo is empty for what is not known.
func yesNo(b *bool) string {
	if b == nil {
		return ""
	}
	return words.YesNo(b)
}
