package sandbox

import (
	"net/http"

	"hearthline/internal/heloc"
)

// selectOffer selects one offer (section 4.4).
func (s *Sandbox) selectOffer(r *http.Request) (any, error) {
	p, err := readPayload(r)
	if err != nil {
		return nil, err
	}
	return s.withInquiry(r, func(q *inquiryRecord) (any, error) {
		if err := rejectAll(s.selectErrors(p)); err != nil {
			return nil, err
		}
		if _, err := s.actor(p); err != nil {
			return nil, err
		}
		if err := q.checkAllowed(heloc.OpSelectOffer); err != nil {
			return nil, err
		}
		sel, err := q.selectionOf(p)
		if err != nil {
			return nil, err
		}
		if err := s.startProcessing(q, processing{Op: heloc.OpSelectOffer, Selection: sel}); err != nil {
			return nil, err
		}
		answer := accepted()
		// The earlier form responds with the details when the caller does not wait for a webhook.
		if async, _ := p.boolean("request.async"); !async {
			answer["appDetails"] = s.buildDetails(q, nil)
		}
		return answer, nil
	})
}

func (s *Sandbox) selectErrors(p payload) []string {
	c := &validator{payload: p}
	s.requestBlock(c)
	c.required("offer.offerUuid", "offer.selectedOfferAmount")
	c.numeric("offer.selectedOfferAmount")
	if s.cfg.Dialect == Live {
		c.required("offer.selectedDiscounts", "offer.selectedAccountsToPayoff")
	}
	for _, path := range []string{"offer.selectedDiscounts", "offer.selectedAccountsToPayoff"} {
		if _, ok := p.texts(path); !ok {
			c.addError("The field %s must be an array of strings.", path)
		}
	}
	accounts, _ := p.texts("offer.selectedAccountsToPayoff")
	if async, _ := p.boolean("request.async"); len(accounts) > 0 && !async {
		c.addError("The field request.async must be true when selectedAccountsToPayoff is populated.")
	}
	return c.errors
}

// selectionOf validates and computes the selection.
func (q *inquiryRecord) selectionOf(p payload) (*selection, error) {
	offer, quote, ok := q.suppliedOffer(p.text("offer.offerUuid"))
	if !ok {
		return nil, reject(http.StatusBadRequest, "The offer was not supplied for this inquiry.")
	}
	amount, _ := p.dollars("offer.selectedOfferAmount")
	if amount < *offer.MinAmount || amount > *offer.MaxAmount {
		return nil, reject(http.StatusBadRequest, "The selected amount is outside the offer: %s to %s dollars.",
			offer.MinAmount.Whole(), offer.MaxAmount.Whole())
	}
	accounts, _ := p.texts("offer.selectedAccountsToPayoff")
	debts, ok := q.eligibleDebts(accounts)
	if !ok {
		return nil, reject(http.StatusBadRequest, "An account selected for payoff is not eligible.")
	}
	if balances(debts) > amount {
		return nil, reject(http.StatusBadRequest, "The accounts selected for payoff come to more than the selected amount.")
	}
	wanted, _ := p.texts("offer.selectedDiscounts")
	sel := q.terms.newSelection(offer, quote, amount, wanted)
	sel.Accounts, sel.Payoff = accounts, balances(debts)
	return sel, nil
}
