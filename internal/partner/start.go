package partner

import (
	"context"
	"strings"

	"hearthline/internal/heloc"
	"hearthline/internal/pii"
)

// Start is a new inquiry.
type Start struct {
	// Originator is the acting originator; from the directory, never from a form.
	Originator heloc.OriginatorID
	// Reference is the operation id that the lender should echo in the details
	// (Client.Reference reads it). It replaces the value of Inquiry.PartnerData in the
	// same field; an empty one is not sent.
	Reference string
	Inquiry   heloc.Inquiry
}

// startPayload replaces the applicant with one that also marshals the SSN.
type startPayload struct {
	Request   requestBlock   `json:"request"`
	Applicant startApplicant `json:"applicant"`
	heloc.Inquiry
}

type startApplicant struct {
	heloc.Applicant
	SSN string `json:"ssn,omitempty"`
}

// Start submits an inquiry, encrypted. The result's AppUUID is never empty: a 2xx without
// one is a Failure, which is Refused if it contains an error-level message.
//
// heloc: POST /products/heloc/v1/inquiry/start (4.1)
func (c *Client) Start(ctx context.Context, s Start) (WriteResult, error) {
	call := callTo(string(heloc.OpStart))
	block, invalid := c.requestBlock(s.Originator, heloc.OpStart)
	if invalid != nil {
		return WriteResult{}, call.notSent(invalid)
	}
	ssn := s.Inquiry.Applicant.SSN
	s.Inquiry.PartnerData = c.partnerData(s.Inquiry.PartnerData, s.Reference)
	payload := startPayload{
		Request:   block,
		Applicant: startApplicant{Applicant: s.Inquiry.Applicant, SSN: ssnPlaceholderFor(ssn)},
		Inquiry:   s.Inquiry,
	}
	var err error
	if call.body, err = c.encryptedBody(ctx, call, payload, ssn); err != nil {
		return WriteResult{}, err
	}
	got, err := c.do(ctx, call)
	if err != nil {
		return WriteResult{}, err
	}
	answer := got.writeResult()
	answer.AppUUID, err = heloc.ParseAppID(textOf(unwrapData(got.tree)["appUuid"]))
	switch {
	case err == nil:
		answer.Effect = heloc.EffectStated
		return answer, nil
	case heloc.HasErrorMessage(got.messages):
		return WriteResult{}, call.rejectedBy(got)
	default:
		return WriteResult{}, call.withoutEffect(got, "the answer has no appUuid")
	}
}

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
