package partner

import (
	"context"
	"errors"
	"net/http"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
)

// Start is a new inquiry.
type Start struct {
	// Originator acts; of the directory, never of a form.
	Originator heloc.OriginatorID
	// Reference is the operation id that the lender should echo in the details
	// (Client.Reference reads it). It takes the place of whatever Inquiry.PartnerData
	// has in the same field; empty sends none.
	Reference string
	Inquiry   heloc.Inquiry
}

// startPayload shadows the applicant, whose SSN does not marshal by itself.
type startPayload struct {
	Request   requestBlock   `json:"request"`
	Applicant startApplicant `json:"applicant"`
	heloc.Inquiry
}

type startApplicant struct {
	heloc.Applicant
	SSN string `json:"ssn,omitempty"`
}

// Start submits an inquiry, encrypted. The answer's AppUUID is never empty: a 2xx
// without one is Refused if it carries an error-level message, and else Unknown.
//
// heloc: POST /products/heloc/v1/inquiry/start (4.1)
func (c *Client) Start(ctx context.Context, s Start) (WriteResult, error) {
	call := call{endpoint: string(heloc.OpStart), class: classWrite, method: http.MethodPost, path: inquiries + "start"}
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
		return answer, nil
	case hasErrorMessage(got.messages):
		return WriteResult{}, call.rejectedBy(got)
	default:
		said := Failure{Status: got.status, Messages: got.messages, RequestID: got.requestID}
		return WriteResult{}, call.failure(said, fault.Upstream, errors.New("the answer has no appUuid"))
	}
}
