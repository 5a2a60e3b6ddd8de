package lead

import (
	"time"

	"hearthline/internal/desk"
	"hearthline/internal/heloc"
	"hearthline/views"
	"hearthline/views/ui"
	"hearthline/views/words"
	"hearthline/web/format"
)

// presentFunding maps the way from application to money. No date is worked out here:
// what the lender does not say stays empty.
func presentFunding(v format.Viewer, l desk.LeadView) views.FundingView {
	k, n := l.Details.App.KeyDates, l.Details.App.Notary
	f := views.FundingView{
		Age: asOfText(v, l.ClosingAt), Converted: l.Row.Converted, Conditions: presentConditions(l.Conditions),
		Disclosures: format.FormatDate(k.SummaryDisclosure), Signing: format.FormatDate(k.Signing), AgreementSigned: format.FormatDate(k.AgreementESigned),
		RescissionEnd: format.FormatDate(k.RescissionEnd), FirstPayment: format.FormatDate(k.FirstPaymentDue), ExpectedPayoff: format.FormatDate(k.ExpectedPayoff),
		Completed: format.FormatDate(k.Completed), NotaryType: format.DisplayText(string(n.Type), words.Notary), NotaryFee: format.FormatDollars(n.Fee),
		NotaryAppointment: format.FormatDate(n.Appointment), NotaryCompleted: format.FormatDate(n.Completed),
	}
	if m := n.ManualNotary; m != nil {
		f.ManualNotaryDate, f.ManualNotaryFee = format.FormatDate(m.Date), format.FormatDollars(m.Fee)
	}
	if l.Funding == nil {
		return f
	}
	for _, t := range l.Funding.Transactions {
		f.Transactions = append(f.Transactions, views.TransactionRow{
			ID: t.ID, Amount: format.FormatDollars(t.Amount), Status: format.DisplayText(string(t.Status), words.Funding), Rail: format.DisplayText(string(t.Rail), words.Rail),
			Initiated: format.FormatDate(t.InitiatedAt), Sent: format.FormatDate(t.SentAt), Effective: format.FormatDate(t.EffectiveDate), Batch: format.DisplayText(t.BatchingCategory, words.Name),
			Message: t.MessageUUID,
		})
	}
	return f
}

func presentConditions(all []heloc.Condition) []views.ConditionRow {
	var rows []views.ConditionRow
	for _, c := range all {
		row := views.ConditionRow{
			Name: format.DisplayText(c.Name, words.Name), Created: format.FormatDate(c.Created), Updated: format.FormatDate(c.LastUpdate),
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

// presentTransfers says of each transfer where it stands, and apart of those that did not go
// through what is to be done.
func presentTransfers(r *heloc.FundingReport) (all, stopped []ui.Fact) {
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
		}{{"effective ", t.EffectiveDate}, {"sent ", t.SentAt}, {"begun ", t.InitiatedAt}} {
			if day.on != "" && last == "" {
				last = day.word + format.FormatDate(day.on)
			}
		}
		value := format.JoinNonEmpty(", ", words.OrDash(format.FormatDollars(t.Amount)), format.LowerFirst(words.OrDash(format.DisplayText(string(t.Status), words.Funding))), last)
		all = append(all, ui.Fact{Label: rail, Value: value})
		if t.Status.Failed() {
			stopped = append(stopped, ui.Fact{
				Label: words.FailedTransfer(t.FailureText()), Value: format.JoinNonEmpty(", ", format.FormatDollars(t.Amount), last) + ". The money has not arrived. Call the lender.",
			})
		}
	}
	return all, stopped
}

// presentOpenConditions are those that still wait to be cleared.
func presentOpenConditions(all []heloc.Condition) []views.ConditionRow {
	var open []views.ConditionRow
	for _, row := range presentConditions(all) {
		if row.Open {
			open = append(open, row)
		}
	}
	return open
}

// asOfText is when something was read; empty for never.
func asOfText(v format.Viewer, t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return "as of " + v.DateTimeInText(t)
}
