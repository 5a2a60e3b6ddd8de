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

// quoteFresh is how long an answer about the same debts is as good as a new one.
const quoteFresh = 10 * time.Minute

// payoffOffers shows the offers that pay off the debts of the address.
func (s *Handlers) PayoffOffers(w http.ResponseWriter, r *http.Request, l page.Lead) error {
	ask := ParseAsk(r.URL.Query())
	return s.planPayoff(w, r, l, ask, &form.Form{Values: url.Values{}})
}

// workOut is the same for a form: the choice as it stands there is worked out, and what
// the borrower pays today is noted. Nothing is selected and nothing changes at the lender.
func (s *Handlers) WorkOut(w http.ResponseWriter, r *http.Request, l page.Lead) error {
	f, err := page.ReadForm(r)
	if err != nil {
		return err
	}
	view, err := l.View(r.Context())
	if err != nil {
		return err
	}
	ask := ParseAsk(f.Values)
	quotable, err := l.Quotable(r.Context())
	if err != nil {
		return err
	}
	if quotable {
		ask.askLess(view.Details.App.Underwriting.Offers)
	}
	pays := ParsePays(f, eligibleDebts(view))
	if !f.Bad() && ask.planned {
		if err := l.KeepPays(r.Context(), pays); err != nil {
			return err
		}
	}
	return s.planPayoff(w, r, l, ask, f)
}

// planPayoff asks the lender for the offers of a choice of debts, unless it has answered
// just that before, and shows what there is.
func (s *Handlers) planPayoff(w http.ResponseWriter, r *http.Request, l page.Lead, ask OffersAsk, f *form.Form) error {
	if f.Bad() {
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
func (s *Handlers) askPayoff(r *http.Request, l page.Lead, ask *OffersAsk) (asked bool, err error) {
	if len(ask.Payoff) == 0 {
		return false, nil
	}
	heads, err := l.Quotes(r.Context())
	if err != nil {
		return false, err
	}
	if at := slices.IndexFunc(heads, func(q desk.QuoteHead) bool { return q.ID == ask.quote }); at >= 0 && ask.AsOf(heads[at]).quote != "" {
		return false, nil
	}
	known := slices.ContainsFunc(heads, func(q desk.QuoteHead) bool {
		return s.Now().Sub(q.At) < quoteFresh && (ask.answeredBy(q) || q.Payoff && slices.Equal(q.Ask.AccountIDs, ask.Payoff))
	})
	if known {
		return false, nil
	}
	_, err = l.PayoffOffers(r.Context(), ask.Payoff, ask.Draw)
	return true, err
}

// quotePayoff asks for a quote for the draw as well: the offers that pay off debts are given
// without one, so nothing could be selected from these alone.
func quotePayoff(ctx context.Context, l page.Lead, ask OffersAsk) error {
	if len(ask.Payoff) == 0 || ask.quote != "" {
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
	p := Price(view, Supply{Heads: heads}, ask)
	if p.nothing() || !p.due() || slices.ContainsFunc(heads, func(q desk.QuoteHead) bool { return !q.Payoff && q.Offers > 0 && p.Ask.answeredBy(q) }) {
		return nil
	}
	question := heloc.QuoteRequest{
		Amount: &p.Ask.Draw, OriginationFee: p.Ask.fee, AutopayDiscount: p.Ask.Autopay, CreditUnionMember: p.Ask.union, LiabilityPayoff: &p.payoff,
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
func (s *Handlers) BorrowerCosts(w http.ResponseWriter, r *http.Request, l page.Lead) error {
	ask := ParseAsk(r.URL.Query())
	facts, err := s.factsOf(r, l)
	if err != nil {
		return err
	}
	if ask.Draw == 0 {
		ask.Draw = drawOf(facts.View.Row.Wanted, facts.View.Details.App.Underwriting.Offers)
	}
	facts.ask, facts.tab = ask, to.Offers
	costs, err := l.Costs(r.Context(), ask.Chosen, ask.Draw)
	switch kind := fault.KindOf(err); {
	case err == nil:
		facts.costs = costsOf(costs)
	case kind == fault.NotFound || kind == fault.Invalid || kind == fault.Upstream || kind == fault.Unavailable:
		facts.ask.failed = fault.Public(err)
	default:
		return err
	}
	if page.Fragment(r) { // nothing stands there then: nobody pressed for it
		return s.Show(w, r, http.StatusOK, views.CostsPart(views.WorkspaceView{Offers: views.OffersView{Chosen: views.QuoteStrip{Costs: facts.costs}}}))
	}
	return s.showWorkspace(w, r, http.StatusOK, facts)
}

// costsOf lists what the lender names, its own sum last.
func costsOf(costs heloc.Costs) []ui.Fact {
	var all []ui.Fact
	for _, c := range slices.Concat(costs.Fixed, costs.Dynamic) {
		all = append(all, ui.Fact{Label: format.Said(string(c.Type), words.Cost), Value: words.Or(format.Dollars(c.PaidAmount))})
	}
	if total := format.Dollars(costs.TotalPaidByBorrower); total != "" {
		all = append(all, ui.Fact{Label: "Paid by the borrower in all", Value: total})
	}
	return all
}
