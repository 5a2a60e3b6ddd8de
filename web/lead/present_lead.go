package lead

import (
	"strconv"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/desk"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	view "hearthline/views/lead"
	pageview "hearthline/views/page"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/views/words"
	"hearthline/web/form"
	"hearthline/web/format"
	"hearthline/web/page"
)

// Data is everything that a page of one lead is made from.
type Data struct {
	View           desk.LeadView
	loadQuotes     func(*GridQuery) (QuoteSet, error) // decrypts the quotes that a query needs
	quotes         QuoteSet
	costs          []ui.Fact // of the chosen offer, as the lender reports them
	query          GridQuery
	tab            to.Tab
	submitted      *page.SubmittedForm // a form to show again, or nil
	revealed       *revealed           // borrower details that this response reveals, or nil
	revealError    string              // why no borrower details are shown
	accessLog      desk.AccessLog      // for the activity tab
	Can            func(access.Permission) bool
	NewOperationID func(heloc.Operation) string

	receivedReassignment *desk.ReassignmentDetails // how the lead came to its originator, or nil
	ownReference         string                    // the attribution that cannot be changed
	acceptsAttribution   func(string) bool         // whether the lender accepts an attribution
}

// operationForm returns the form of an operation: as it was rejected, or a new one with the known
// values.
func (f Data) operationForm(kind heloc.Operation, known map[string][]string) ui.Form {
	if f.submitted != nil && f.submitted.Action == string(kind) {
		return f.submitted.Form.View(f.submitted.OperationID(f.NewOperationID, kind))
	}
	v := form.ViewForm(known, nil)
	v.OperationID = f.NewOperationID(kind)
	return v
}

// chosenDebts returns the debts that were ticked in a rejected form.
func (f Data) chosenDebts() []string {
	if f.submitted == nil {
		return nil
	}
	return f.submitted.Form.UniqueValues("liabilityPayoff.selectedAccountsToPayoff")
}

// presentLead maps a lead. The caller sets Page.
func presentLead(v format.Viewer, f Data) view.WorkspaceView {
	l := f.View.Row
	w := view.WorkspaceView{
		App: string(l.App), Revision: strconv.FormatInt(l.Revision, 10), Tab: f.tab, Head: presentLeadHead(v, f.View), Notices: presentLeadNotices(v, f),
		UpdatesSince: presentChanges(v, f.View), Progress: view.NewProgress(leadProgress(v, f.View)), Counts: presentTabCounts(f.View), Loading: f.View.DetailsAt.IsZero(),
		Summary: presentSummary(f.View), Borrower: presentBorrowerPanel(v, f), Cancel: presentCancel(f),
	}
	w.Head.CanRefresh = f.Can(access.AnnotateLead)
	if w.Head.CanReassign = f.Can(access.ReassignLead); w.Head.CanReassign {
		w.Head.ReassignURL = v.Base.LeadAction(string(l.App), string(heloc.OpReassign))
	}
	if f.receivedReassignment != nil {
		w.ReceivedReassignment = presentReceived(v, f.receivedReassignment, f.NewOperationID(heloc.OpReassign))
	}
	if f.acceptsAttribution != nil {
		w.Attributions = presentAttributions(f, f.ownReference, f.acceptsAttribution)
	}
	w.CRMRecords = presentCRMRecords(f)
	w.Activity.Items, w.Activity.AccessLog = presentActivity(v, f.View), presentAccessLog(v, f.accessLog, f.View.Documents)
	w.Notes = presentNotes(v, f)
	w.Recent = w.Activity.Items[:min(5, len(w.Activity.Items))]
	w.Step = PresentNextStep(v, f)
	offers := NewOfferGrid(f.View, f.quotes, f.query)
	f.chooseAlike(offers)
	w.Offers = PresentOffers(v, f.View, offers)
	w.Offers.Chosen.Costs = f.costs
	w.Offers.Form = f.operationForm(heloc.OpSelectOffer, offers.selectionControls())
	w.Property = presentProperty(f.View.Details, f.View.Properties)
	w.Underwriting = presentUnderwriting(f.View.Details)
	w.Documents = presentDocuments(v, f.View)
	w.Funding = presentFunding(v, f.View)
	w.History = presentHistory(f.View)
	return w
}

// chooseAlike makes a rejected selection refer to the current equivalent of its offer, at the
// figures that are now shown. The borrower has not agreed to those, so the confirmation is removed.
func (f Data) chooseAlike(p OfferGrid) {
	if f.submitted == nil || f.submitted.Action != string(heloc.OpSelectOffer) || p.Query.Chosen == "" {
		return
	}
	values := f.submitted.Form.Values
	if values.Get("offer.offerUuid") != p.Query.Chosen {
		values.Set("offer.offerUuid", p.Query.Chosen)
		values.Del("confirm.offer")
	}
}

// selectionControls returns the initial values of the selection form: the draw of the grid, and the
// offer that the user clicked. No offer is preselected.
func (p OfferGrid) selectionControls() map[string][]string {
	typed := map[string][]string{
		"offer.selectedOfferAmount": {format.ControlMoney(&p.Query.Draw)}, "offer.selectedDiscounts": p.Query.discounts, "offer.selectedAccountsToPayoff": p.Query.Payoff,
	}
	if p.Query.Chosen != "" {
		typed["offer.offerUuid"] = []string{p.Query.Chosen}
	}
	return typed
}

func presentLeadHead(v format.Viewer, f desk.LeadView) view.LeadHead {
	l := f.Row
	h := view.LeadHead{
		Name: format.BorrowerName(l.Borrower, f.Name), ShortID: format.ShortID(l), Chip: format.StatusChip(l), CityState: format.CityState(l.City, l.State),
		Occupancy: format.DisplayText(string(l.PropertyType), words.Property), Age: "not fetched yet",
	}
	if f.Originator.UUID != "" {
		h.Owner = f.Originator.Name()
	}
	h.AmountLabel, h.Amount = format.LeadAmount(l)
	if !f.DetailsAt.IsZero() {
		h.Age = v.AgeText(f.DetailsAt)
	}
	return h
}

// staleAfter is how old the data may be before the page shows a notice.
const staleAfter = 10 * time.Minute

func presentLeadNotices(v format.Viewer, f Data) []ui.Notice {
	all := presentDroppedDiscounts(f.View)
	if since := f.View.LenderDownSince; !since.IsZero() {
		all = append(all, pageview.LenderDownNotice(v.SinceText(since)))
		if at := f.View.DetailsAt; !at.IsZero() && v.Now.Sub(at) > staleAfter {
			all = append(all, view.StaleNotice(format.LongDuration(v.Now.Sub(at)), v.DateTimeInText(at)))
		}
	}
	if f.View.LenderDownSince.IsZero() && !f.View.ReadFailed.IsZero() {
		asOf := ""
		if at := f.View.DetailsAt; !at.IsZero() {
			asOf = v.DateTimeInText(at)
		}
		all = append(all, view.Unread(asOf, f.View.ReadSaid))
	}
	for _, op := range f.View.Operations {
		if op.State == lead.OpUnknown {
			all = append(all, pageview.UnsettledNotice(v.Base, op.ID, string(op.Kind), format.SinceOf(op)))
		}
	}
	if op, ok := MayRepeat(f.View); ok {
		all = append(all, view.Repeats(v.Base, op.ID, string(op.Kind)))
	}
	return all
}

// MayRepeat finds the operation that the form of the current step would repeat although it may have
// arrived: the last of its kind, sent at this step, with no sign of it at the lender.
func MayRepeat(l desk.LeadView) (lead.Operation, bool) {
	next := l.Row.StatusKey.NextOperation()
	for _, op := range l.Operations { // newest first
		// Income can be sent by either operation of the step.
		answers := op.Kind == next || next == heloc.OpAssetDepletion && op.Kind == heloc.OpAddIncome
		if !answers || op.State == lead.OpNotSent || op.State == lead.OpRejected {
			continue
		}
		open := op.State == lead.OpAbsent || op.State == lead.OpAbandoned
		return op, open && op.StepBefore == l.Row.Step
	}
	return lead.Operation{}, false
}

// presentChanges lists what has happened since the user's last view; it is empty on the first view.
func presentChanges(v format.Viewer, l desk.LeadView) view.UpdatesSinceView {
	if l.LastView.ViewedAt == 0 {
		return view.UpdatesSinceView{}
	}
	var items []ui.NavLink
	for _, e := range l.Events {
		if e.At <= l.LastView.ViewedAt || e.ActorID == v.Who.UserID || len(items) == 4 {
			continue
		}
		title, _ := eventTitle(e, words.OperationOf(string(e.Operation)))
		items = append(items, ui.NavLink{Label: format.LowerFirst(title), Href: v.Base.LeadTab(string(l.Row.App), to.Activity)})
	}
	if len(items) == 0 {
		return view.UpdatesSinceView{}
	}
	return view.UpdatesSinceView{When: "Since you looked, " + v.DateTimeInText(format.TimeOfMillis(l.LastView.ViewedAt)) + ":", Items: items}
}

func presentTabCounts(l desk.LeadView) view.TabCounts {
	var c view.TabCounts
	some := func(n int) string {
		if n == 0 {
			return ""
		}
		return strconv.Itoa(n)
	}
	c.Offers, c.Documents = some(len(l.Details.App.Underwriting.Offers)), some(len(l.Documents))
	c.Conditions = some(len(presentOpenConditions(l.Conditions)))
	for _, doc := range l.Documents {
		c.NewDocs = c.NewDocs || isNewDocument(l, doc)
	}
	return c
}

// presentSummary maps what the home is worth, what is owed on it, and the line.
func presentSummary(l desk.LeadView) view.SummaryView {
	a := l.Details.App
	value := a.Value.AVM
	source := "Value, by the lender’s model"
	if value == nil {
		value, source = a.Value.BorrowerEstimated, "Value, as the borrower says"
	}
	var liens heloc.Money
	for _, lien := range a.Liens {
		if lien.CurrentBalance != nil {
			liens += *lien.CurrentBalance
		}
	}
	line, lineWord := l.Row.MaxAmount, "Line, up to"
	if s := a.Underwriting.SelectedOffer; s != nil && s.LoanAmount != nil {
		line, lineWord = *s.LoanAmount, "Line selected"
	}
	s := view.SummaryView{Facts: []ui.Fact{
		{Label: source, Value: words.OrDash(format.Dollars(value))},
		{Label: "Liens", Value: words.OrDash(format.MoneyOrEmpty(liens)), Key: "p1"},
		{Label: lineWord, Value: words.OrDash(format.MoneyOrEmpty(line)), Key: "p2"},
	}}
	for i, m := range []heloc.Money{liens, line} {
		if m == 0 { // the bar omits an amount of zero
			s.Facts[i+1].Key = ""
		}
	}
	if value != nil && *value > 0 {
		rest := max(0, *value-liens-line)
		s.Facts = append(s.Facts, ui.Fact{Label: "What is left", Value: format.Money(rest), Key: "p3"})
		s.Bar = ui.NewMoneyBar("Of a value of "+format.Money(*value)+": liens "+format.Money(liens)+", line "+format.Money(line)+", left "+format.Money(rest),
			ui.BarAmount{Class: "p1", Cents: int64(liens)}, ui.BarAmount{Class: "p2", Cents: int64(line)}, ui.BarAmount{Class: "p3", Cents: int64(rest)})
	}
	s.Facts = append(s.Facts,
		ui.Fact{Label: "CLTV before", Value: words.OrDash(format.Percent(a.Value.PreLoanCLTV))},
		ui.Fact{Label: "CLTV after", Value: words.OrDash(format.Percent(a.Value.PostLoanCLTV))},
		ui.Fact{Label: "Wanted", Value: words.OrDash(format.MoneyOrEmpty(l.Row.RequestedAmount))})
	return s
}

func presentCancel(f Data) view.CancelView {
	l := f.View.Row
	c := view.CancelView{
		Can: f.Can(access.CancelInquiry) && desk.CanCancel(l), Who: format.JoinNonEmpty(", ", format.FullName(f.View.Name), format.ShortID(l)),
		Redisplayed: f.submitted != nil && f.submitted.Action == string(heloc.OpCancel),
	}
	if l.Converted && l.Lane != heloc.LaneEnded {
		c.Why = "This is an application by now and is not cancelled here. To end it, the borrower calls the lender’s support."
	}
	if c.Can {
		c.Form = f.operationForm(heloc.OpCancel, nil)
	}
	return c
}

// canClone reports whether starting over can help: before there are offers, and after the end. With
// offers or an application, the user would lose something.
func (f Data) canClone() bool {
	if f.View.Row.Converted || !f.Can(access.PrepareDraft) || !f.Can(access.RevealBorrower) {
		return false
	}
	switch f.View.Row.StatusKey {
	case heloc.StatusChooseProperty, heloc.StatusSSNNeeded, heloc.StatusCreditFrozen, heloc.StatusRepullDue, heloc.StatusVerifyLiens, heloc.StatusMoreAssets, heloc.StatusPayoff,
		heloc.StatusPropertyValue, heloc.StatusNoOffers, heloc.StatusCanceled, heloc.StatusExpired, heloc.StatusWithdrawn:
		return true
	default:
		return false
	}
}
