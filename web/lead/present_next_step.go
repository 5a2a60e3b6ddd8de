package lead

import (
	"slices"
	"strconv"

	desklead "hearthline/internal/desk/lead"

	"github.com/a-h/templ"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	view "hearthline/views/lead"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/web/page"
	"hearthline/web/workspace"
)

// PresentNextStep maps the next-step card with the complete form of the step.
func PresentNextStep(v text.Viewer, d *workspace.Data) *view.NextStepView {
	l := d.View.Row
	s := &view.NextStepView{
		URLs: d.URLs(v), Card: workspace.PresentStepCard(v, d), Repeated: presentRepeated(v, d.View),
		Waiting: presentWaiting(v, d.View), Links: presentStepLinks(v, l), SetAside: presentSetAside(d),
		CannotCancel: workspace.CannotCancelText(l),
	}
	if workspace.IsBorrowersMove(l.StatusKey) {
		adaptHandoffCard(d, &s.Card)
	}
	if !workspace.IsSetAsideUnanswered(l) {
		s.Body = presentStepBody(v, d)
		if beforeOffers(l.StatusKey) && l.StatusKey != heloc.StatusChooseProperty && canClone(d) {
			s.RestartLabel = "Copy to a new inquiry"
		}
	}
	if l.YourMove() && !v.Who.Can(access.ActOnLead) && l.StatusKey != heloc.StatusOffers {
		s.ViewOnly = workspace.WhoCanText(d)
	}
	return s
}

// presentStepBody maps what a status asks for. Each status has a line here; the
// offers are presented by their own area.
func presentStepBody(v text.Viewer, d *workspace.Data) templ.Component {
	if workspace.IsBorrowersMove(d.View.Row.StatusKey) {
		return view.Handoff(presentHandoff(v, d))
	}
	switch d.View.Row.StatusKey {
	case heloc.StatusInProgress:
		return view.InProgress(presentInProgress(v, d))
	case heloc.StatusOffers:
		return templ.NopComponent
	case heloc.StatusSSNNeeded:
		return view.SSN(presentForm(v, d))
	case heloc.StatusCreditFrozen, heloc.StatusStillFrozen, heloc.StatusRepullDue:
		consent := page.PresentConsent(v, d.View.ConsentText, text.FullName(d.View.Name))
		return view.Credit(&view.CreditView{
			URLs: d.URLs(v), Freeze: PresentFreeze(v, d), Consent: consent, Form: presentStepForm(v, d),
			Tell: presentTell(v, d), Lifted: d.View.Row.StatusKey == heloc.StatusRepullDue,
		})
	case heloc.StatusVerifyLiens:
		return view.Liens(presentForm(v, d))
	case heloc.StatusMoreAssets, heloc.StatusPayoff:
		return view.Income(presentIncome(v, d))
	case heloc.StatusPropertyValue:
		return view.PropertyValue(presentForm(v, d))
	case heloc.StatusChooseProperty:
		return view.SelectProperty(presentSelectProperty(v, d))
	case heloc.StatusNoOffers:
		reasons := displayTexts(d.View.Details.App.StatusReasons)
		return view.NoOffers(&view.NoOffersView{
			URLs: d.URLs(v), Hints: presentNoOffersHints(d), Clone: canClone(d), Reasons: reasons,
		})
	case heloc.StatusComplete, heloc.StatusApplication, heloc.StatusDisclosures, heloc.StatusSigning, heloc.StatusSigned,
		heloc.StatusRescission, heloc.StatusFunding, heloc.StatusFunded, heloc.StatusCanceled, heloc.StatusDeclined,
		heloc.StatusExpired, heloc.StatusWithdrawn:
		return view.Phase(presentPhase(v, d))
	default:
		return view.UnknownStep(&view.UnknownStepView{
			URLs: d.URLs(v), CanRefresh: d.Can(access.AnnotateLead),
			CanCancel: workspace.CanCancel(d) && !d.IsSubmitted(string(heloc.OpCancel)),
		})
	}
}

// beforeOffers reports whether the inquiry has no offers yet.
func beforeOffers(key heloc.StatusKey) bool {
	return slices.Contains([]heloc.StatusKey{
		heloc.StatusInProgress, heloc.StatusChooseProperty, heloc.StatusSSNNeeded, heloc.StatusCreditFrozen,
		heloc.StatusStillFrozen, heloc.StatusRepullDue, heloc.StatusVerifyLiens, heloc.StatusMoreAssets,
		heloc.StatusPayoff, heloc.StatusPropertyValue,
	}, key)
}

// presentStepForm returns the form of the operation that the status calls for, or nil for users who may not act.
func presentStepForm(v text.Viewer, d *workspace.Data) *ui.Form {
	kind, known := stepForm(d)
	if !v.Who.Can(access.ActOnLead) {
		return nil
	}
	f := d.OperationForm(kind, known)
	return &f
}

func presentForm(v text.Viewer, d *workspace.Data) *view.FormView {
	return &view.FormView{URLs: d.URLs(v), Form: presentStepForm(v, d)}
}

// presentInProgress maps what was sent while the lender works on it.
func presentInProgress(v text.Viewer, d *workspace.Data) *view.InProgressView {
	op := d.View.Pending
	if op == nil {
		return &view.InProgressView{}
	}
	return &view.InProgressView{Receipt: PresentReceiptSteps(v, *op, lead.UsualWait{}),
		ReceiptURL: v.Base.Operation(op.ID)}
}

// presentIncome maps income and debts; add-income is the lender's older operation, for more-assets only.
func presentIncome(v text.Viewer, d *workspace.Data) *view.IncomeView {
	key := d.View.Row.StatusKey
	w := &view.IncomeView{
		URLs: d.URLs(v), Form: presentStepForm(v, d), PayoffFirst: key == heloc.StatusPayoff, LiveDialect: d.View.LiveDialect,
		CanAdd: key == heloc.StatusMoreAssets, Sent: len(d.IncomeSent) > 0 && d.Submitted == nil,
		Debts: workspace.PresentDebts(d.View.Details.App.Payoff, chosenDebts(d)),
	}
	if w.CanAdd && w.Form != nil {
		w.AddIncome = d.OperationForm(heloc.OpAddIncome, d.IncomeSent)
	}
	return w
}

// chosenDebts returns the debts that were ticked in a rejected form.
func chosenDebts(d *workspace.Data) []string {
	if d.Submitted == nil {
		return nil
	}
	return d.Submitted.Form.UniqueValues(payoffControl)
}

func presentSelectProperty(v text.Viewer, d *workspace.Data) *view.SelectPropertyView {
	p := d.View.Properties
	w := &view.SelectPropertyView{URLs: d.URLs(v), Form: presentStepForm(v, d), Clone: canClone(d), Homes: presentHomes(p),
		Loading: p == nil}
	if p != nil {
		for _, m := range p.Messages {
			w.Messages = append(w.Messages, m.Message)
		}
	}
	return w
}

// presentRepeated states that the lender asks for the same step again; it is nil the first time, and for a freeze,
// about which the status says so.
func presentRepeated(v text.Viewer, l desklead.Snapshot) *ui.Notice {
	if l.Row.Attempt < 2 || l.Row.Step == heloc.StepUnfreezeCredit {
		return nil
	}
	n := &ui.Notice{Kind: "yours", Icon: "triangle-alert", Title: "The lender asked for this again,",
		Text: repeatedAfter(v, l) + ".", Role: "status"}
	if l.Row.StatusKey == heloc.StatusSSNNeeded {
		n.Title, n.More = "Still no match,", "Confirm the number digit by digit."
	}
	return n
}

// presentWaiting states that an answer takes longer than usual; it is nil if none is awaited.
func presentWaiting(v text.Viewer, l desklead.Snapshot) *ui.Notice {
	if l.Pending == nil || l.Row.StatusKey == heloc.StatusInProgress {
		return nil
	}
	sent := "Sent " + v.AgeText(text.TimeOfMillis(l.Pending.SentAt))
	if l.UsualWait.Known {
		sent += "; the lender usually takes " + text.LongDuration(l.UsualWait.Median)
	}
	next := "You can try again or wait."
	if kind := l.Pending.Kind; kind.RiskyToRepeat() {
		next = "The lender accepted the request. " + text.RepeatOf(string(kind))
	}
	title := "Nothing has changed yet."
	if l.Pending.Kind == heloc.OpCancel { // the lead may have come to another step
		title = "The inquiry isn’t closed yet."
	}
	return &ui.Notice{Icon: "hourglass", Title: title, More: sent + ". " + next}
}

// repeatedAfter names the answer after which the lender asks for the same step again.
func repeatedAfter(v text.Viewer, l desklead.Snapshot) string {
	for _, op := range l.Operations {
		if op.StepChangedAt != 0 && (op.State == lead.OpSucceeded || op.State == lead.OpConfirmed) {
			return "after " + text.OperationOf(string(op.Kind)).Noun + " sent " + v.DateTimeInText(text.TimeOfMillis(op.SentAt))
		}
	}
	return "although a response was sent"
}

// stepForm returns the operation that the status calls for, with the initial values of its form:
// what the lender has reported, and the inquiry's income where the lender requires it again.
// Otherwise income starts empty, so that only what the user enters is sent.
func stepForm(d *workspace.Data) (heloc.Operation, map[string][]string) {
	a := d.View.Details.App
	kind := d.View.Row.StatusKey.NextOperation()
	switch kind {
	case heloc.OpVerifyLiens:
		return kind, lienControls(a.Liens)
	case heloc.OpAssetDepletion:
		return kind, d.IncomeSent
	case heloc.OpPropertyValue:
		return kind, map[string][]string{
			"propertyEstimate.borrowerEstimatedValue": {text.ControlMoney(a.Value.BorrowerEstimated)},
		}
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
			"lienUuid": l.LienUUID, "lenderName": l.LenderName, "originationDate": opened,
			"originalBalance": text.ControlMoney(l.OriginalBalance), "currentBalance": text.ControlMoney(l.CurrentBalance),
			"monthlyPayment": text.ControlMoney(l.MonthlyPayment),
		} {
			typed[at+name] = []string{value}
		}
	}
	return typed
}

func presentSetAside(d *workspace.Data) view.SetAsideView {
	l := d.View.Row
	done := l.IsSetAside()
	s := view.SetAsideView{Can: d.Can(access.AnnotateLead) && l.Step.CanSetAside() && !done &&
		l.StatusKey != heloc.StatusInProgress, Done: done, Label: "Close without offers…"}
	if l.StatusKey == heloc.StatusNoOffers { // the label does not repeat "no offers" when there are none
		s.Label = "Close lead…"
	}
	if d.IsSubmitted("set-aside") {
		s.Form = d.Submitted.Form.View("")
	}
	return s
}

// presentStepLinks lists where the work at the current status continues, and the help about it.
func presentStepLinks(v text.Viewer, l lead.Row) (links []ui.NavLink) {
	add := func(label, icon, href string) {
		links = append(links, ui.NavLink{Label: label, Icon: icon, Href: href})
	}
	app, key := string(l.App), string(l.StatusKey)
	if l.Lane == heloc.LaneClosing {
		add("Conditions and funding", "landmark", v.Base.LeadTab(app, to.Funding))
	}
	if l.Lane == heloc.LaneClosing || l.Lane == heloc.LaneBorrower {
		add("Documents", "file-text", v.Base.LeadTab(app, to.Documents))
	}
	if l.StatusKey == heloc.StatusOffers {
		add("Help with offers", "circle-help", v.Base.Help("offers"))
	} else if text.HasStepHelp(key) {
		add("Help with this step", "circle-help", v.Base.Help("steps")+"#"+key)
	}
	return links
}

const rescissionEnds = "Rescission ends"

// rescissionLabel names the last day of the rescission period.
func rescissionLabel(v text.Viewer, end heloc.Date) string {
	if end != "" && v.Today().After(end) {
		return "Rescission ended"
	}
	return rescissionEnds
}

// rescissionEnd is the last day of the rescission period; empty when the lead ended before it without funding.
func rescissionEnd(v text.Viewer, l desklead.Snapshot) heloc.Date {
	end := l.Details.App.KeyDates.RescissionEnd
	if l.Row.StatusKey.Ended() && !l.Row.Funded && !v.Today().After(end) {
		return ""
	}
	return end
}

// namedDay is a day in the course of a lead; empty if unknown.
type namedDay struct {
	label string
	day   heloc.Date
}

// maxPhaseRows is how many conditions, and how many transfers, the next step lists. The funding tab lists all of them.
const maxPhaseRows = 10

// presentPhase maps an application in progress, or how a lead ended.
func presentPhase(v text.Viewer, d *workspace.Data) *view.PhaseView {
	l := d.View
	p := &view.PhaseView{URLs: d.URLs(v), Clone: canClone(d), Reasons: displayTexts(l.Details.App.StatusReasons)}
	ended := l.Row.Lane == heloc.LaneEnded && l.Row.StatusKey != heloc.StatusFunded
	if !ended { // otherwise nothing is left to clear
		p.Conditions = presentConditions(heloc.OpenConditions(l.Conditions))
	}
	if l.Row.StatusKey == heloc.StatusComplete {
		p.Ticks = presentTicks(v, l)
	}
	p.Transfers, p.FailedTransfers = presentTransfers(l.Funding)
	for _, n := range []int{len(p.Conditions), len(p.Transfers), len(p.FailedTransfers)} {
		p.MoreOnFunding = p.MoreOnFunding || n > maxPhaseRows
	}
	p.Conditions = p.Conditions[:min(len(p.Conditions), maxPhaseRows)]
	p.Transfers = p.Transfers[:min(len(p.Transfers), maxPhaseRows)]
	p.FailedTransfers = p.FailedTransfers[:min(len(p.FailedTransfers), maxPhaseRows)]
	k, n := l.Details.App.KeyDates, l.Details.App.Notary
	days := []namedDay{
		{"Disclosures", k.SummaryDisclosure}, {"Agreement e-signed", k.AgreementESigned},
		{"Notary appointment", n.Appointment}, {"Signing", k.Signing},
		{rescissionLabel(v, k.RescissionEnd), k.RescissionEnd}, {"Funded", l.Row.FundedDate},
		{"First payment due", k.FirstPaymentDue},
	}
	if l.Row.Lane == heloc.LaneEnded {
		days = append(days, namedDay{"Canceled", k.Canceled}, namedDay{"Declined", k.Declined})
	}
	if l.Row.StatusKey == heloc.StatusExpired { // every inquiry has an expiration date; few reach it
		days = append(days, namedDay{"Expired", k.Expiration})
	}
	for _, on := range days {
		if l.Row.Lane == heloc.LaneEnded && on.day == "" || ended && on.label == rescissionEnds {
			continue
		}
		p.Dates = append(p.Dates, ui.Fact{Label: on.label, Value: text.OrDash(formatWeekdayYear(on.day))})
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

// canClone reports whether starting over can help: before there are offers, and after the end. With
// offers or an application, the user would lose something.
func canClone(f *workspace.Data) bool {
	if f.View.Row.Converted || !f.Can(access.PrepareDraft) || !f.Can(access.RevealBorrower) {
		return false
	}
	key := f.View.Row.StatusKey
	return beforeOffers(key) && key != heloc.StatusInProgress || slices.Contains([]heloc.StatusKey{
		heloc.StatusNoOffers, heloc.StatusCanceled, heloc.StatusExpired, heloc.StatusWithdrawn,
	}, key)
}
