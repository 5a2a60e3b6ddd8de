package lead

import (
	"time"

	"hearthline/internal/desk"
	"hearthline/internal/heloc"
	view "hearthline/views/lead"
	"hearthline/views/ui"
	"hearthline/views/words"
	"hearthline/web/format"
)

// presentFunding maps the closing and funding of an application. It calculates no dates: what the
// lender does not report stays empty.
func presentFunding(v format.Viewer, l desk.LeadView) *view.FundingView {
	k, n := l.Details.App.KeyDates, l.Details.App.Notary
	notary := format.Facts("Type", format.DisplayText(string(n.Type), words.Notary), "Fee", format.Dollars(n.Fee), "Appointment", format.Date(n.Appointment),
		"Completed", format.Date(n.Completed))
	if m := n.ManualNotary; m != nil {
		if day, fee := format.Date(m.Date), format.Dollars(m.Fee); day != "" || fee != "" {
			notary = append(notary, format.Facts("Manual notary date", day, "Manual notary fee", fee)...)
		}
	}
	closing := []string{"Disclosures sent", format.Date(k.SummaryDisclosure), "Signing", format.Date(k.Signing), "Agreement e-signed", format.Date(k.AgreementESigned)}
	if end := rescissionEnd(v, l); end != "" || k.RescissionEnd == "" {
		closing = append(closing, rescissionLabel(v, end), format.Date(end))
	}
	closing = append(closing, "First payment due", format.Date(k.FirstPaymentDue), "Maturity date", format.Date(k.ExpectedPayoff), "Completed", format.Date(k.Completed))
	ended := l.Row.StatusKey.Ended() || l.Row.StatusKey == heloc.StatusNoOffers
	f := &view.FundingView{
		Age: asOfText(v, l.ClosingAt), Awaited: !l.Row.Converted && !ended, Ended: ended, Conditions: presentConditions(l.Conditions),
		Panels: []ui.FactsPanelView{
			{ID: "closing", Title: "Closing", Facts: format.Facts(closing...)},
			{ID: "notary", Title: "Notary", Facts: notary},
		},
	}
	if l.Funding == nil {
		return f
	}
	for _, t := range l.Funding.Transactions {
		f.Transactions = append(f.Transactions, view.TransactionRow{
			Amount: format.Dollars(t.Amount), Status: format.DisplayText(string(t.Status), words.Funding), Rail: format.DisplayText(string(t.Rail), words.Rail),
			Initiated: format.Date(t.InitiatedAt), Sent: format.Date(t.SentAt), Effective: format.Date(t.EffectiveDate), Batch: format.DisplayText(t.BatchingCategory, words.Name),
		})
	}
	return f
}

func presentConditions(all []heloc.Condition) []view.ConditionRow {
	var rows []view.ConditionRow
	for _, c := range all {
		row := view.ConditionRow{
			Name: format.DisplayText(c.Name, words.Name), Created: format.Date(c.Created), Updated: format.Date(c.LastUpdate),
			State: words.Dash, Open: c.Active == nil || *c.Active,
		}
		switch {
		case c.Active == nil:
		case *c.Active:
			row.State = "Open"
		default:
			row.State = "Cleared"
		}
		rows = append(rows, row)
	}
	return rows
}

// presentTransfers lists the status of each transfer, and separately what to do about those that
// failed.
func presentTransfers(r *heloc.FundingReport) (all, failed []ui.Fact) {
	if r == nil {
		return nil, nil
	}
	for _, t := range r.Transactions {
		rail := "Transfer"
		if t.Rail != "" {
			rail = format.DisplayText(string(t.Rail), words.Rail)
		}
		last := ""
		for _, day := range []struct {
			word string
			on   heloc.Date
		}{{"effective ", t.EffectiveDate}, {"sent ", t.SentAt}, {"started ", t.InitiatedAt}} {
			if day.on != "" && last == "" {
				last = day.word + format.Date(day.on)
			}
		}
		value := format.JoinNonEmpty(", ", words.OrDash(format.Dollars(t.Amount)), format.LowerFirst(words.OrDash(format.DisplayText(string(t.Status), words.Funding))), last)
		all = append(all, ui.Fact{Label: rail, Value: value})
		if t.Status.Failed() {
			failed = append(failed, ui.Fact{
				Label: words.FailedTransfer(t.FailureText()), Value: format.JoinNonEmpty(", ", format.Dollars(t.Amount), last) + ". The transfer didn’t complete. Contact the lender.",
			})
		}
	}
	return all, failed
}

// presentOpenConditions returns the conditions that are not cleared yet.
func presentOpenConditions(all []heloc.Condition) []view.ConditionRow {
	var open []view.ConditionRow
	for _, row := range presentConditions(all) {
		if row.Open {
			open = append(open, row)
		}
	}
	return open
}

// asOfText states when something was read; it is empty for never.
func asOfText(v format.Viewer, t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return "as of " + v.DateTimeInText(t)
}
