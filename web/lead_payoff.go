package web

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
)

// quoteFresh is how long an answer about the same debts is as good as a new one.
const quoteFresh = 10 * time.Minute

// payoffOffers shows the offers that pay off the debts of the address.
func (s *Server) payoffOffers(w http.ResponseWriter, r *http.Request, l Lead) error {
	ask := parseAsk(r.URL.Query())
	return s.planPayoff(w, r, l, ask, &form{values: url.Values{}})
}

// workOut is the same for a form: the choice as it stands there is worked out, and what
// the borrower pays today is noted. Nothing is selected and nothing changes at the lender.
func (s *Server) workOut(w http.ResponseWriter, r *http.Request, l Lead) error {
	f, err := readForm(r)
	if err != nil {
		return err
	}
	view, err := l.View(r.Context())
	if err != nil {
		return err
	}
	ask := parseAsk(f.values)
	quotable, err := l.Quotable(r.Context())
	if err != nil {
		return err
	}
	if quotable {
		ask.askLess(view.Details.App.Underwriting.Offers)
	}
	pays := parsePays(f, eligibleDebts(view))
	if !f.bad() && ask.planned {
		if err := l.KeepPays(r.Context(), pays); err != nil {
			return err
		}
	}
	return s.planPayoff(w, r, l, ask, f)
}

// planPayoff asks the lender for the offers of a choice of debts, unless it has answered
// just that before, and shows what there is.
func (s *Server) planPayoff(w http.ResponseWriter, r *http.Request, l Lead, ask offersAsk, f *form) error {
	if f.bad() {
		if err := ask.heard(f, nil); err != nil {
			return err
		}
		return s.showOffersAsked(w, r, l, ask)
	}
	asked, err := s.askPayoff(r, l, &ask)
	if err == nil {
		err = quotePayoff(r.Context(), l, ask)
	}
	if asked || err != nil {
		if err := ask.heard(f, err); err != nil {
			return err
		}
		ask.gone = false // that is said of calculate-offers alone
	}
	return s.showOffersAsked(w, r, l, ask)
}

// askPayoff puts the question where it has not been answered already: dragging a pin about
// must not ask the lender for the same debts again.
func (s *Server) askPayoff(r *http.Request, l Lead, ask *offersAsk) (asked bool, err error) {
	if len(ask.payoff) == 0 {
		return false, nil
	}
	heads, err := l.Quotes(r.Context())
	if err != nil {
		return false, err
	}
	if at := slices.IndexFunc(heads, func(q desk.QuoteHead) bool { return q.ID == ask.quote }); at >= 0 && ask.asOf(heads[at]).quote != "" {
		return false, nil
	}
	known := slices.ContainsFunc(heads, func(q desk.QuoteHead) bool {
		return s.Now().Sub(q.At) < quoteFresh && (ask.answeredBy(q) || q.Payoff && slices.Equal(q.Ask.AccountIDs, ask.payoff))
	})
	if known {
		return false, nil
	}
	_, err = l.PayoffOffers(r.Context(), ask.payoff, ask.draw)
	return true, err
}

// quotePayoff asks for a quote for the draw as well: the offers that pay off debts are given
// without one, so nothing could be selected from these alone.
func quotePayoff(ctx context.Context, l Lead, ask offersAsk) error {
	if len(ask.payoff) == 0 || ask.quote != "" {
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
	p := price(view, supply{heads: heads}, ask)
	if p.nothing() || !p.due() || slices.ContainsFunc(heads, func(q desk.QuoteHead) bool { return !q.Payoff && q.Offers > 0 && p.ask.answeredBy(q) }) {
		return nil
	}
	question := heloc.QuoteRequest{
		Amount: &p.ask.draw, OriginationFee: p.ask.fee, AutopayDiscount: p.ask.autopay, CreditUnionMember: p.ask.union, LiabilityPayoff: &p.payoff,
	}
	for _, d := range p.offs {
		question.AccountIDs = append(question.AccountIDs, d.ID)
	}
	slices.Sort(question.AccountIDs)
	if _, err = l.Quote(ctx, question); fault.KindOf(err) == fault.NotFound {
		return nil // remembered: the payoff offers are all there is
	}
	return err
}

// borrowerCosts shows what an offer costs, where the lender tells it before the selection.
func (s *Server) borrowerCosts(w http.ResponseWriter, r *http.Request, l Lead) error {
	ask := parseAsk(r.URL.Query())
	facts, err := s.factsOf(r, l)
	if err != nil {
		return err
	}
	if ask.draw == 0 {
		ask.draw = drawOf(facts.view.Row.Wanted, facts.view.Details.App.Underwriting.Offers)
	}
	facts.ask, facts.tab = ask, to.Offers
	costs, err := l.Costs(r.Context(), ask.chosen, ask.draw)
	switch kind := fault.KindOf(err); {
	case err == nil:
		facts.costs = costsOf(costs)
	case kind == fault.NotFound || kind == fault.Invalid || kind == fault.Upstream || kind == fault.Unavailable:
		facts.ask.failed = fault.Public(err)
	default:
		return err
	}
	if fragment(r) { // nothing stands there then: nobody pressed for it
		return s.show(w, r, http.StatusOK, views.CostsPart(views.WorkspaceView{Offers: views.OffersView{Chosen: views.QuoteStrip{Costs: facts.costs}}}))
	}
	return s.showWorkspace(w, r, http.StatusOK, facts)
}

// costsOf lists what the lender names, its own sum last.
func costsOf(costs heloc.Costs) []ui.Fact {
	var all []ui.Fact
	for _, c := range slices.Concat(costs.Fixed, costs.Dynamic) {
		all = append(all, ui.Fact{Label: said(string(c.Type), words.Cost), Value: words.Or(dollars(c.PaidAmount))})
	}
	if total := dollars(costs.TotalPaidByBorrower); total != "" {
		all = append(all, ui.Fact{Label: "Paid by the borrower in all", Value: total})
	}
	return all
}
