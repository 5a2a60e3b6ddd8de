package web

import (
	"net/http"

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
	ask := parseAsk(f.values)
	draw := f.paid("amount", "Enter the net draw")
	if !f.bad() {
		_, err = l.Quote(r.Context(), heloc.QuoteRequest{
			Amount: draw, OriginationFee: ask.fee, AutopayDiscount: ask.autopay, CreditUnionMember: ask.union,
		})
	}
	status := http.StatusOK
	switch kind := fault.KindOf(err); {
	case f.bad():
		status = http.StatusUnprocessableEntity
		ask.wrong, ask.failed = f.wrong, "No quote was asked for."
	case err == nil:
		ask.fresh = true
	case kind == fault.NotFound:
		ask.gone, ask.failed = true, "This lender does not quote anew. The payments are worked out from the offers there are."
	case kind == fault.Upstream || kind == fault.Unavailable || kind == fault.Invalid:
		ask.failed = fault.Public(err) + " You see the offers there are."
	default:
		return err
	}
	facts, err := s.factsOf(r, l)
	if err != nil {
		return err
	}
	facts.ask, facts.tab = ask, to.Offers
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
