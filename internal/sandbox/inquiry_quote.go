package sandbox

import (
	"net/http"
	"strings"

	"github.com/google/uuid"

	"hearthline/internal/heloc"
)

// calculateOffers prices a draw (section 4.2). The live service no longer has this endpoint.
func (s *Sandbox) calculateOffers(r *http.Request) (any, error) {
	if s.cfg.Dialect == Live {
		return nil, rejectAtGateway(http.StatusNotFound, "no Route matched with those values")
	}
	p, err := readPayload(r)
	if err != nil {
		return nil, err
	}
	return s.withInquiry(r, func(q *inquiryRecord) (any, error) {
		if q.Pricing == nil {
			return nil, reject(http.StatusConflict, "There are no offers to calculate at the step %s.", q.Step)
		}
		a, err := q.quoteOf(p)
		if err != nil {
			return nil, err
		}
		if q.saveQuote(a) {
			if err := s.save(q); err != nil {
				return nil, err
			}
		}
		return object{
			"requestUuid": uuid.NewString(),
			"underwriting": object{
				// The fee is charged on the whole draw, including the debts that are paid from it.
				"ofeeMaxThreshold": percentOf(a.Draw, maxFee), "offers": s.offersJSON(q.offers(a), "discounts", true),
				"selectedOffer": nil,
			},
		}, nil
	})
}

// quoteOf reads the request and rejects one that no offer could satisfy.
func (q *inquiryRecord) quoteOf(p payload) (quote, error) {
	c := &validator{payload: p}
	c.numeric("amount", "originationFee", "liabilityPayoffAmount")
	c.boolean("autoPayDiscountEnabled", "cuDiscountEnabled")
	if payoff, ok := p.dollars("liabilityPayoffAmount"); ok && payoff < 0 {
		c.addError("The field liabilityPayoffAmount must not be negative.")
	}
	accounts, ok := p.texts("accountIds")
	if !ok {
		c.addError("The field accountIds must be an array of strings.")
	}
	if err := rejectAll(c.errors); err != nil {
		return quote{}, err
	}
	a := quote{Draw: q.Pricing.Max, Accounts: accounts}
	if amount, ok := p.dollars("amount"); ok {
		a.Draw = amount
	}
	if fee, ok := p.number("originationFee"); ok {
		rate, err := heloc.ParseRate(fee.String())
		if err != nil || rate < 0 || rate > maxFee {
			return quote{}, reject(http.StatusBadRequest, "The origination fee is 0 to %s percent.", maxFee)
		}
		a.Fee = &rate
	}
	debts, ok := q.eligibleDebts(accounts)
	if !ok {
		return quote{}, reject(http.StatusBadRequest, "An account selected for payoff is not eligible.")
	}
	a.Payoff = balances(debts)
	if payoff, ok := p.dollars("liabilityPayoffAmount"); ok {
		a.Payoff = payoff
	}
	a.Autopay, _ = p.boolean("autoPayDiscountEnabled")
	a.CU, _ = p.boolean("cuDiscountEnabled")
	if lowest := max(q.Pricing.Min, a.Payoff); a.Draw < lowest || a.Draw > q.Pricing.Max {
		return quote{}, reject(http.StatusBadRequest, "Enter an amount from $%s to $%s.",
			lowest.Whole(), q.Pricing.Max.Whole())
	}
	return a, nil
}

// payoffOffers prices the line with some debts paid from it (section 4.8). When other
// accounts were selected at asset depletion the list is empty, as the contract says.
func (s *Sandbox) payoffOffers(r *http.Request) (any, error) {
	var accounts []string
	for _, given := range r.URL.Query()["accountId"] {
		for id := range strings.SplitSeq(given, ",") {
			if id = strings.TrimSpace(id); id != "" {
				accounts = append(accounts, id)
			}
		}
	}
	return s.withInquiry(r, func(q *inquiryRecord) (any, error) {
		if len(accounts) == 0 {
			return nil, reject(http.StatusBadRequest, "The parameter accountId is required.")
		}
		if q.Pricing == nil {
			return nil, reject(http.StatusConflict, "There are no offers at the step %s.", q.Step)
		}
		debts, ok := q.eligibleDebts(accounts)
		if !ok {
			return nil, reject(http.StatusBadRequest, "An account is not eligible for payoff.")
		}
		offers := []heloc.Offer{}
		a := quote{Draw: q.Pricing.Max, Payoff: balances(debts), Accounts: accounts}
		if a.Payoff <= q.Pricing.Max && (len(q.PayoffAccounts) == 0 || sameSet(q.PayoffAccounts, accounts)) {
			offers = q.offers(a)
			if q.saveQuote(a) {
				if err := s.save(q); err != nil {
					return nil, err
				}
			}
		}
		return withData(object{
			"organization": organization, "appUuid": q.ID, "offers": s.offersJSON(offers, "discounts", false),
		}), nil
	})
}

func sameSet(a, b []string) bool {
	in := map[string]bool{}
	for _, v := range a {
		in[v] = true
	}
	for _, v := range b {
		if !in[v] {
			return false
		}
	}
	return len(a) == len(b)
}

// borrowerCosts returns the costs of an offer before it is selected. Only the live service has this endpoint.
func (s *Sandbox) borrowerCosts(r *http.Request) (any, error) {
	if s.cfg.Dialect != Live {
		return nil, rejectAtGateway(http.StatusNotFound, "no Route matched with those values")
	}
	return s.withInquiry(r, func(q *inquiryRecord) (any, error) {
		offer, _, ok := q.suppliedOffer(r.URL.Query().Get("offerUuid"))
		if !ok {
			return nil, reject(http.StatusBadRequest, "The offer was not supplied for this inquiry.")
		}
		amount, err := heloc.ParseMoney(r.URL.Query().Get("selectedOfferAmount"))
		if err != nil || amount <= 0 {
			return nil, reject(http.StatusBadRequest, "The parameter selectedOfferAmount must be a positive number.")
		}
		loan := q.terms.loan(amount, *offer.OriginationFeePercent)
		return object{"messages": messages("INFO"), "costs": s.costsJSON(q.costs(loan))}, nil
	})
}
