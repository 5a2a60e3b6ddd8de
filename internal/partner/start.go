package partner

import (
	"context"

	"hearthline/internal/heloc"
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
