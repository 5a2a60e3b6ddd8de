package web

import (
	"strings"

	"hearthline/internal/heloc"
	"hearthline/views"
	"hearthline/views/words"
)

// showUnderwriting maps the lender's judgement so far.
func showUnderwriting(d heloc.Details) views.UnderwritingView {
	u := d.App.Underwriting
	return views.UnderwritingView{
		Decision: said(u.Decision, words.Name), MinAmount: dollars(u.MinOfferAmount), MaxAmount: dollars(u.MaxOfferAmount),
		MinRate: percent(u.MinOfferRate), MaxRate: percent(u.MaxOfferRate), PricedAsOf: calendar(u.PricingAsOf),
		CreditAsOf: calendar(u.CreditAsOf), Guideline: u.GuidelineVersion, Soft: showCredit(u.SoftCredit), Hard: showCredit(u.HardCredit),
		MonthlyIncome: dollars(u.MonthlyIncome), StatedIncome: dollars(u.StatedMonthlyIncome),
		Employment: said(string(u.EmploymentType), words.Employment), PreDTI: percent(u.PreLoanDTI), PostDTI: percent(u.PostLoanDTI),
		StatedDTI: percent(u.StatedDTI), CoDeed: said(string(u.CoDeedStatus), words.CoDeed), FloodInsured: yesNo(u.FloodInsured),
		HomeownersInsured: yesNo(u.HomeownersInsured), ListedMLS: yesNo(u.ForSaleMLS), ListedAttested: yesNo(u.ForSaleAttested),
		Payoff: showPayoff(d.App.Payoff),
	}
}

func showCredit(c *heloc.Credit) views.CreditView {
	if c == nil {
		return views.CreditView{}
	}
	return views.CreditView{Bureau: said(string(c.Provider), words.Bureau), Score: count(c.Score), When: calendar(c.Timestamp)}
}

// showPayoff shows the account ids too: support asks for them.
func showPayoff(p heloc.PayoffDetails) views.PayoffView {
	v := views.PayoffView{
		Paid: dollars(p.Paid), Total: dollars(p.Total), AllocatedDTI: dollars(p.AllocatedDTI), AllocatedOther: dollars(p.AllocatedOther),
		LienPositionAfter: ordinal(p.LienPositionAfter), Debts: showDebts(p, nil),
	}
	for i, d := range v.Debts {
		if d.ID != "" {
			v.Debts[i].Kind = joined(" · ", d.Kind, "id "+d.ID)
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
		ID: d.ID, Creditor: words.Or(d.Creditor), Balance: dollars(d.Balance), Status: said(string(d.PayOffStatus), words.Payoff),
	}
	kind := []string{said(string(d.Type), words.Liability), said(string(d.SubType), words.LiabilitySub), said(string(d.RateType), words.RateType), debtRate(d)}
	if d.LastDigits != "" {
		kind = append(kind, "ends "+d.LastDigits)
	}
	row.Kind = joined(" · ", kind...)
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
	rate := percent(d.InterestRate)
	if d.InterestRateMin != nil && d.InterestRateMax != nil && *d.InterestRateMin != *d.InterestRateMax {
		return joined(" ", rate, "("+percent(d.InterestRateMin)+" to "+percent(d.InterestRateMax)+")")
	}
	return rate
}

// reasonsOf says why a debt cannot be paid off; it is never empty, because the
// emptiness would read as yes.
func reasonsOf(reasons []heloc.UnavailableDetail) string {
	var all []string
	for _, r := range reasons {
		all = append(all, joined(": ", said(string(r.Reason), words.Unavailable), r.Description))
	}
	if text := joined("; ", all...); text != "" {
		return text
	}
	return "the lender gives no reason"
}

// joined puts what there is of the pieces together.
func joined(between string, pieces ...string) string {
	var kept []string
	for _, p := range pieces {
		if p != "" {
			kept = append(kept, p)
		}
	}
	return strings.Join(kept, between)
}

// yesNo is empty for what is not known.
func yesNo(b *bool) string {
	if b == nil {
		return ""
	}
	return words.YesNo(b)
}
