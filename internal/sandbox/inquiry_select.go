package sandbox

import (
	"net/http"

	"hearthline/internal/heloc"
)

// selectOffer goes on with one offer (section 4.4).
func (s *Sandbox) selectOffer(r *http.Request) (any, error) {
	p, err := readPayload(r)
	if err != nil {
		return nil, err
	}
	return s.with(r, func(q *record) (any, error) {
		if err := refuseAll(s.selectComplaints(p)); err != nil {
			return nil, err
		}
		if _, err := s.actor(p); err != nil {
			return nil, err
		}
		if err := q.mayNow(heloc.OpSelectOffer); err != nil {
			return nil, err
		}
		sel, err := q.selectionOf(p)
		if err != nil {
			return nil, err
		}
		if err := s.begin(q, work{Op: heloc.OpSelectOffer, Selection: sel}); err != nil {
			return nil, err
		}
		answer := accepted()
		// The earlier form answers with the details when nobody wants to wait for a webhook.
		if async, _ := p.flag("request.async"); !async {
			answer["appDetails"] = s.detailsOf(q, nil)
		}
		return answer, nil
	})
}

func (s *Sandbox) selectComplaints(p payload) []string {
	c := &check{p: p}
	s.requestBlock(c)
	c.required("offer.offerUuid", "offer.selectedOfferAmount")
	c.numeric("offer.selectedOfferAmount")
	if s.cfg.Dialect == Live {
		c.required("offer.selectedDiscounts", "offer.selectedAccountsToPayoff")
	}
	for _, path := range []string{"offer.selectedDiscounts", "offer.selectedAccountsToPayoff"} {
		if _, ok := p.texts(path); !ok {
			c.complain("The field %s must be an array of strings.", path)
		}
	}
	accounts, _ := p.texts("offer.selectedAccountsToPayoff")
	if async, _ := p.flag("request.async"); len(accounts) > 0 && !async {
		c.complain("The field request.async must be true when selectedAccountsToPayoff is populated.")
	}
	return c.complaints
}

// selectionOf works the selection out, or says why it cannot be had.
func (q *record) selectionOf(p payload) (*selection, error) {
	offer, asked, ok := q.supplied(p.text("offer.offerUuid"))
	if !ok {
		return nil, refuse(http.StatusBadRequest, "The offer was not supplied for this inquiry.")
	}
	amount, _ := p.dollars("offer.selectedOfferAmount")
	if amount < *offer.MinAmount || amount > *offer.MaxAmount {
		return nil, refuse(http.StatusBadRequest, "The selected amount is outside the offer: %s to %s dollars.",
			offer.MinAmount.Whole(), offer.MaxAmount.Whole())
	}
	accounts, _ := p.texts("offer.selectedAccountsToPayoff")
	debts, ok := q.eligible(accounts)
	if !ok {
		return nil, refuse(http.StatusBadRequest, "An account selected for payoff is not eligible.")
	}
	if balances(debts) > amount {
		return nil, refuse(http.StatusBadRequest, "The accounts selected for payoff come to more than the selected amount.")
	}
	wanted, _ := p.texts("offer.selectedDiscounts")
	sel := choose(offer, asked, amount, wanted)
	sel.Accounts, sel.Payoff = accounts, balances(debts)
	return sel, nil
}
