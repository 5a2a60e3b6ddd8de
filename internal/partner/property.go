package partner

import (
	"context"

	"hearthline/internal/heloc"
)

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
