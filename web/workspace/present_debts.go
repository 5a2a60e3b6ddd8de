package workspace

import (
	"cmp"
	"slices"
	"strings"

	desklead "hearthline/internal/desk/lead"
	"hearthline/internal/heloc"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/views/ui"
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

// CashFacts lists what the selected offer pays off and what is left for the borrower, as far as they are known.
func CashFacts(l desklead.Snapshot) []ui.Fact {
	s := l.Details.App.Underwriting.SelectedOffer
	if s == nil || s.DrawAmount == nil || l.NewSelection != nil {
		return nil
	}
	var facts []ui.Fact
	payoffs, known := selectedPayoffs(l)
	if payoffs > 0 && known {
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

// presentFigures says, on the overview and on the offers, which figures the lender booked otherwise than the borrower
// was shown. A missing discount is in presentDroppedDiscounts.
func presentFigures(tab to.Tab, c desklead.FigureComparison) []ui.Notice {
	if tab != to.Overview && tab != to.Offers {
		return nil
	}
	var all []string
	for _, figure := range c.Differ {
		if words := differenceText(c, figure); words != "" {
			all = append(all, words)
		}
	}
	if len(all) == 0 {
		return nil
	}
	return []ui.Notice{{
		Kind: "yours", Icon: "triangle-alert", Title: "The lender’s figures differ from those shown at selection.",
		Text: strings.Join(all, " "), More: "Tell the borrower about the lender’s figures.",
	}}
}

func differenceText(c desklead.FigureComparison, figure heloc.Figure) string {
	shown, booked := text.OfferFigure(c.Shown, figure), text.OfferFigure(c.Booked, figure)
	switch figure {
	case heloc.FigureDiscounts:
		added := slices.DeleteFunc(slices.Clone(c.Booked.Discounts), func(kind string) bool {
			return slices.Contains(c.Shown.Discounts, kind)
		})
		if len(added) == 0 {
			return ""
		}
		return "The lender added: " + text.OfferFigure(heloc.OfferFigures{Discounts: added}, figure) + "."
	case heloc.FigureAmount:
		return "The lender’s draw is " + booked + "; " + shown + " was selected."
	case heloc.FigureRate:
		return "The lender’s rate is " + booked + "; we showed " + shown + "."
	case heloc.FigurePayment:
		return "The lender’s payment is " + booked + "; we estimated " + shown + "."
	default:
		return "The lender’s " + text.LowerFirst(text.OfferFigureName(string(figure))) + " is " + booked +
			"; we estimated " + shown + "."
	}
}
