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

// showFunding maps the way from application to money. No date is worked out here:
// what the lender does not say stays empty.
func showFunding(v format.Viewer, l desk.LeadView) views.FundingView {
	k, n := l.Details.App.KeyDates, l.Details.App.Notary
	f := views.FundingView{
		Age: asOf(v, l.ClosingAt), Converted: l.Row.Converted, Conditions: showConditions(l.Conditions),
		Disclosures: format.Calendar(k.SummaryDisclosure), Signing: format.Calendar(k.Signing), AgreementSign: format.Calendar(k.AgreementESigned),
		RescissionEnd: format.Calendar(k.RescissionEnd), FirstPayment: format.Calendar(k.FirstPaymentDue), ExpectedOff: format.Calendar(k.ExpectedPayoff),
		Completed: format.Calendar(k.Completed), NotaryType: format.Said(string(n.Type), words.Notary), NotaryFee: format.Dollars(n.Fee),
		NotaryAppointment: format.Calendar(n.Appointment), NotaryCompleted: format.Calendar(n.Completed),
	}
	if m := n.ManualNotary; m != nil {
		f.ManualNotaryDate, f.ManualNotaryFee = format.Calendar(m.Date), format.Dollars(m.Fee)
	}
	if l.Funding == nil {
		return f
	}
	for _, t := range l.Funding.Transactions {
		f.Transactions = append(f.Transactions, views.TransactionRow{
			ID: t.ID, Amount: format.Dollars(t.Amount), Status: format.Said(string(t.Status), words.Funding), Rail: format.Said(string(t.Rail), words.Rail),
			Initiated: format.Calendar(t.InitiatedAt), Sent: format.Calendar(t.SentAt), Effective: format.Calendar(t.EffectiveDate), Batch: format.Said(t.BatchingCategory, words.Name),
			Message: t.MessageUUID,
		})
	}
	return f
}

func showConditions(all []heloc.Condition) []views.ConditionRow {
	var rows []views.ConditionRow
	for _, c := range all {
		row := views.ConditionRow{
			Name: format.Said(c.Name, words.Name), Created: format.Calendar(c.Created), Updated: format.Calendar(c.LastUpdate),
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

// showTransfers says of each transfer where it stands, and apart of those that did not go
// through what is to be done.
func showTransfers(r *heloc.FundingReport) (all, stopped []ui.Fact) {
	if r == nil {
		return nil, nil
	}
	for _, t := range r.Transactions {
		rail := "Transfer"
		if t.Rail != "" {
			rail = format.Said(string(t.Rail), words.Rail)
		}
		last := ""
		for _, day := range []struct {
			word string
			on   heloc.Date
		}{{"effective ", t.EffectiveDate}, {"sent ", t.SentAt}, {"begun ", t.InitiatedAt}} {
			if day.on != "" && last == "" {
				last = day.word + format.Calendar(day.on)
			}
		}
		value := format.Joined(", ", words.Or(format.Dollars(t.Amount)), format.Lowered(words.Or(format.Said(string(t.Status), words.Funding))), last)
		all = append(all, ui.Fact{Label: rail, Value: value})
		if t.Status.Stopped() {
			stopped = append(stopped, ui.Fact{
				Label: words.Stopped(t.Stopped()), Value: format.Joined(", ", format.Dollars(t.Amount), last) + ". The money has not arrived. Call the lender.",
			})
		}
	}
	return all, stopped
}

// openConditions are those that still wait to be cleared.
func openConditions(all []heloc.Condition) []views.ConditionRow {
	var open []views.ConditionRow
	for _, row := range showConditions(all) {
		if row.Open {
			open = append(open, row)
		}
	}
	return open
}

// asOf is when something was read; empty for never.
func asOf(v format.Viewer, t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return "as of " + v.Within(t)
}
