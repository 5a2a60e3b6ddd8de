package lead

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
	"hearthline/web/form"
	"hearthline/web/format"
	"hearthline/web/page"
)

// leadFacts are all that a page of one lead is made from.
type LeadFacts struct {
	View     desk.LeadView
	quoted   func(*OffersAsk) (Supply, error) // opens the quotes that a question needs
	supply   Supply
	costs    []ui.Fact // of the chosen offer, as the lender tells them
	ask      OffersAsk
	tab      to.Tab
	attempt  *page.Attempt // a form that came back, or nil
	open     *opened       // what stands open of the borrower on this answer, or nil
	refused  string        // why nothing of the borrower is shown
	openings desk.Openings // of the activity tab
	Can      func(access.Permission) bool
	Ticket   func(heloc.Operation) string

	received *desk.Handed      // how the lead came to its originator, or nil
	own      string            // the attribution that nobody changes
	takes    func(string) bool // whether the lender takes an attribution
}

// formOf is the form of an operation: as it came back, or fresh with what is known.
func (f LeadFacts) formOf(kind heloc.Operation, known map[string][]string) views.Form {
	if f.attempt != nil && f.attempt.Act == string(kind) {
		return f.attempt.Form.View(f.attempt.Ticket(f.Ticket, kind))
	}
	v := form.TypedForm(known, nil)
	v.Operation = f.Ticket(kind)
	return v
}

// chosenDebts are the debts that stand ticked in a form that came back.
func (f LeadFacts) chosenDebts() []string {
	if f.attempt == nil {
		return nil
	}
	return f.attempt.Form.List("liabilityPayoff.selectedAccountsToPayoff")
}

// showLead maps a lead. Page is the caller's.
func showLead(v format.Viewer, f LeadFacts) views.WorkspaceView {
	l := f.View.Row
	w := views.WorkspaceView{
		App: string(l.App), Revision: strconv.FormatInt(l.Revision, 10), Tab: f.tab, Head: showHead(v, f.View), Notices: showNotices(v, f),
		Changed: showChanged(v, f.View), Life: views.NewLife(lifeOf(v, f.View)), Counts: showCounts(f.View), Loading: f.View.DetailsAt.IsZero(),
		Summary: showSummary(f.View), Borrower: showBorrower(v, f), Cancel: showCancel(f),
	}
	w.Head.Refresh = f.Can(access.AnnotateLead)
	if w.Head.CanHand = f.Can(access.ReassignLead); w.Head.CanHand {
		w.Head.Hand = v.Base.LeadAct(string(l.App), string(heloc.OpReassign))
	}
	if f.received != nil {
		w.Received = showReceived(v, f.received, f.Ticket(heloc.OpReassign))
	}
	if f.takes != nil {
		w.Attributions = showAttributions(f, f.own, f.takes)
	}
	w.Records = showRecords(f)
	w.Activity.Items, w.Activity.Openings = showActivity(v, f.View), showOpenings(v, f.openings, f.View.Documents)
	w.Notes = showNotes(v, f)
	w.Recent = w.Activity.Items[:min(5, len(w.Activity.Items))]
	w.Step = ShowStep(v, f)
	offers := Price(f.View, f.supply, f.ask)
	f.chooseAlike(offers)
	w.Offers = ShowOffers(v, f.View, offers)
	w.Offers.Chosen.Costs = f.costs
	w.Offers.Form = f.formOf(heloc.OpSelectOffer, offers.controls())
	w.Property = showProperty(f.View.Details, f.View.Properties)
	w.Underwriting = showUnderwriting(f.View.Details)
	w.Documents = showDocuments(v, f.View)
	w.Funding = showFunding(v, f.View)
	w.History = showHistory(f.View)
	return w
}

// chooseAlike has a selection that comes back choose the offer that stands in the place of
// the one sent, at the figures that are shown now. The borrower has not agreed to these.
func (f LeadFacts) chooseAlike(p Priced) {
	if f.attempt == nil || f.attempt.Act != string(heloc.OpSelectOffer) || p.Ask.Chosen == "" {
		return
	}
	values := f.attempt.Form.Values
	if values.Get("offer.offerUuid") != p.Ask.Chosen {
		values.Set("offer.offerUuid", p.Ask.Chosen)
		values.Del("confirm.offer")
	}
}

// controls are what the form of a selection opens with: the draw of the grid, and the
// offer that was pressed there. Nothing is chosen for the person.
func (p Priced) controls() map[string][]string {
	typed := map[string][]string{
		"offer.selectedOfferAmount": {format.TypedMoney(&p.Ask.Draw)}, "offer.selectedDiscounts": p.Ask.less, "offer.selectedAccountsToPayoff": p.Ask.Payoff,
	}
	if p.Ask.Chosen != "" {
		typed["offer.offerUuid"] = []string{p.Ask.Chosen}
	}
	return typed
}

func showHead(v format.Viewer, f desk.LeadView) views.LeadHead {
	l := f.Row
	h := views.LeadHead{
		Name: format.BorrowerOf(l.Borrower, f.Name), ShortID: format.ShortID(l), Chip: format.ChipOf(l), Place: format.PlaceOf(l.City, l.State),
		Use: format.Said(string(l.PropertyType), words.Property), Age: "not fetched yet",
	}
	if f.Originator.UUID != "" {
		h.Owner = f.Originator.Name()
	}
	h.AmountWord, h.Amount = format.AmountOf(l)
	if !f.DetailsAt.IsZero() {
		h.Age = v.Age(f.DetailsAt)
	}
	return h
}

// lateAfter is how old what is shown may be before the page says so.
const lateAfter = 10 * time.Minute

func showNotices(v format.Viewer, f LeadFacts) []ui.Notice {
	all := lostDiscounts(f.View)
	if since := f.View.LenderDown; !since.IsZero() {
		all = append(all, views.Silent(v.Since(since)))
		if at := f.View.DetailsAt; !at.IsZero() && v.Now.Sub(at) > lateAfter {
			all = append(all, views.Stale(format.Spell(v.Now.Sub(at)), v.Within(at)))
		}
	}
	if f.View.LenderDown.IsZero() && !f.View.ReadFailed.IsZero() {
		asOf := ""
		if at := f.View.DetailsAt; !at.IsZero() {
			asOf = v.Within(at)
		}
		all = append(all, views.Unread(asOf, f.View.ReadSaid))
	}
	for _, op := range f.View.Operations {
		if op.State == desk.OpUnknown {
			all = append(all, views.Unsettled(v.Base, op.ID, string(op.Kind), format.SinceOf(op)))
		}
	}
	if op, ok := MayRepeat(f.View); ok {
		all = append(all, views.Repeats(v.Base, op.ID, string(op.Kind)))
	}
	return all
}

// mayRepeat finds the operation that the form of this very step would repeat although it may
// have arrived: the last of its kind, sent at this step, without a sign of it at the lender.
func MayRepeat(l desk.LeadView) (desk.Operation, bool) {
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
func showChanged(v format.Viewer, l desk.LeadView) views.ChangedView {
	if l.Look.LookedAt == 0 {
		return views.ChangedView{}
	}
	var items []ui.NavLink
	for _, e := range l.Events {
		if e.At <= l.Look.LookedAt || e.ActorID == v.Who.UserID || len(items) == 4 {
			continue
		}
		title, _ := eventTitle(e, words.DeedOf(string(e.Operation)))
		items = append(items, ui.NavLink{Label: format.Lowered(title), Href: v.Base.LeadTab(string(l.Row.App), to.Activity)})
	}
	if len(items) == 0 {
		return views.ChangedView{}
	}
	return views.ChangedView{When: "Since you looked, " + v.Within(format.Instant(l.Look.LookedAt)) + ":", Items: items}
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
		{Label: source, Value: words.Or(format.Dollars(value))},
		{Label: "Liens", Value: words.Or(format.SomeAmount(liens)), Key: "p1"},
		{Label: lineWord, Value: words.Or(format.SomeAmount(line)), Key: "p2"},
	}}
	for i, m := range []heloc.Money{liens, line} {
		if m == 0 { // the bar has no such part
			s.Facts[i+1].Key = ""
		}
	}
	if value != nil && *value > 0 {
		rest := max(0, *value-liens-line)
		s.Facts = append(s.Facts, ui.Fact{Label: "What is left", Value: format.Amount(rest), Key: "p3"})
		s.Bar = ui.NewMoneyBar("Of a value of "+format.Amount(*value)+": liens "+format.Amount(liens)+", line "+format.Amount(line)+", left "+format.Amount(rest),
			ui.BarAmount{Class: "p1", Cents: int64(liens)}, ui.BarAmount{Class: "p2", Cents: int64(line)}, ui.BarAmount{Class: "p3", Cents: int64(rest)})
	}
	s.Facts = append(s.Facts,
		ui.Fact{Label: "CLTV before", Value: words.Or(format.Percent(a.Value.PreLoanCLTV))},
		ui.Fact{Label: "CLTV after", Value: words.Or(format.Percent(a.Value.PostLoanCLTV))},
		ui.Fact{Label: "Wanted", Value: words.Or(format.SomeAmount(l.Row.Wanted))})
	return s
}

func showCancel(f LeadFacts) views.CancelView {
	l := f.View.Row
	c := views.CancelView{
		Can: f.Can(access.CancelInquiry) && desk.CanCancel(l), Who: format.Joined(", ", format.NameOf(f.View.Name), format.ShortID(l)),
		Open: f.attempt != nil && f.attempt.Act == string(heloc.OpCancel),
	}
	if l.Converted && l.Lane != heloc.LaneEnded {
		c.Why = "This is an application by now and is not cancelled here. To end it, the borrower calls the lender’s support."
	}
	if c.Can {
		c.Form = f.formOf(heloc.OpCancel, nil)
	}
	return c
}

// clonable says where a fresh start helps: before the offers, and after the end. With
// offers or an application there is something to lose by it.
func (f LeadFacts) clonable() bool {
	if f.View.Row.Converted || !f.Can(access.PrepareDraft) || !f.Can(access.RevealBorrower) {
		return false
	}
	switch f.View.Row.Stand {
	case heloc.StandChooseProperty, heloc.StandSSN, heloc.StandFrozen, heloc.StandRepull, heloc.StandLiens, heloc.StandAssets, heloc.StandPayoff,
		heloc.StandValue, heloc.StandNoOffers, heloc.StandCancelled, heloc.StandExpired, heloc.StandWithdrawn:
		return true
	default:
		return false
	}
}
