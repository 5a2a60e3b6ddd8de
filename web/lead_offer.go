package web

import (
	"net/http"
	"slices"

	"hearthline/internal/desk"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/views/to"
)

// calculateOffers asks the lender for offers at other figures and shows the grid
// anew. It changes nothing at the lender: no ticket, no lease.
func (s *Server) calculateOffers(w http.ResponseWriter, r *http.Request, l Lead) error {
	f, err := readForm(r)
	if err != nil {
		return err
	}
	view, err := l.View(r.Context())
	if err != nil {
		return err
	}
	ask := parseAsk(f.values)
	ask.quote = ""
	question := questionOf(f, ask, view)
	if !f.bad() {
		_, err = l.Quote(r.Context(), question)
	}
	if err := ask.heard(f, err); err != nil {
		return err
	}
	return s.showOffersAsked(w, r, l, ask)
}

// questionOf is what calculate-offers is asked. With debts to pay off the amount is the
// total, before what they come to is taken from it (section 4.2).
func questionOf(f *form, ask offersAsk, view desk.LeadView) heloc.QuoteRequest {
	q := heloc.QuoteRequest{
		Amount: f.paid("amount", "Enter the net draw"), OriginationFee: ask.fee, AutopayDiscount: ask.autopay, CreditUnionMember: ask.union,
	}
	var sum heloc.Money
	for _, d := range eligibleDebts(view) {
		if slices.Contains(ask.payoff, d.ID) {
			q.AccountIDs = append(q.AccountIDs, d.ID)
			sum += orZero(d.Balance)
		}
	}
	if len(q.AccountIDs) == 0 {
		return q
	}
	slices.Sort(q.AccountIDs)
	q.LiabilityPayoff = &sum
	if q.Amount != nil && *q.Amount < sum {
		f.complain("amount", "The debts to pay off come to "+amount(sum)+"; the draw must cover them")
	}
	return q
}

// heard takes in what came of a question: complaints and refusals are told beside the
// grid, which then shows the offers there are. What is left over is an error of ours.
func (a *offersAsk) heard(f *form, err error) error {
	switch kind := fault.KindOf(err); {
	case f.bad():
		a.wrong, a.typed = f.wrong, f.values
	case err == nil:
		a.fresh = true
	case kind == fault.NotFound:
		a.gone, a.failed = true, "This lender does not quote anew. The payments are worked out from the offers there are."
	case kind == fault.Upstream || kind == fault.Unavailable || kind == fault.Invalid:
		a.failed = fault.Public(err)
	default:
		return err
	}
	return nil
}

// showOffersAsked shows the offers of a lead as they were asked for.
func (s *Server) showOffersAsked(w http.ResponseWriter, r *http.Request, l Lead, ask offersAsk) error {
	facts, err := s.factsOf(r, l)
	if err != nil {
		return err
	}
	facts.ask, facts.tab = ask, to.Offers
	status := http.StatusOK
	if len(ask.wrong) > 0 {
		status = http.StatusUnprocessableEntity
	}
	return s.showWorkspace(w, r, status, facts)
}

// selectOffer chooses an offer.
func (s *Server) selectOffer(w http.ResponseWriter, r *http.Request, l Lead) error {
	f, err := readForm(r)
	if err != nil {
		return err
	}
	choice := heloc.OfferSelection{
		OfferUUID: f.required("offer.offerUuid", "Choose one of the offers"), Discounts: f.list("offer.selectedDiscounts"),
		AccountsToPayoff: f.list("offer.selectedAccountsToPayoff"),
	}
	if draw := f.paid("offer.selectedOfferAmount", "Enter the net draw"); draw != nil {
		choice.Amount = *draw
	}
	if !f.checked("confirm.offer") {
		f.complain("confirm.offer", "Confirm that the borrower chose it")
	}
	return s.carry(w, r, l, attempt{act: string(heloc.OpSelectOffer), form: f}, func() (desk.Operation, error) {
		return l.SelectOffer(r.Context(), f.ticket, choice)
	})
}
