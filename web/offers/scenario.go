package offers

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	deskoffers "hearthline/internal/desk/offers"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	view "hearthline/views/offers"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/web/form"
	"hearthline/web/page"
	"hearthline/web/workspace"
)

// A scenario is what the user last set on the offers tab. Each change saves it. A URL that sets nothing, including
// that of the borrower's page, shows the current one.

// gridControls are the parameters that set something on the tab. A URL with any of them does not show a scenario.
var gridControls = []string{
	"amount", "offer.selectedOfferAmount", "selectedOfferAmount", "originationFee", "rateType", "autoPayDiscountEnabled",
	"cuDiscountEnabled", "offer.offerUuid", "offerUuid", "offer", "pin", "offer.selectedDiscounts",
	"offer.selectedAccountsToPayoff", "accountId", "plan", "quote",
}

// values are the controls that set the same again. A saved quote is not among them: it shows older figures.
func (q GridQuery) values() url.Values {
	all := url.Values{"plan": {"shown"}}
	set := func(name string, values ...string) {
		for _, value := range values {
			if value != "" {
				all.Add(name, value)
			}
		}
	}
	set("amount", text.ControlMoney(&q.Draw))
	set("rateType", string(q.rateType))
	if q.fee != nil {
		set("originationFee", q.fee.String())
	}
	if q.Autopay {
		set("autoPayDiscountEnabled", "true")
	}
	if q.creditUnion {
		set("cuDiscountEnabled", "true")
	}
	set("offer.offerUuid", q.Chosen)
	set("pin", q.Pins...)
	set("offer.selectedDiscounts", q.discounts...)
	set("offer.selectedAccountsToPayoff", q.Payoff...)
	return all
}

// scenarioFor is the scenario that a URL shows; nil when it sets something itself, or the offer can no longer be
// changed.
func scenarioFor(d *workspace.Data, values url.Values) *lead.Scenario {
	if finalOffer(d.View) != nil || slices.ContainsFunc(gridControls, values.Has) {
		return nil
	}
	return d.View.Scenarios.Find(values.Get("scenario"))
}

// scenarioQuery parses the controls of a scenario.
func scenarioQuery(one lead.Scenario) GridQuery {
	values, _ := url.ParseQuery(one.Query) // as it was encoded here
	query := ParseGridQuery(values)
	query.scenario = one.ID
	return query
}

// tabQuery returns what the tab is asked for: by a selection that is shown again, by the URL, or by the scenario.
func tabQuery(d *workspace.Data) GridQuery {
	query := queryOf(d)
	if one := scenarioFor(d, d.Query); one != nil && !d.IsSubmitted(string(heloc.OpSelectOffer)) {
		after := query.OlderThan
		query = scenarioQuery(*one)
		query.OlderThan = after
	}
	return query
}

// saveScenario saves what a form has set, unless it has errors or shows a saved quote. The URL of the page then sets
// the same.
func saveScenario(w http.ResponseWriter, r *http.Request, d *workspace.Data, grid OfferGrid) error {
	if r.Method != http.MethodPost || len(grid.Query.fieldErrors) > 0 || grid.historical ||
		!workspace.CanSelectOffer(d.View.Row) {
		return nil
	}
	values := grid.Query.values()
	one := d.View.Scenarios.Find(grid.Query.scenario)
	if one == nil || one.ID != d.View.Scenarios.Current || one.Query != values.Encode() {
		saved, err := d.Lead.Offers().SaveScenario(r.Context(), grid.Query.scenario, values.Encode())
		if err != nil {
			return err
		}
		d.View.Scenarios = saved
	}
	if base := page.BaseOf(r); page.IsFragment(r) && !base.Embedded() { // the URL of a frame stays
		values.Set("scenario", d.View.Scenarios.Current)
		w.Header().Set("HX-Replace-Url", base.LeadTab(string(d.View.Row.App), to.Offers)+"?"+values.Encode())
	}
	return nil
}

// presentScenarios maps the user's scenarios, each with the payment of its chosen offer.
func presentScenarios(ctx context.Context, v text.Viewer, d *workspace.Data, grid OfferGrid) (view.Scenarios, error) {
	known := d.View.Scenarios
	s := view.Scenarios{Action: d.URLs(v).Action("scenarios"), Error: grid.Query.scenarioError,
		CanAdd: len(known.All) < lead.MaxScenarios,
		Kept:   text.Pluralize(len(known.All), "scenario", "scenarios") + " of 10 on this lead"}
	if known.Before != nil {
		s.Undo = strconv.Itoa(known.Revision)
	}
	current := known.Find(grid.Query.scenario)
	if current == nil {
		s.All = []view.Scenario{{Name: "Scenario 1", Payment: grid.chosenPayment(), Current: true}}
		return s, nil
	}
	s.Current, s.CurrentName, s.NameError = current.ID, current.Name, grid.Query.nameError
	if s.NameError != "" {
		s.CurrentName = grid.Query.typed.Get("name")
	}
	if slices.ContainsFunc(gridControls, d.Query.Has) || current.Query == grid.Query.values().Encode() {
		s.SavedText = "Saved " + v.ShortMoment(text.TimeOfMillis(current.SavedAt))
	}
	for _, one := range known.All {
		shown := view.Scenario{ID: one.ID, Name: one.Name, Current: one.ID == current.ID, Shared: one.Share != ""}
		of := grid
		if !shown.Current {
			query := scenarioQuery(one)
			var err error
			if of, err = loadGrid(ctx, d.Lead, d.View, &query); err != nil {
				return s, err
			}
		}
		shown.Payment = of.chosenPayment()
		s.All = append(s.All, shown)
	}
	return s, nil
}

// chosenPayment is what the chosen offer costs at first; "" if none is chosen or that is unknown.
func (g OfferGrid) chosenPayment() string {
	o, ok := g.find(g.Query.Chosen)
	if first := g.estimateAt(o).Payment(); ok && first > 0 {
		return text.Money(first) + " a month"
	}
	return ""
}

// ChangeScenario switches to a scenario, adds, renames or deletes one, or undoes the last change.
func (h *Handlers) ChangeScenario(w http.ResponseWriter, r *http.Request, l page.Lead, f *form.Form) error {
	ctx, of, name := r.Context(), l.Offers(), f.Text("name")
	return page.Apply(w, r, page.Change{
		Form: f, Next: page.BaseOf(r).LeadTab(string(l.App()), to.Offers),
		Run: func() error {
			switch use, gone, copied, undo := f.Text("use"), f.Text("delete"), f.Text("duplicate"), f.Text("undo"); {
			case use != "":
				return of.UseScenario(ctx, use)
			case gone != "":
				return of.DeleteScenario(ctx, gone)
			case copied != "":
				return of.DuplicateScenario(ctx, copied)
			case undo != "":
				return of.UndoScenarios(ctx, undo)
			case f.IsChecked("add"):
				return of.AddScenario(ctx)
			default:
				return of.RenameScenario(ctx, f.Text("scenario"), name)
			}
		},
		Redisplay: func() error {
			d, err := h.Workspace.Load(r, l)
			if err != nil {
				return err
			}
			d.Tab = to.Offers
			grid, err := loadFormGrid(ctx, d, tabQuery(d))
			if err != nil {
				return err
			}
			grid.Query.typed, grid.Query.scenarioError = f.Values, f.FormError
			for _, wrong := range f.FieldErrors {
				grid.Query.nameError = wrong.Message
			}
			content, err := presentOffersTab(r, h.Viewer(r), d, grid, nil)
			if err != nil {
				return err
			}
			return h.Workspace.RenderContent(w, r, page.FormStatus(f), d, content)
		},
	})
}

// noteShared marks the scenario that a new link shows: the current one, if it selects the same.
func noteShared(ctx context.Context, l page.Lead, selection to.OfferSheetQuery, link string) error {
	details, err := l.Snapshot(ctx)
	if err != nil {
		return err
	}
	one := details.Scenarios.Find("")
	if one == nil {
		return nil
	}
	query := scenarioQuery(*one)
	grid, err := loadGrid(ctx, l, details, &query)
	if err != nil {
		return err
	}
	selection.Lang = ""
	if !slices.Equal(grid.sheetQuery().Controls(), selection.Controls()) {
		return nil
	}
	return l.Offers().ScenarioShared(ctx, one.ID, link)
}

// presentRepriced compares what the current scenario's link shows with the same offers now. It is empty unless the
// lender has priced exactly that again, with other rates.
func presentRepriced(v text.Viewer, d *workspace.Data, grid OfferGrid, links []deskoffers.SharedQuote) view.Repriced {
	one := d.View.Scenarios.Find(grid.Query.scenario)
	if one == nil || grid.historical || !grid.quoted() || !workspace.CanSelectOffer(d.View.Row) {
		return view.Repriced{}
	}
	at := slices.IndexFunc(links, func(l deskoffers.SharedQuote) bool { return l.ID == one.Share && l.IsActive })
	if at < 0 {
		return view.Repriced{}
	}
	link := links[at]
	now := grid.BorrowerQuote(v, d.View, slices.DeleteFunc(slices.Clone(grid.All), func(o heloc.Offer) bool {
		months := grid.Payments.Term.Months(termOf(o))
		return !slices.ContainsFunc(link.Quote.Offers, func(old lead.BorrowerOffer) bool {
			return old.RateType == o.RateType && old.Months == months && equal(old.Fee, o.OriginationFeePercent)
		})
	}))
	if now.Draw != link.Quote.Draw || !slices.EqualFunc(now.Debts, link.Quote.Debts, sameDebt) ||
		!slices.EqualFunc(now.Discounts, link.Quote.Discounts, sameDiscount) {
		return view.Repriced{}
	}
	day := text.TimeOfMillis(link.CreatedAt).In(v.Zone).Format("Jan 2")
	r := view.Repriced{Since: day, PreviewURL: to.SharedQuoteIn(link.LinkToken, link.Language, false)}
	if link.Opened > 0 {
		r.Opened = "The figures of " + day + " were last opened " +
			v.DateTimeInText(text.TimeOfMillis(link.LastOpenedAt)) + "."
	}
	sheet, changed := text.OfferSheetIn(text.English), false
	for _, old := range link.Quote.Offers {
		row := view.RepricedOffer{
			Name: presentBorrowerOffer(sheet, link.Quote, old).Term + ", " + text.Percent(old.Fee) + " fee",
			Old:  text.MoneyOrEmpty(link.Quote.Estimate(old).Payment()), OldRate: text.Percent(old.Rate),
		}
		same := func(o lead.BorrowerOffer) bool {
			return o.RateType == old.RateType && o.Months == old.Months && equal(o.Fee, old.Fee)
		}
		if i := slices.IndexFunc(now.Offers, same); i >= 0 {
			was, is := link.Quote.Estimate(old).Payment(), now.Estimate(now.Offers[i]).Payment()
			row.New, row.NewRate = text.MoneyOrEmpty(is), text.Percent(now.Offers[i].Rate)
			if was > 0 && is > 0 {
				row.Change = changeText(is - was)
			}
			changed = changed || !equal(old.Rate, now.Offers[i].Rate)
		} else {
			changed = true
		}
		r.Offers = append(r.Offers, row)
	}
	if !changed {
		return view.Repriced{}
	}
	return r
}

// changeText is a change of a payment with its sign.
func changeText(m heloc.Money) string {
	switch {
	case m > 0:
		return "+" + text.Money(m)
	case m < 0:
		return "−" + text.Money(-m)
	default:
		return "none"
	}
}

func sameDebt(a, b lead.BorrowerDebt) bool {
	return a.Creditor == b.Creditor && equal(a.Balance, b.Balance)
}

func sameDiscount(a, b lead.BorrowerDiscount) bool {
	return a.Type == b.Type && a.Included == b.Included
}

func equal[T comparable](a, b *T) bool { return a == b || a != nil && b != nil && *a == *b }
