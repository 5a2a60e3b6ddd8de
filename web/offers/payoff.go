package offers

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"slices"
	"time"

	deskoffers "hearthline/internal/desk/offers"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	view "hearthline/views/offers"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/web/form"
	"hearthline/web/page"
)

// quoteReuseWindow is how long an answer about the same debts can be reused.
const quoteReuseWindow = 10 * time.Minute

// PayoffOffers shows the offers that pay off the debts in the URL.
func (h *Handlers) PayoffOffers(w http.ResponseWriter, r *http.Request, l page.Lead) error {
	query := ParseGridQuery(r.URL.Query())
	return h.renderPayoffPlan(w, r, l, query, &form.Form{Values: url.Values{}})
}

// SavePayoffPlan is the same for a form: it shows the selected debts and saves what the borrower
// pays today. It selects no offer and changes nothing at the lender.
func (h *Handlers) SavePayoffPlan(w http.ResponseWriter, r *http.Request, l page.Lead, f *form.Form) error {
	model, err := l.Snapshot(r.Context())
	if err != nil {
		return err
	}
	query := ParseGridQuery(f.Values)
	// the form has no discounts of the quote beside those to select
	if model.LenderAnswers.Quotes && f.Text("discounts") == "" {
		query.readTickedDiscounts(model.Details.App.Underwriting.Offers)
	}
	payments := ParseCurrentPayments(f, eligibleDebts(model))
	if !f.HasErrors() && query.payoffGiven {
		if err := l.Offers().SaveCurrentPayments(r.Context(), payments); err != nil {
			return err
		}
	}
	return h.renderPayoffPlan(w, r, l, query, f)
}

// renderPayoffPlan requests offers for the selected debts, unless the lender has answered the same
// query recently, and shows the offers.
func (h *Handlers) renderPayoffPlan(w http.ResponseWriter, r *http.Request, l page.Lead, query GridQuery,
	f *form.Form) error {
	if f.HasErrors() {
		if err := query.applyResult(f, nil); err != nil {
			return err
		}
		return h.renderOffers(w, r, l, query)
	}
	requested, err := h.requestPayoffOffers(r, l, &query)
	if err == nil {
		err = quotePayoff(r.Context(), l, query)
	}
	if requested || err != nil {
		if err := query.applyResult(f, err); err != nil {
			return err
		}
		query.quotesUnsupported = false // it concerns calculate-offers only
	}
	return h.renderOffers(w, r, l, query)
}

// requestPayoffOffers requests offers from the lender if there is no recent answer: moving a pin
// must not request offers for the same debts again.
func (h *Handlers) requestPayoffOffers(r *http.Request, l page.Lead, query *GridQuery) (requested bool, err error) {
	if len(query.Payoff) == 0 {
		return false, nil
	}
	heads, err := l.Offers().Quotes(r.Context())
	if err != nil {
		return false, err
	}
	if at := slices.IndexFunc(heads, func(q deskoffers.QuoteSummary) bool { return q.ID == query.quoteID }); at >= 0 &&
		query.AsQuoted(heads[at]).quoteID != "" {
		return false, nil
	}
	known := slices.ContainsFunc(heads, func(q deskoffers.QuoteSummary) bool {
		return h.Now().Sub(q.At) < quoteReuseWindow &&
			(query.answeredBy(q) || q.Payoff && slices.Equal(q.Request.AccountIDs, query.Payoff))
	})
	if known {
		return false, nil
	}
	_, err = l.Offers().PayoffOffers(r.Context(), query.Payoff, query.Draw)
	return true, err
}

// quotePayoff also requests a quote for the draw: payoff offers come without one, so no offer could
// be selected from them alone.
func quotePayoff(ctx context.Context, l page.Lead, query GridQuery) error {
	if len(query.Payoff) == 0 || query.quoteID != "" {
		return nil
	}
	model, err := l.Snapshot(ctx)
	if err != nil || !model.LenderAnswers.Quotes {
		return err
	}
	heads, err := l.Offers().Quotes(ctx)
	if err != nil {
		return err
	}
	p := NewOfferGrid(model, QuoteSet{Summaries: heads}, query)
	if p.noPayoffOffers() || !p.due() || slices.ContainsFunc(heads,
		func(q deskoffers.QuoteSummary) bool { return !q.Payoff && q.Offers > 0 && p.Query.answeredBy(q) }) {
		return nil
	}
	if _, err = l.Offers().Quote(ctx, p.Query.request(&p.Query.Draw, p.debts)); fault.Is(err, fault.NotFound) {
		return nil // the lender's lack of support is remembered: the payoff offers are all there is
	}
	return err
}

// BorrowerCosts shows what an offer costs, if the lender reports that before the selection.
func (h *Handlers) BorrowerCosts(w http.ResponseWriter, r *http.Request, l page.Lead) error {
	query := ParseGridQuery(r.URL.Query())
	d, err := h.Workspace.Load(r, l)
	if err != nil {
		return err
	}
	query.Draw = cmp.Or(query.Draw, initialDraw(d.View.Row.RequestedAmount, d.View.Details.App.Underwriting.Offers))
	var facts []ui.Fact
	costs, err := l.Offers().OfferCosts(r.Context(), query.Chosen, query.Draw)
	switch kind := fault.KindOf(err); {
	case err == nil:
		facts = presentCostFacts(costs)
	case kind == fault.NotFound || kind == fault.Invalid || kind == fault.Upstream || kind == fault.Unavailable:
		query.failure = fault.Public(err)
		if kind == fault.NotFound {
			d.View.LenderAnswers.OfferCosts = false // as was stored since the view was read
		}
	default:
		return err
	}
	if page.IsFragment(r) { // on an error the part stays empty, because the page requested it and not the user
		return h.Render(w, r, http.StatusOK, view.Costs(costsQuery(query), facts))
	}
	d.Tab = to.Offers
	return h.renderTab(w, r, http.StatusOK, d, query, facts)
}

// costsQuery asks for the costs of the chosen offer at the draw.
func costsQuery(q GridQuery) to.CostsQuery {
	return to.CostsQuery{Offer: q.Chosen, Amount: text.ControlMoney(&q.Draw)}
}

// presentCostFacts lists the lender's costs, with the lender's total last.
func presentCostFacts(costs heloc.Costs) []ui.Fact {
	var all []ui.Fact
	for _, c := range slices.Concat(costs.Fixed, costs.Dynamic) {
		all = append(all, ui.Fact{Label: text.DisplayText(string(c.Type), text.Cost),
			Value: text.OrDash(text.Dollars(c.PaidAmount))})
	}
	if total := text.Dollars(costs.TotalPaidByBorrower); total != "" {
		all = append(all, ui.Fact{Label: "Total paid by the borrower", Value: total})
	}
	return all
}
