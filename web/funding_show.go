package web

import (
	"time"

	"hearthline/internal/desk"
	"hearthline/internal/heloc"
	"hearthline/views"
	"hearthline/views/ui"
	"hearthline/views/words"
)

// showFunding maps the way from application to money. No date is worked out here:
// what the lender does not say stays empty.
func (v viewer) showFunding(l desk.LeadView) views.FundingView {
	k, n := l.Details.App.KeyDates, l.Details.App.Notary
	f := views.FundingView{
		Age: v.asOf(l.ClosingAt), Converted: l.Row.Converted, Conditions: showConditions(l.Conditions),
		Disclosures: calendar(k.SummaryDisclosure), Signing: calendar(k.Signing), AgreementSign: calendar(k.AgreementESigned),
		RescissionEnd: calendar(k.RescissionEnd), FirstPayment: calendar(k.FirstPaymentDue), ExpectedOff: calendar(k.ExpectedPayoff),
		Completed: calendar(k.Completed), NotaryType: said(string(n.Type), words.Notary), NotaryFee: dollars(n.Fee),
		NotaryAppointment: calendar(n.Appointment), NotaryCompleted: calendar(n.Completed),
	}
	if m := n.ManualNotary; m != nil {
		f.ManualNotaryDate, f.ManualNotaryFee = calendar(m.Date), dollars(m.Fee)
	}
	if l.Funding == nil {
		return f
	}
	for _, t := range l.Funding.Transactions {
		f.Transactions = append(f.Transactions, views.TransactionRow{
			ID: t.ID, Amount: dollars(t.Amount), Status: said(string(t.Status), words.Funding), Rail: said(string(t.Rail), words.Rail),
			Initiated: calendar(t.InitiatedAt), Sent: calendar(t.SentAt), Effective: calendar(t.EffectiveDate), Batch: said(t.BatchingCategory, words.Name),
			Message: t.MessageUUID,
		})
	}
	return f
}

func showConditions(all []heloc.Condition) []views.ConditionRow {
	var rows []views.ConditionRow
	for _, c := range all {
		row := views.ConditionRow{
			Name: said(c.Name, words.Name), Created: calendar(c.Created), Updated: calendar(c.LastUpdate),
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
			rail = said(string(t.Rail), words.Rail)
		}
		last := ""
		for _, day := range []struct {
			word string
			on   heloc.Date
		}{{"effective ", t.EffectiveDate}, {"sent ", t.SentAt}, {"begun ", t.InitiatedAt}} {
			if day.on != "" && last == "" {
				last = day.word + calendar(day.on)
			}
		}
		value := joined(", ", words.Or(dollars(t.Amount)), lowered(words.Or(said(string(t.Status), words.Funding))), last)
		all = append(all, ui.Fact{Label: rail, Value: value})
		if t.Status.Stopped() {
			stopped = append(stopped, ui.Fact{
				Label: words.Stopped(t.Stopped()), Value: joined(", ", dollars(t.Amount), last) + ". The money has not arrived. Call the lender.",
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
func (v viewer) asOf(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return "as of " + v.within(t)
}
