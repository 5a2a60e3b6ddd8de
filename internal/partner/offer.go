package partner

import (
	"context"
	"net/url"
	"strings"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
)

// Quote requests offers for a draw or a fee, or with debts to pay off. It changes nothing, so
// it is retried like a read. A deployment without the endpoint causes fault.NotFound
// (interface-live.md section 3).
//
// heloc: POST /products/heloc/v1/inquiry/{appUuid}/calculate-offers (4.2)
func (c *Client) Quote(ctx context.Context, app heloc.AppID, request heloc.QuoteRequest) (Result[heloc.Quote], error) {
	q := callTo("calculate-offers").of(app).with(request)
	q.optional = true
	return ask(ctx, c, q, func(got *reply) (heloc.Quote, error) {
		answer := readOffers(got.tree, "underwriting.offers[]")
		if underwriting, _ := answer["underwriting"].(object); !listed(underwriting["offers"]) {
			return heloc.Quote{}, q.noResource(got)
		}
		quote := decode[heloc.Quote](answer["underwriting"])
		quote.RequestUUID = textOf(answer["requestUuid"])
		return quote, nil
	})
}

// PayoffOffers requests the offers that pay off the given accounts, at least one; their ids
// are in the details' liabilities. The resulting list may be empty.
//
// heloc: GET /products/heloc/v1/inquiry/{appUuid}/direct-debt-payoff-offers (4.8)
func (c *Client) PayoffOffers(ctx context.Context, app heloc.AppID,
	accounts []string) (Result[heloc.PayoffOffers], error) {
	q := callTo("direct-debt-payoff-offers").of(app)
	q.query = "accountId=" + joinIDs(accounts)
	if q.invalid == nil && strings.Join(accounts, "") == "" {
		q.invalid = fault.New(fault.Invalid, "Choose at least one debt to pay off.")
	}
	return ask(ctx, c, q, func(got *reply) (heloc.PayoffOffers, error) {
		if err := q.about(got); err != nil {
			return heloc.PayoffOffers{}, err
		}
		answer := readOffers(got.tree, "offers[]")
		if !listed(answer["offers"]) {
			return heloc.PayoffOffers{}, q.noResource(got)
		}
		return decode[heloc.PayoffOffers](answer), nil
	})
}

// BorrowerCosts requests what an offer costs before it is selected. Only the live service has
// this endpoint; elsewhere the error is fault.NotFound and the portal hides the costs.
//
// heloc: GET /products/heloc/v1/inquiry/{appUuid}/borrower-costs (live 3)
func (c *Client) BorrowerCosts(ctx context.Context, app heloc.AppID, offer string,
	amount heloc.Money) (Result[heloc.Costs], error) {
	dollars, _ := amount.MarshalJSON() // never fails
	q := callTo("borrower-costs").of(app)
	q.optional, q.query = true, url.Values{"offerUuid": {offer}, "selectedOfferAmount": {string(dollars)}}.Encode()
	return ask(ctx, c, q, func(got *reply) (heloc.Costs, error) {
		costs := readCosts(got.tree)["costs"]
		if !filled(costs) {
			return heloc.Costs{}, q.noResource(got)
		}
		return decode[heloc.Costs](costs), nil
	})
}

// SelectOffer selects an offer that the lender supplied in details, a quote or payoff
// offers. Async is always true: the contract requires it with accounts, and without them the
// details are read afterwards anyway.
//
// heloc: PUT /products/heloc/v1/inquiry/{appUuid}/select-offer (4.4)
func (c *Client) SelectOffer(ctx context.Context, app heloc.AppID, by heloc.OriginatorID,
	selection heloc.OfferSelection) (WriteResult, error) {
	selection.Discounts = nonNil(selection.Discounts)
	selection.AccountsToPayoff = nonNil(selection.AccountsToPayoff)
	return c.sendChange(ctx, change{heloc.OpSelectOffer, app, by, payload{"offer": selection}})
}
