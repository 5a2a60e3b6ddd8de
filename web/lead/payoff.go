package lead

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"time"

	"hearthline/internal/desk"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/views"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/views/words"
	"hearthline/web/form"
	"hearthline/web/format"
	"hearthline/web/page"
)

// quoteReuseWindow is how long an answer about the same debts is as good as a new one.
const quoteReuseWindow = 10 * time.Minute

// PayoffOffers shows the offers that pay off the debts of the address.
func (s *Handlers) PayoffOffers(w http.ResponseWriter, r *http.Request, l page.Lead) error {
	ask := ParseGridQuery(r.URL.Query())
	return s.renderPayoffPlan(w, r, l, ask, &form.Form{Values: url.Values{}})
}

// SavePayoffPlan is the same for a form: the choice as it stands there is worked out, and what
// the borrower pays today is noted. Nothing is selected and nothing changes at the lender.
func (s *Handlers) SavePayoffPlan(w http.ResponseWriter, r *http.Request, l page.Lead) error {
	f, err := page.ReadForm(r)
	if err != nil {
		return err
	}
	view, err := l.View(r.Context())
	if err != nil {
		return err
	}
	ask := ParseGridQuery(f.Values)
	quotable, err := l.Quotable(r.Context())
	if err != nil {
		return err
	}
	if quotable {
		ask.askLess(view.Details.App.Underwriting.Offers)
	}
	pays := ParseCurrentPayments(f, eligibleDebts(view))
	if !f.HasErrors() && ask.payoffGiven {
		if err := l.SaveCurrentPayments(r.Context(), pays); err != nil {
			return err
		}
	}
	return s.renderPayoffPlan(w, r, l, ask, f)
}

// renderPayoffPlan asks the lender for the offers of a choice of debts, unless it has answered
// just that before, and shows what there is.
func (s *Handlers) renderPayoffPlan(w http.ResponseWriter, r *http.Request, l page.Lead, ask GridQuery, f *form.Form) error {
	if f.HasErrors() {
		if err := ask.applyResult(f, nil); err != nil {
			return err
		}
		return s.renderOffers(w, r, l, ask)
	}
	asked, err := s.requestPayoffOffers(r, l, &ask)
	if err == nil {
		err = quotePayoff(r.Context(), l, ask)
	}
	if asked || err != nil {
		if err := ask.applyResult(f, err); err != nil {
			return err
		}
		ask.quotesUnsupported = false // that is said of calculate-offers alone
	}
	return s.renderOffers(w, r, l, ask)
}

// requestPayoffOffers puts the question where it has not been answered already: dragging a pin about
// must not ask the lender for the same debts again.
func (s *Handlers) requestPayoffOffers(r *http.Request, l page.Lead, ask *GridQuery) (asked bool, err error) {
	if len(ask.Payoff) == 0 {
		return false, nil
	}
	heads, err := l.Quotes(r.Context())
	if err != nil {
		return false, err
	}
	if at := slices.IndexFunc(heads, func(q desk.QuoteSummary) bool { return q.ID == ask.quoteID }); at >= 0 && ask.AsQuoted(heads[at]).quoteID != "" {
		return false, nil
	}
	known := slices.ContainsFunc(heads, func(q desk.QuoteSummary) bool {
		return s.Now().Sub(q.At) < quoteReuseWindow && (ask.answeredBy(q) || q.Payoff && slices.Equal(q.Request.AccountIDs, ask.Payoff))
	})
	if known {
		return false, nil
	}
	_, err = l.PayoffOffers(r.Context(), ask.Payoff, ask.Draw)
	return true, err
}

// quotePayoff asks for a quote for the draw as well: the offers that pay off debts are given
// without one, so nothing could be selected from these alone.
func quotePayoff(ctx context.Context, l page.Lead, ask GridQuery) error {
	if len(ask.Payoff) == 0 || ask.quoteID != "" {
		return nil
	}
	quotable, err := l.Quotable(ctx)
	if err != nil || !quotable {
		return err
	}
	view, err := l.View(ctx)
	if err != nil {
		return err
	}
	heads, err := l.Quotes(ctx)
	if err != nil {
		return err
	}
	p := NewOfferGrid(view, QuoteSet{Summaries: heads}, ask)
	if p.noPayoffOffers() || !p.due() || slices.ContainsFunc(heads, func(q desk.QuoteSummary) bool { return !q.Payoff && q.Offers > 0 && p.Query.answeredBy(q) }) {
		return nil
	}
	question := heloc.QuoteRequest{
		Amount: &p.Query.Draw, OriginationFee: p.Query.fee, AutopayDiscount: p.Query.Autopay, CreditUnionMember: p.Query.creditUnion, LiabilityPayoff: &p.payoffTotal,
	}
	for _, d := range p.payoffDebts {
		question.AccountIDs = append(question.AccountIDs, d.ID)
	}
	slices.Sort(question.AccountIDs)
	if _, err = l.Quote(ctx, question); fault.KindOf(err) == fault.NotFound {
		return nil // remembered: the payoff offers are all there is
	}
	return err
}

// BorrowerCosts shows what an offer costs, where the lender tells it before the selection.
func (s *Handlers) BorrowerCosts(w http.ResponseWriter, r *http.Request, l page.Lead) error {
	ask := ParseGridQuery(r.URL.Query())
	facts, err := s.loadLead(r, l)
	if err != nil {
		return err
	}
	if ask.Draw == 0 {
		ask.Draw = initialDraw(facts.View.Row.RequestedAmount, facts.View.Details.App.Underwriting.Offers)
	}
	facts.query, facts.tab = ask, to.Offers
	costs, err := l.OfferCosts(r.Context(), ask.Chosen, ask.Draw)
	switch kind := fault.KindOf(err); {
	case err == nil:
		facts.costs = presentCostFacts(costs)
	case kind == fault.NotFound || kind == fault.Invalid || kind == fault.Upstream || kind == fault.Unavailable:
		facts.query.failure = fault.Public(err)
	default:
		return err
	}
	if page.IsFragment(r) { // noPayoffOffers stands there then: nobody pressed for it
		return s.Render(w, r, http.StatusOK, views.CostsPart(views.WorkspaceView{Offers: views.OffersView{Chosen: views.QuoteBreakdown{Costs: facts.costs}}}))
	}
	return s.renderWorkspace(w, r, http.StatusOK, facts)
}

// presentCostFacts lists what the lender names, its own sum last.
func presentCostFacts(costs heloc.Costs) []ui.Fact {
	var all []ui.Fact
	for _, c := range slices.Concat(costs.Fixed, costs.Dynamic) {
		all = append(all, ui.Fact{Label: format.DisplayText(string(c.Type), words.Cost), Value: words.OrDash(format.Dollars(c.PaidAmount))})
	}
	if total := format.Dollars(costs.TotalPaidByBorrower); total != "" {
		all = append(all, ui.Fact{Label: "Paid by the borrower in all", Value: total})
	}
	return all
}
