package workspace

import (
	"cmp"
	"slices"

	"hearthline/internal/heloc"
	"hearthline/views/text"
	view "hearthline/views/workspace"
)

// PresentDebts lists the debts that the line can pay off, then those that it cannot, with the
// lender's reason. chosen has the account ids of the selected debts.
func PresentDebts(p heloc.PayoffDetails, chosen []string) []view.DebtRow {
	if p.Existing == nil {
		return nil
	}
	rows := make([]view.DebtRow, 0, len(p.Existing.Eligible)+len(p.Existing.Ineligible))
	for _, d := range p.Existing.Eligible {
		row := presentDebt(d)
		row.Chosen = slices.Contains(chosen, d.ID)
		rows = append(rows, row)
	}
	for _, d := range p.Existing.Ineligible {
		row := presentDebt(d)
		row.Ineligible = unavailableReason(d.Reasons)
		rows = append(rows, row)
	}
	return rows
}

func presentDebt(d heloc.Liability) view.DebtRow {
	row := view.DebtRow{
		ID: d.ID, Creditor: text.OrDash(d.Creditor), Balance: text.Dollars(d.Balance),
		Status: text.DisplayText(string(d.PayOffStatus), text.Payoff),
	}
	kind := []string{text.DisplayText(string(d.Type), text.Liability),
		text.DisplayText(string(d.SubType), text.LiabilitySub), text.DisplayText(string(d.RateType), text.RateType),
		debtRateText(d)}
	if d.LastDigits != "" {
		kind = append(kind, "ends "+d.LastDigits)
	}
	row.Kind = text.JoinNonEmpty(" · ", kind...)
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
	rate := text.Percent(d.InterestRate)
	if d.InterestRateMin != nil && d.InterestRateMax != nil && *d.InterestRateMin != *d.InterestRateMax {
		return text.JoinNonEmpty(" ", rate, "("+text.Percent(d.InterestRateMin)+" to "+text.Percent(d.InterestRateMax)+")")
	}
	return rate
}

// unavailableReason states why a debt cannot be paid off, once: the lender's own sentence, or else its code in words,
// because a sentence and the words of a code can contradict each other. It is never empty, because an empty text would
// mean that the debt can be paid off.
func unavailableReason(reasons []heloc.UnavailableDetail) string {
	for _, r := range reasons {
		if words := cmp.Or(r.Description, text.DisplayText(string(r.Reason), text.Unavailable)); words != "" {
			return words
		}
	}
	return "the lender gives no reason"
}
