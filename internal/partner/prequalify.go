package partner

import (
	"context"
	"strings"

	"hearthline/internal/heloc"
	"hearthline/internal/pii"
)

// prequalifyPayload adds the members that Prequalification does not marshal.
type prequalifyPayload struct {
	heloc.Prequalification
	SSN string `json:"ssn,omitempty"`
}

// Prequalify requests estimated offers, encrypted and without the API key: the affiliate's id
// identifies us instead. It creates a record at the lender, so it is a write.
//
// heloc: POST /products/heloc/pre-qualify/v2 (4.20)
func (c *Client) Prequalify(ctx context.Context, ask heloc.Prequalification) (Result[heloc.Estimate], error) {
	call := callTo("pre-qualify")
	payload := prequalifyPayload{Prequalification: ask, SSN: ssnPlaceholderFor(ask.SSN)}
	var err error
	if call.body, err = c.encryptedBody(ctx, call, payload, ask.SSN); err != nil {
		return Result[heloc.Estimate]{}, err
	}
	return c.doPrequalify(ctx, call)
}

// PrequalifyPlain calls the deprecated first version, which is not encrypted; therefore it
// omits the SSN.
//
// heloc: POST /a/external/products/heloc/pre-qualify/v1 (4.20)
func (c *Client) PrequalifyPlain(ctx context.Context, ask heloc.Prequalification) (Result[heloc.Estimate], error) {
	ask.SSN = pii.Secret[string]{}
	return c.doPrequalify(ctx, callTo("pre-qualify-v1").with(prequalifyPayload{Prequalification: ask}))
}

func (c *Client) doPrequalify(ctx context.Context, call call) (Result[heloc.Estimate], error) {
	return ask(ctx, c, call, func(got *reply) (heloc.Estimate, error) {
		made := decode[heloc.Estimate](unwrapData(got.tree))
		if made.Status == "" && heloc.HasErrorMessage(got.messages) {
			return made, call.rejectedBy(got)
		}
		if made.Status == "" && len(made.Offers) == 0 {
			return made, call.withoutEffect(got, "the answer has no status and no offers")
		}
		made.Status = strings.ToUpper(made.Status) // compared without regard to case (interface-live.md section 3)
		return made, nil
	})
}
