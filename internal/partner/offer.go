package partner

import (
	"context"
	"net/http"
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
func (c *Client) Quote(ctx context.Context, app heloc.AppID, ask heloc.QuoteRequest) (Result[heloc.Quote], error) {
	call := call{endpoint: "calculate-offers", class: classRead, method: http.MethodPost, optional: true}
	id, invalid := pathID(app)
	if invalid != nil {
		return Result[heloc.Quote]{}, call.notSent(invalid)
	}
	call.path = inquiries + id + "/calculate-offers"
	body, invalid := encode(ask)
	if invalid != nil {
		return Result[heloc.Quote]{}, call.notSent(invalid)
	}
	call.body = body
	got, err := c.do(ctx, call)
	if err != nil {
		return Result[heloc.Quote]{}, err
	}
	answer := readOffers(got.tree, "underwriting.offers[]")
	if underwriting, _ := answer["underwriting"].(object); !listed(underwriting["offers"]) {
		return Result[heloc.Quote]{}, call.noResource(got)
	}
	quote := decode[heloc.Quote](answer["underwriting"])
	quote.RequestUUID = textOf(answer["requestUuid"])
	return newResult(got, quote), nil
}

// PayoffOffers requests the offers that pay off the given accounts, at least one; their ids
// are in the details' liabilities. The resulting list may be empty.
//
// heloc: GET /products/heloc/v1/inquiry/{appUuid}/direct-debt-payoff-offers (4.8)
func (c *Client) PayoffOffers(ctx context.Context, app heloc.AppID, accounts []string) (Result[heloc.PayoffOffers], error) {
	call := call{endpoint: "direct-debt-payoff-offers", class: classRead, method: http.MethodGet}
	id, invalid := pathID(app)
	if invalid == nil && strings.Join(accounts, "") == "" {
		invalid = fault.New(fault.Invalid, "Choose at least one debt to pay off.")
	}
	if invalid != nil {
		return Result[heloc.PayoffOffers]{}, call.notSent(invalid)
	}
	call.path = inquiries + id + "/direct-debt-payoff-offers"
	call.query = "accountId=" + joinIDs(accounts)
	got, err := c.do(ctx, call)
	if err != nil {
		return Result[heloc.PayoffOffers]{}, err
	}
	if err := call.about(got, id); err != nil {
		return Result[heloc.PayoffOffers]{}, err
	}
	answer := readOffers(got.tree, "offers[]")
	if !listed(answer["offers"]) {
		return Result[heloc.PayoffOffers]{}, call.noResource(got)
	}
	return newResult(got, decode[heloc.PayoffOffers](answer)), nil
}

// BorrowerCosts requests what an offer costs before it is selected. Only the live service has
// this endpoint; elsewhere the error is fault.NotFound and the portal hides the costs.
//
// heloc: GET /products/heloc/v1/inquiry/{appUuid}/borrower-costs (live 3)
func (c *Client) BorrowerCosts(ctx context.Context, app heloc.AppID, offer string, amount heloc.Money) (Result[heloc.Costs], error) {
	call := call{endpoint: "borrower-costs", class: classRead, method: http.MethodGet, optional: true}
	id, invalid := pathID(app)
	if invalid != nil {
		return Result[heloc.Costs]{}, call.notSent(invalid)
	}
	dollars, _ := amount.MarshalJSON() // never fails
	call.path = inquiries + id + "/borrower-costs"
	call.query = url.Values{"offerUuid": {offer}, "selectedOfferAmount": {string(dollars)}}.Encode()
	got, err := c.do(ctx, call)
	if err != nil {
		return Result[heloc.Costs]{}, err
	}
	costs := readCosts(got.tree)["costs"]
	if !filled(costs) {
		return Result[heloc.Costs]{}, call.noResource(got)
	}
	return newResult(got, decode[heloc.Costs](costs)), nil
}

// SelectOffer selects an offer that the lender supplied in details, a quote or payoff
// offers. Async is always true: the contract requires it with accounts, and without them the
// details are read afterwards anyway.
//
// heloc: PUT /products/heloc/v1/inquiry/{appUuid}/select-offer (4.4)
func (c *Client) SelectOffer(ctx context.Context, app heloc.AppID, by heloc.OriginatorID, selection heloc.OfferSelection) (WriteResult, error) {
	selection.Discounts = nonNil(selection.Discounts)
	selection.AccountsToPayoff = nonNil(selection.AccountsToPayoff)
	return c.sendChange(ctx, change{
		operation: heloc.OpSelectOffer, method: http.MethodPut, app: app, originator: by,
		payload: map[string]any{"offer": selection},
	})
}
