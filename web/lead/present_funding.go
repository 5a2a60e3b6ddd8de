package lead

import (
	"time"

	desklead "hearthline/internal/desk/lead"

	"hearthline/internal/heloc"
	view "hearthline/views/lead"
	"hearthline/views/text"
	"hearthline/views/ui"
	"hearthline/web/workspace"
)

// conditionsList is the list of conditions on the funding tab.
const conditionsList = "conditions"

// presentFunding maps the closing and funding of an application. It calculates no dates: what the
// lender does not report stays empty.
func presentFunding(v text.Viewer, l desklead.Snapshot, lists workspace.Lists) *view.FundingView {
	k, n := l.Details.App.KeyDates, l.Details.App.Notary
	notary := ui.FactsOrDash("Type", text.DisplayText(string(n.Type), text.Notary), "Fee", text.Dollars(n.Fee),
		"Appointment", text.Date(n.Appointment),
		"Completed", text.Date(n.Completed))
	if m := n.ManualNotary; m != nil {
		if day, fee := text.Date(m.Date), text.Dollars(m.Fee); day != "" || fee != "" {
			notary = append(notary, ui.FactsOrDash("Manual notary date", day, "Manual notary fee", fee)...)
		}
	}
	closing := []string{disclosuresLabel(v, k), text.Date(k.SummaryDisclosure), "Signing", text.Date(k.Signing),
		"Agreement e-signed", text.Date(k.AgreementESigned)}
	if end := rescissionEnd(v, l); end != "" || k.RescissionEnd == "" {
		closing = append(closing, rescissionLabel(v, end), text.Date(end))
	}
	closing = append(closing, "First payment due", text.Date(k.FirstPaymentDue), "Maturity date",
		text.Date(k.ExpectedPayoff), "Completed", text.Date(k.Completed))
	ended := l.Row.StatusKey.Ended() || l.Row.StatusKey == heloc.StatusNoOffers
	f := &view.FundingView{
		Age: asOfText(v, l.ClosingAt), Application: l.Row.Converted,
		Awaited: !l.Row.Converted && !ended, Ended: ended,
		Panels: []ui.FactsPanelView{
			{ID: "closing", Title: "Closing", Facts: ui.FactsOrDash(closing...)},
			{ID: "notary", Title: "Notary", Facts: notary},
		},
	}
	conditions, _, next := workspace.PageOf(lists, conditionsList, l.Conditions, workspace.Numbered)
	f.Conditions = presentConditions(conditions)
	if len(conditions) < len(l.Conditions) {
		f.ConditionPages = lists.Pager(conditionsList, len(conditions), "condition", "conditions", next)
	}
	transfers, _, next := workspace.TransfersOf(lists, l)
	if l.Funding != nil && len(transfers) < len(l.Funding.Transactions) {
		f.TransferPages = lists.Pager(workspace.TransfersList, len(transfers), "transfer", "transfers", next)
	}
	for _, t := range transfers {
		f.Transactions = append(f.Transactions, view.TransactionRow{
			Amount: text.Dollars(t.Amount), Status: text.DisplayText(string(t.Status), text.Funding),
			Rail: text.DisplayText(string(t.Rail), text.Rail), Initiated: text.Date(t.InitiatedAt), Sent: text.Date(t.SentAt),
			Effective: text.Date(t.EffectiveDate), Batch: text.DisplayText(t.BatchingCategory, text.Name),
		})
	}
	return f
}

func presentConditions(all []heloc.Condition) []view.ConditionRow {
	var rows []view.ConditionRow
	for _, c := range all {
		row := view.ConditionRow{
			Name: text.DisplayText(c.Name, text.Name), Created: text.Date(c.Created), Updated: text.Date(c.LastUpdate),
			State: text.Dash, Open: c.Open(),
		}
		if c.Active != nil {
			row.State = map[bool]string{true: "Open", false: "Cleared"}[*c.Active]
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
			rail = text.DisplayText(string(t.Rail), text.Rail)
		}
		last := ""
		for _, day := range []struct {
			word string
			on   heloc.Date
		}{{"effective ", t.EffectiveDate}, {"sent ", t.SentAt}, {"started ", t.InitiatedAt}} {
			if day.on != "" && last == "" {
				last = day.word + text.Date(day.on)
			}
		}
		value := text.JoinNonEmpty(", ", text.OrDash(text.Dollars(t.Amount)),
			text.LowerFirst(text.OrDash(text.DisplayText(string(t.Status), text.Funding))), last)
		all = append(all, ui.Fact{Label: rail, Value: value})
		if t.Status.Failed() {
			failed = append(failed, ui.Fact{
				Label: text.FailedTransfer(t.FailureText()), Value: text.JoinNonEmpty(", ", text.Dollars(t.Amount), last) +
					". The transfer didn’t complete. Contact the lender.",
			})
		}
	}
	return all, failed
}

// asOfText states when something was read; it is empty for never.
func asOfText(v text.Viewer, t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return "as of " + v.DateTimeInText(t)
}
