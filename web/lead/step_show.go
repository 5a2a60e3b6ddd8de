package lead

import (
	"strconv"

	"hearthline/internal/access"
	"hearthline/internal/desk"
	"hearthline/internal/heloc"
	"hearthline/views"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/views/words"
	"hearthline/web/format"
	"hearthline/web/page"
)

// showStep maps the next-step card with the form of the step, complete.
func ShowStep(v format.Viewer, f LeadFacts) views.StepView {
	l := f.View.Row
	c := v.ClockOf(l, f.View.Wait)
	s := views.StepView{
		Key: string(l.Stand), Step: string(l.Step), Lang: words.English, Mover: string(l.Mover), Clock: c.Clock, Late: c.Late,
		Can: v.Who.Can(access.ActOnLead), SetAside: showSetAside(f), Levers: showLevers(f), Clone: f.clonable(), Links: showLinks(v, l),
		Chase: showChase(v, f), Phase: showPhase(f.View),
		Income: views.IncomeView{Live: f.View.Live, CanAdd: l.Stand == heloc.StandAssets, Sent: len(f.View.IncomeSent) > 0 && f.attempt == nil, Debts: showDebts(f.View.Details.App.Payoff, f.chosenDebts())},
		Choose: views.ChooseView{Homes: showHomes(f.View.Properties), Loading: f.View.Properties == nil},
	}
	if p := f.View.Properties; p != nil {
		for _, m := range p.Messages {
			s.Choose.Messages = append(s.Choose.Messages, m.Message)
		}
	}
	if p := f.View.Properties; l.Stand == heloc.StandChooseProperty && p != nil && len(p.Properties) == 0 {
		s.What = "The address is too vague for the lender to find the home."
		s.Next = "The inquiry starts again with the address you correct; this one can be cancelled by it."
	}
	kind, typed := stepForm(f.View)
	if kind != "" && s.Can {
		s.Form = f.formOf(kind, typed)
	}
	if kind != "" || l.Stand == heloc.StandInProgress {
		// Only where the lender answers by itself: a borrower, or the money, takes the
		// time it takes, and nothing may sound like a promise.
		s.Usual = usual(f.View.Wait)
	}
	if s.Income.CanAdd && s.Can {
		s.Income.AddIncome = f.formOf(heloc.OpAddIncome, f.View.IncomeSent)
	}
	if l.Stand == heloc.StandFrozen || l.Stand == heloc.StandRepull {
		s.Consent = page.ConsentOf(v, f.View.ConsentText, format.NameOf(f.View.Name))
		s.Freeze = ShowFreeze(v, f)
	}
	showUnderWay(v, f, &s)
	return s
}

// showUnderWay says what was sent and has not been answered, or was answered with
// the same step.
func showUnderWay(v format.Viewer, f LeadFacts, s *views.StepView) {
	l := f.View.Row
	if op := f.View.UnderWay; op != nil {
		s.Receipt, s.ReceiptID = ShowReceipt(v, *op, f.View.Wait), op.ID
		if l.Stand != heloc.StandInProgress {
			s.Still = "Sent " + v.Age(format.Instant(op.SentAt)) + "."
			if f.View.Wait.Known {
				s.Still = "Sent " + v.Age(format.Instant(op.SentAt)) + ", usually " + format.Spell(f.View.Wait.Usual) + "."
			}
		}
	}
	if l.Attempt < 2 {
		return
	}
	s.Attempt = strconv.Itoa(l.Attempt)
	for _, op := range f.View.Operations {
		if op.MovedAt != 0 && (op.State == desk.OpSucceeded || op.State == desk.OpConfirmed) {
			s.Again = "after " + words.DeedOf(string(op.Kind)).Noun + " you sent " + v.Within(format.Instant(op.SentAt))
			return
		}
	}
	s.Again = "although it was answered"
}

// stepForm is the operation that a standing calls for, with what its controls hold at
// first: what the lender has told, and the income of the inquiry where the lender requires
// it once more. Elsewhere income starts empty, so that only what the person gives is sent.
func stepForm(l desk.LeadView) (heloc.Operation, map[string][]string) {
	a := l.Details.App
	kind := l.Row.Stand.Answer()
	switch kind {
	case heloc.OpVerifyLiens:
		return kind, lienControls(a.Liens)
	case heloc.OpAssetDepletion:
		return kind, l.IncomeSent
	case heloc.OpPropertyValue:
		return kind, map[string][]string{"propertyEstimate.borrowerEstimatedValue": {format.TypedMoney(a.Value.BorrowerEstimated)}}
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
			"lienUuid": l.LienUUID, "lenderName": l.LenderName, "originationDate": opened, "originalBalance": format.TypedMoney(l.OriginalBalance),
			"currentBalance": format.TypedMoney(l.CurrentBalance), "monthlyPayment": format.TypedMoney(l.MonthlyPayment),
		} {
			typed[at+name] = []string{value}
		}
	}
	return typed
}

// usual is how long the lender takes, by our own records once there are some.
func usual(w desk.Wait) string {
	if !w.Known {
		return ""
	}
	return "Usually " + format.Spell(w.Usual) + ", nearly always under " + format.Spell(w.Mostly) + "."
}

func showSetAside(f LeadFacts) views.SetAsideView {
	l := f.View.Row
	done := l.SetAsideAt != 0 && l.Step.CanSetAside()
	s := views.SetAsideView{Can: f.Can(access.AnnotateLead) && l.Step.CanSetAside() && !done && l.Stand != heloc.StandInProgress, Done: done}
	if f.attempt != nil && f.attempt.Act == "set-aside" {
		s.Form = f.attempt.Form.View("")
	}
	return s
}

// showLinks are the places where the work of a standing goes on.
func showLinks(v format.Viewer, l desk.Record) []ui.NavLink {
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

// showContact is the last contact with the borrower; empty for none.
func showContact(v format.Viewer, l desk.Record) string {
	if l.LastContactAt == 0 {
		return ""
	}
	how := "Contact"
	if l.LastContact != "" {
		how = words.Contact(l.LastContact)
	}
	return how + ", " + v.Within(format.Instant(l.LastContactAt))
}

// showPhase is an application on its way, or how a lead ended.
func showPhase(l desk.LeadView) views.PhaseView {
	p := views.PhaseView{Conditions: openConditions(l.Conditions), Reasons: saidAndRaw(l.Details.App.StatusReasons)}
	p.Transfers, p.Stopped = showTransfers(l.Funding)
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
	if l.Row.Stand == heloc.StandExpired { // every inquiry has such a date; few come to it
		days = append(days, struct {
			label string
			day   heloc.Date
		}{"Expired", k.Expiration})
	}
	for _, d := range days {
		if l.Row.Lane == heloc.LaneEnded && d.day == "" {
			continue
		}
		p.Dates = append(p.Dates, ui.Fact{Label: d.label, Value: words.Or(weekdayYear(d.day))})
	}
	return p
}

// weekdayYear is a day in full, "Tue, Nov 24, 2026".
func weekdayYear(d heloc.Date) string {
	t, ok := d.Time()
	if !ok {
		return ""
	}
	return t.Format("Mon, Jan 2, 2006")
}
