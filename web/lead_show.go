package web

import (
	"strconv"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/desk"
	"hearthline/internal/heloc"
	"hearthline/views"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/views/words"
)

// leadFacts are all that a page of one lead is made from.
type leadFacts struct {
	view     desk.LeadView
	quoted   func(*offersAsk) (supply, error) // opens the quotes that a question needs
	supply   supply
	costs    []ui.Fact // of the chosen offer, as the lender tells them
	ask      offersAsk
	tab      to.Tab
	attempt  *attempt      // a form that came back, or nil
	open     *opened       // what stands open of the borrower on this answer, or nil
	refused  string        // why nothing of the borrower is shown
	openings desk.Openings // of the activity tab
	can      func(access.Permission) bool
	ticket   func(heloc.Operation) string

	received *desk.Handed      // how the lead came to its originator, or nil
	own      string            // the attribution that nobody changes
	takes    func(string) bool // whether the lender takes an attribution
}

// formOf is the form of an operation: as it came back, or fresh with what is known.
func (f leadFacts) formOf(kind heloc.Operation, known map[string][]string) views.Form {
	if f.attempt != nil && f.attempt.act == string(kind) {
		return f.attempt.form.view(f.attempt.ticket(f.ticket, kind))
	}
	v := typedForm(known, nil)
	v.Operation = f.ticket(kind)
	return v
}

// chosenDebts are the debts that stand ticked in a form that came back.
func (f leadFacts) chosenDebts() []string {
	if f.attempt == nil {
		return nil
	}
	return f.attempt.form.list("liabilityPayoff.selectedAccountsToPayoff")
}

// showLead maps a lead. Page is the caller's.
func (v viewer) showLead(f leadFacts) views.WorkspaceView {
	l := f.view.Row
	w := views.WorkspaceView{
		App: string(l.App), Revision: strconv.FormatInt(l.Revision, 10), Tab: f.tab, Head: v.showHead(f.view), Notices: v.showNotices(f),
		Changed: v.showChanged(f.view), Life: views.NewLife(v.lifeOf(f.view)), Counts: showCounts(f.view), Loading: f.view.DetailsAt.IsZero(),
		Summary: showSummary(f.view), Borrower: v.showBorrower(f), Cancel: showCancel(f),
	}
	w.Head.Refresh = f.can(access.AnnotateLead)
	if w.Head.CanHand = f.can(access.ReassignLead); w.Head.CanHand {
		w.Head.Hand = v.base.LeadAct(string(l.App), string(heloc.OpReassign))
	}
	if f.received != nil {
		w.Received = v.showReceived(f.received, f.ticket(heloc.OpReassign))
	}
	if f.takes != nil {
		w.Attributions = showAttributions(f, f.own, f.takes)
	}
	w.Records = showRecords(f)
	w.Activity.Items, w.Activity.Openings = v.showActivity(f.view), v.showOpenings(f.openings, f.view.Documents)
	w.Notes = v.showNotes(f)
	w.Recent = w.Activity.Items[:min(5, len(w.Activity.Items))]
	w.Step = v.showStep(f)
	offers := price(f.view, f.supply, f.ask)
	f.chooseAlike(offers)
	w.Offers = v.showOffers(f.view, offers)
	w.Offers.Chosen.Costs = f.costs
	w.Offers.Form = f.formOf(heloc.OpSelectOffer, offers.controls())
	w.Property = showProperty(f.view.Details, f.view.Properties)
	w.Underwriting = showUnderwriting(f.view.Details)
	w.Documents = v.showDocuments(f.view)
	w.Funding = v.showFunding(f.view)
	w.History = showHistory(f.view)
	return w
}

// chooseAlike has a selection that comes back choose the offer that stands in the place of
// the one sent, at the figures that are shown now. The borrower has not agreed to these.
func (f leadFacts) chooseAlike(p priced) {
	if f.attempt == nil || f.attempt.act != string(heloc.OpSelectOffer) || p.ask.chosen == "" {
		return
	}
	values := f.attempt.form.values
	if values.Get("offer.offerUuid") != p.ask.chosen {
		values.Set("offer.offerUuid", p.ask.chosen)
		values.Del("confirm.offer")
	}
}

// controls are what the form of a selection opens with: the draw of the grid, and the
// offer that was pressed there. Nothing is chosen for the person.
func (p priced) controls() map[string][]string {
	typed := map[string][]string{
		"offer.selectedOfferAmount": {typedMoney(&p.ask.draw)}, "offer.selectedDiscounts": p.ask.less, "offer.selectedAccountsToPayoff": p.ask.payoff,
	}
	if p.ask.chosen != "" {
		typed["offer.offerUuid"] = []string{p.ask.chosen}
	}
	return typed
}

func (v viewer) showHead(f desk.LeadView) views.LeadHead {
	l := f.Row
	h := views.LeadHead{
		Name: borrowerOf(l.Borrower, f.Name), ShortID: shortID(l), Chip: chipOf(l), Place: placeOf(l.City, l.State),
		Use: said(string(l.PropertyType), words.Property), Age: "not fetched yet",
	}
	if f.Originator.UUID != "" {
		h.Owner = f.Originator.Name()
	}
	h.AmountWord, h.Amount = amountOf(l)
	if !f.DetailsAt.IsZero() {
		h.Age = v.age(f.DetailsAt)
	}
	return h
}

// lateAfter is how old what is shown may be before the page says so.
const lateAfter = 10 * time.Minute

func (v viewer) showNotices(f leadFacts) []ui.Notice {
	all := lostDiscounts(f.view)
	if since := f.view.LenderDown; !since.IsZero() {
		all = append(all, views.Silent(v.since(since)))
		if at := f.view.DetailsAt; !at.IsZero() && v.now.Sub(at) > lateAfter {
			all = append(all, views.Stale(spell(v.now.Sub(at)), v.within(at)))
		}
	}
	if f.view.LenderDown.IsZero() && !f.view.ReadFailed.IsZero() {
		asOf := ""
		if at := f.view.DetailsAt; !at.IsZero() {
			asOf = v.within(at)
		}
		all = append(all, views.Unread(asOf, f.view.ReadSaid))
	}
	for _, op := range f.view.Operations {
		if op.State == desk.OpUnknown {
			all = append(all, views.Unsettled(v.base, op.ID, string(op.Kind), sinceOf(op)))
		}
	}
	if op, ok := mayRepeat(f.view); ok {
		all = append(all, views.Repeats(v.base, op.ID, string(op.Kind)))
	}
	return all
}

// mayRepeat finds the operation that the form of this very step would repeat although it may
// have arrived: the last of its kind, sent at this step, without a sign of it at the lender.
func mayRepeat(l desk.LeadView) (desk.Operation, bool) {
	for _, op := range l.Operations { // newest first
		if op.Kind != l.Row.Stand.Answer() || op.State == desk.OpNotSent || op.State == desk.OpRejected {
			continue
		}
		open := op.State == desk.OpAbsent || op.State == desk.OpAbandoned
		return op, open && op.StepBefore == l.Row.Step
	}
	return desk.Operation{}, false
}

// showChanged is what happened since the person looked last; nothing on a first look.
func (v viewer) showChanged(l desk.LeadView) views.ChangedView {
	if l.Look.LookedAt == 0 {
		return views.ChangedView{}
	}
	var items []ui.NavLink
	for _, e := range l.Events {
		if e.At <= l.Look.LookedAt || e.ActorID == v.who.UserID || len(items) == 4 {
			continue
		}
		title, _ := eventTitle(e, words.DeedOf(string(e.Operation)))
		items = append(items, ui.NavLink{Label: lowered(title), Href: v.base.LeadTab(string(l.Row.App), to.Activity)})
	}
	if len(items) == 0 {
		return views.ChangedView{}
	}
	return views.ChangedView{When: "Since you looked, " + v.within(instant(l.Look.LookedAt)) + ":", Items: items}
}

func showCounts(l desk.LeadView) views.TabCounts {
	var c views.TabCounts
	some := func(n int) string {
		if n == 0 {
			return ""
		}
		return strconv.Itoa(n)
	}
	c.Offers, c.Documents = some(len(l.Details.App.Underwriting.Offers)), some(len(l.Documents))
	c.Conditions = some(len(openConditions(l.Conditions)))
	for _, doc := range l.Documents {
		c.NewDocs = c.NewDocs || newDocument(l, doc)
	}
	return c
}

// showSummary is what the home is worth, what is owed on it, and the line beside.
func showSummary(l desk.LeadView) views.SummaryView {
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
	s := views.SummaryView{Facts: []ui.Fact{
		{Label: source, Value: words.Or(dollars(value))},
		{Label: "Liens", Value: words.Or(someAmount(liens)), Key: "p1"},
		{Label: lineWord, Value: words.Or(someAmount(line)), Key: "p2"},
	}}
	for i, m := range []heloc.Money{liens, line} {
		if m == 0 { // the bar has no such part
			s.Facts[i+1].Key = ""
		}
	}
	if value != nil && *value > 0 {
		rest := max(0, *value-liens-line)
		s.Facts = append(s.Facts, ui.Fact{Label: "What is left", Value: amount(rest), Key: "p3"})
		s.Bar = ui.NewMoneyBar("Of a value of "+amount(*value)+": liens "+amount(liens)+", line "+amount(line)+", left "+amount(rest),
			ui.BarAmount{Class: "p1", Cents: int64(liens)}, ui.BarAmount{Class: "p2", Cents: int64(line)}, ui.BarAmount{Class: "p3", Cents: int64(rest)})
	}
	s.Facts = append(s.Facts,
		ui.Fact{Label: "CLTV before", Value: words.Or(percent(a.Value.PreLoanCLTV))},
		ui.Fact{Label: "CLTV after", Value: words.Or(percent(a.Value.PostLoanCLTV))},
		ui.Fact{Label: "Wanted", Value: words.Or(someAmount(l.Row.Wanted))})
	return s
}

func showCancel(f leadFacts) views.CancelView {
	l := f.view.Row
	c := views.CancelView{
		Can: f.can(access.CancelInquiry) && desk.CanCancel(l), Who: joined(", ", nameOf(f.view.Name), shortID(l)),
		Open: f.attempt != nil && f.attempt.act == string(heloc.OpCancel),
	}
	if l.Converted && l.Lane != heloc.LaneEnded {
		c.Why = "This is an application by now and is not cancelled here. To end it, the borrower calls the lender’s support."
	}
	if c.Can {
		c.Form = f.formOf(heloc.OpCancel, nil)
	}
	return c
}
