package lead

import (
	"strconv"

	"hearthline/internal/access"
	"hearthline/internal/desk"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	view "hearthline/views/lead"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/views/words"
	"hearthline/web/format"
	"hearthline/web/page"
)

// PresentNextStep maps the next-step card with the complete form of the step.
func PresentNextStep(v format.Viewer, f Data) view.NextStepView {
	l := f.View.Row
	c := v.TimingOf(l, f.View.UsualWait)
	s := view.NextStepView{
		StatusKey: string(l.StatusKey), Step: string(l.Step), Lang: words.English, Mover: string(l.Mover), Elapsed: c.Text, OverdueText: c.Overdue,
		CanAct: v.Who.Can(access.ActOnLead), SetAside: presentSetAside(f), NoOffersHints: presentNoOffersHints(f), Clone: f.canClone(), Links: presentStepLinks(v, l),
		FollowUp: presentBorrowerFollowUp(v, f), Phase: presentPhase(f.View),
		Income:         view.IncomeView{LiveDialect: f.View.LiveDialect, CanAdd: l.StatusKey == heloc.StatusMoreAssets, Sent: len(f.View.IncomeSent) > 0 && f.submitted == nil, Debts: presentDebts(f.View.Details.App.Payoff, f.chosenDebts())},
		SelectProperty: view.SelectPropertyView{Homes: presentHomes(f.View.Properties), Loading: f.View.Properties == nil},
	}
	if p := f.View.Properties; p != nil {
		for _, m := range p.Messages {
			s.SelectProperty.Messages = append(s.SelectProperty.Messages, m.Message)
		}
	}
	if p := f.View.Properties; l.StatusKey == heloc.StatusChooseProperty && p != nil && len(p.Properties) == 0 {
		s.Happened = "The address is too vague for the lender to find the home."
		s.Next = "The inquiry starts again with the address you correct; this one can be cancelled by it."
	}
	kind, typed := stepForm(f.View)
	if kind != "" && s.CanAct {
		s.Form = f.operationForm(kind, typed)
	}
	if kind != "" || l.StatusKey == heloc.StatusInProgress {
		// Only where the lender answers without anybody else: a borrower or a transfer takes as
		// long as it takes, and the page must not seem to promise anything.
		s.UsualWait = usualWaitText(f.View.UsualWait)
	}
	if s.Income.CanAdd && s.CanAct {
		s.Income.AddIncome = f.operationForm(heloc.OpAddIncome, f.View.IncomeSent)
	}
	if l.StatusKey == heloc.StatusCreditFrozen || l.StatusKey == heloc.StatusRepullDue {
		s.Consent = page.PresentConsent(v, f.View.ConsentText, format.FullName(f.View.Name))
		s.Freeze = PresentFreeze(v, f)
	}
	addPendingOperation(v, f, &s)
	return s
}

// addPendingOperation shows what was sent and has not been answered, or was answered with the same
// step.
func addPendingOperation(v format.Viewer, f Data, s *view.NextStepView) {
	l := f.View.Row
	if op := f.View.Pending; op != nil {
		s.Receipt, s.ReceiptID = PresentReceiptSteps(v, *op, f.View.UsualWait), op.ID
		if l.StatusKey != heloc.StatusInProgress {
			s.StillWaiting = "Sent " + v.AgeText(format.TimeOfMillis(op.SentAt)) + "."
			if f.View.UsualWait.Known {
				s.StillWaiting = "Sent " + v.AgeText(format.TimeOfMillis(op.SentAt)) + ", usually " + format.LongDuration(f.View.UsualWait.Median) + "."
			}
		}
	}
	if l.Attempt < 2 {
		return
	}
	s.Attempt = strconv.Itoa(l.Attempt)
	for _, op := range f.View.Operations {
		if op.StepChangedAt != 0 && (op.State == lead.OpSucceeded || op.State == lead.OpConfirmed) {
			s.RepeatedAfter = "after " + words.OperationOf(string(op.Kind)).Noun + " you sent " + v.DateTimeInText(format.TimeOfMillis(op.SentAt))
			return
		}
	}
	s.RepeatedAfter = "although it was answered"
}

// stepForm returns the operation that the status calls for, with the initial values of its form:
// what the lender has reported, and the inquiry's income where the lender requires it again.
// Otherwise income starts empty, so that only what the user enters is sent.
func stepForm(l desk.LeadView) (heloc.Operation, map[string][]string) {
	a := l.Details.App
	kind := l.Row.StatusKey.NextOperation()
	switch kind {
	case heloc.OpVerifyLiens:
		return kind, lienControls(a.Liens)
	case heloc.OpAssetDepletion:
		return kind, l.IncomeSent
	case heloc.OpPropertyValue:
		return kind, map[string][]string{"propertyEstimate.borrowerEstimatedValue": {format.ControlMoney(a.Value.BorrowerEstimated)}}
	}
	return kind, nil
}

func lienControls(liens []heloc.Lien) map[string][]string {
	typed := map[string][]string{}
	for i, l := range liens {
		at := "liens." + strconv.Itoa(i) + "."
		opened := ""
		if t, ok := l.OriginationDate.Time(); ok {
			opened = t.Format("01/02/2006")
		}
		for name, value := range map[string]string{
			"lienUuid": l.LienUUID, "lenderName": l.LenderName, "originationDate": opened, "originalBalance": format.ControlMoney(l.OriginalBalance),
			"currentBalance": format.ControlMoney(l.CurrentBalance), "monthlyPayment": format.ControlMoney(l.MonthlyPayment),
		} {
			typed[at+name] = []string{value}
		}
	}
	return typed
}

// usualWaitText states how long the lender usually takes, based on our own records once there are
// some.
func usualWaitText(w lead.UsualWait) string {
	if !w.Known {
		return ""
	}
	return "Usually " + format.LongDuration(w.Median) + ", nearly always under " + format.LongDuration(w.P95) + "."
}

func presentSetAside(f Data) view.SetAsideView {
	l := f.View.Row
	done := l.SetAsideAt != 0 && l.Step.CanSetAside()
	s := view.SetAsideView{Can: f.Can(access.AnnotateLead) && l.Step.CanSetAside() && !done && l.StatusKey != heloc.StatusInProgress, Done: done}
	if f.submitted != nil && f.submitted.Action == "set-aside" {
		s.Form = f.submitted.Form.View("")
	}
	return s
}

// presentStepLinks lists where the work at the current status continues.
func presentStepLinks(v format.Viewer, l lead.Row) []ui.NavLink {
	app := string(l.App)
	switch l.Lane {
	case heloc.LaneBorrower:
		return []ui.NavLink{{Label: "Documents", Icon: "file-text", Href: v.Base.LeadTab(app, to.Documents)}}
	case heloc.LaneClosing:
		return []ui.NavLink{
			{Label: "Conditions and funding", Icon: "landmark", Href: v.Base.LeadTab(app, to.Funding)},
			{Label: "Documents", Icon: "file-text", Href: v.Base.LeadTab(app, to.Documents)},
		}
	default:
		return nil
	}
}

// lastContactText describes the last contact with the borrower; it is empty if there was none.
func lastContactText(v format.Viewer, l lead.Row) string {
	if l.LastContactAt == 0 {
		return ""
	}
	how := "Contact"
	if l.LastContact != "" {
		how = words.Contact(l.LastContact)
	}
	return how + ", " + v.DateTimeInText(format.TimeOfMillis(l.LastContactAt))
}

// presentPhase maps an application in progress, or how a lead ended.
func presentPhase(l desk.LeadView) view.PhaseView {
	p := view.PhaseView{Conditions: presentOpenConditions(l.Conditions), Reasons: displayTextsWithRaw(l.Details.App.StatusReasons)}
	p.Transfers, p.FailedTransfers = presentTransfers(l.Funding)
	k, n := l.Details.App.KeyDates, l.Details.App.Notary
	days := []struct {
		label string
		day   heloc.Date
	}{
		{"Disclosures", k.SummaryDisclosure}, {"Agreement e-signed", k.AgreementESigned}, {"Notary appointment", n.Appointment}, {"Signing", k.Signing},
		{"Rescission ends", k.RescissionEnd}, {"Funded", l.Row.FundedDate}, {"First payment due", k.FirstPaymentDue},
	}
	if l.Row.Lane == heloc.LaneEnded {
		days = append(days, []struct {
			label string
			day   heloc.Date
		}{{"Cancelled", k.Canceled}, {"Declined", k.Declined}}...)
	}
	if l.Row.StatusKey == heloc.StatusExpired { // every inquiry has an expiration date; few reach it
		days = append(days, struct {
			label string
			day   heloc.Date
		}{"Expired", k.Expiration})
	}
	for _, d := range days {
		if l.Row.Lane == heloc.LaneEnded && d.day == "" {
			continue
		}
		p.Dates = append(p.Dates, ui.Fact{Label: d.label, Value: words.OrDash(formatWeekdayYear(d.day))})
	}
	return p
}

// formatWeekdayYear formats a day in full, "Tue, Nov 24, 2026".
func formatWeekdayYear(d heloc.Date) string {
	t, ok := d.Time()
	if !ok {
		return ""
	}
	return t.Format("Mon, Jan 2, 2006")
}
