package partner

import (
	"cmp"
	"context"

	"hearthline/internal/heloc"
	"hearthline/internal/pii"
)

// AddSSN resolves CREDIT_MATCH_REQUIRED and is sent encrypted. It accepts nine digits, with
// or without dashes; anything else is Invalid and not sent.
//
// heloc: PUT /products/heloc/v1/inquiry/{appUuid}/add-ssn (4.11)
func (c *Client) AddSSN(ctx context.Context, app heloc.AppID, by heloc.OriginatorID,
	ssn pii.Secret[string]) (WriteResult, error) {
	call := callTo(string(heloc.OpAddSSN)).of(app)
	block, invalid := c.requestBlock(by, heloc.OpAddSSN)
	if invalid = cmp.Or(call.invalid, invalid); invalid != nil {
		return WriteResult{}, call.notSent(invalid)
	}
	if ssn.Reveal() == "" {
		ssn = pii.Wrap("none") // so that it is rejected as an invalid SSN and not sent without one
	}
	sent := payload{"request": block, "applicant": map[string]string{"ssn": ssnPlaceholder}}
	var err error
	if call.body, err = c.encryptedBody(ctx, call, sent, ssn); err != nil {
		return WriteResult{}, err
	}
	return c.sendWrite(ctx, call)
}

// RepullCredit resolves UNFREEZE_CREDIT, once the borrower has lifted the freeze.
//
// heloc: POST /products/heloc/v1/inquiry/{appUuid}/repull-credit (4.12)
func (c *Client) RepullCredit(ctx context.Context, app heloc.AppID, by heloc.OriginatorID) (WriteResult, error) {
	return c.sendChange(ctx, change{heloc.OpRepullCredit, app, by, nil})
}

// VerifyLiens resolves LIEN_MATCHING_REQUIRED with every lien on the property. A lien that
// the lender detected keeps its LienUUID; an added one has none.
//
// heloc: PUT /products/heloc/v1/inquiry/{appUuid}/verify-liens (4.13)
func (c *Client) VerifyLiens(ctx context.Context, app heloc.AppID, by heloc.OriginatorID,
	liens []heloc.LienInput) (WriteResult, error) {
	return c.sendChange(ctx, change{heloc.OpVerifyLiens, app, by, payload{"liens": c.liens(liens)}})
}

// AddIncome resolves MORE_ASSETS_REQUIRED. The lender deprecated it in favor of
// AssetDepletion.
//
// heloc: PUT /products/heloc/v1/inquiry/{appUuid}/add-income (4.14)
func (c *Client) AddIncome(ctx context.Context, app heloc.AppID, by heloc.OriginatorID,
	income heloc.Income) (WriteResult, error) {
	if invalid := c.incomplete(income); invalid != nil {
		return WriteResult{}, callTo(string(heloc.OpAddIncome)).notSent(invalid)
	}
	return c.sendChange(ctx, change{heloc.OpAddIncome, app, by, payload{"income": income}})
}

// AssetDepletion resolves MORE_ASSETS_REQUIRED and PAYOFF_REQUIRED. The documented dialect
// omits an empty income; the live one requires employment and gross pay even if only debts
// are to be paid off, and without them nothing is sent. Nil accounts are omitted, while an
// empty list means that none is to be paid off.
//
// heloc: PUT /products/heloc/v1/inquiry/{appUuid}/asset-depletion (4.15)
func (c *Client) AssetDepletion(ctx context.Context, app heloc.AppID, by heloc.OriginatorID,
	a heloc.AssetDepletion) (WriteResult, error) {
	if invalid := c.incomplete(a.Income); invalid != nil {
		return WriteResult{}, callTo(string(heloc.OpAssetDepletion)).notSent(invalid)
	}
	sent := payload{}
	if a.Income != (heloc.Income{}) {
		sent["income"] = a.Income
	}
	if a.AccountsToPayoff != nil {
		sent["liabilityPayoff"] = payload{"selectedAccountsToPayoff": a.AccountsToPayoff}
	}
	return c.sendChange(ctx, change{heloc.OpAssetDepletion, app, by, sent})
}

// AddPropertyEstimate resolves PROPERTY_VALUE_REQUIRED with the borrower's own estimate.
//
// heloc: PUT /products/heloc/v1/inquiry/{appUuid}/add-property-estimate (4.16)
func (c *Client) AddPropertyEstimate(ctx context.Context, app heloc.AppID, by heloc.OriginatorID,
	value heloc.Money) (WriteResult, error) {
	return c.sendChange(ctx, change{heloc.OpPropertyValue, app, by,
		payload{"propertyEstimate": payload{"borrowerEstimatedValue": value}}})
}

// Properties lists the candidates for an ambiguous address, at SELECT_PROPERTY. The lender
// rejects an address that is too vague; the remedy is a new inquiry with a better one.
//
// heloc: GET /products/heloc/v1/inquiry/{appUuid}/properties (4.9)
func (c *Client) Properties(ctx context.Context, app heloc.AppID) (Result[heloc.MatchedProperties], error) {
	q := callTo("properties").of(app)
	return ask(ctx, c, q, func(got *reply) (heloc.MatchedProperties, error) {
		if _, ok := got.list("properties"); !ok {
			return heloc.MatchedProperties{}, q.noResource(got)
		}
		matched := decode[heloc.MatchedProperties](unwrapData(got.tree))
		matched.Messages = got.messages // bounded and redacted, as they are everywhere
		return matched, nil
	})
}

// SelectProperty selects one of Properties by its id.
//
// heloc: PUT /products/heloc/v1/inquiry/{appUuid}/select-property (4.10)
func (c *Client) SelectProperty(ctx context.Context, app heloc.AppID, by heloc.OriginatorID,
	property string) (WriteResult, error) {
	return c.sendChange(ctx, change{heloc.OpSelectProperty, app, by,
		payload{"property": map[string]string{"propertyId": property}}})
}
