package partner

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"maps"

	"github.com/google/uuid"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
)

// payload is the content of a request, by the names of its members.
type payload map[string]any

// change is a write to one application with a request block.
type change struct {
	operation  heloc.Operation // also the name of the endpoint
	app        heloc.AppID
	originator heloc.OriginatorID
	payload    payload // in addition to the request block
}

// sendChange sends a write with its request block.
func (c *Client) sendChange(ctx context.Context, w change) (WriteResult, error) {
	call := callTo(string(w.operation)).of(w.app)
	block, invalid := c.requestBlock(w.originator, w.operation)
	call.invalid = cmp.Or(call.invalid, invalid)
	sent := payload{"request": block}
	maps.Copy(sent, w.payload)
	return c.sendWrite(ctx, call.with(sent))
}

// sendWrite sends a write once and checks its response: a 2xx with an error-level message means that the lender did not
// do it. A 2xx about another application says nothing about the write, and its messages may be about another borrower.
func (c *Client) sendWrite(ctx context.Context, call call) (WriteResult, error) {
	got, err := c.do(ctx, call)
	if err != nil {
		return WriteResult{}, err
	}
	if call.about(got) != nil {
		got.messages = nil
		return WriteResult{}, call.withoutEffect(got, "an answer about another application")
	}
	if heloc.HasErrorMessage(got.messages) {
		return WriteResult{}, call.rejectedBy(got)
	}
	if _, is := got.tree.(object); !is && got.tree != nil { // an empty body is a valid response to a write; a list is not
		return WriteResult{}, call.withoutEffect(got, "an answer that is no object")
	}
	return got.writeResult(), nil
}

func (r *reply) writeResult() WriteResult {
	return WriteResult{Status: r.status, Messages: r.messages, RequestID: r.requestID}
}

// rejectedBy is the failure of a write that the lender rejected with a 2xx status.
func (c call) rejectedBy(r *reply) *Failure {
	failure := r.said()
	failure.Reach, failure.Refused = heloc.ReachAnswer, true
	return c.failure(failure, fault.Upstream, errors.New("error-level messages"))
}

// withoutEffect is the failure of a write whose 2xx response does not say what it should.
func (c call) withoutEffect(r *reply, cause string) *Failure {
	failure := r.said()
	failure.Reach, failure.Effect = heloc.ReachAnswer, heloc.EffectMissing
	return c.failure(failure, fault.Upstream, errors.New(cause))
}

// encode marshals a JSON body; do wipes it.
func encode(payload any) ([]byte, *fault.Error) {
	body, err := json.Marshal(payload)
	if err != nil {
		// A marshaler's error may quote the value.
		return nil, fault.New(fault.Internal, "Something went wrong on our side. Nothing was sent to the lender.")
	}
	return body, nil
}

// requestBlock names the acting originator (section 2.1). Async is a pointer so
// that it can be absent.
type requestBlock struct {
	Originator heloc.OriginatorID `json:"loanOriginatorUuid"`
	Async      *bool              `json:"async,omitempty"`
}

// requestBlock builds the request block of an operation. The live service requires async for
// every operation (interface-live.md section 2); the contract has it only in select-offer,
// where it must be true when there are accounts to pay off. True is valid for both.
func (c *Client) requestBlock(by heloc.OriginatorID, op heloc.Operation) (requestBlock, *fault.Error) {
	originator, err := heloc.ParseOriginatorID(string(by))
	if err != nil {
		return requestBlock{}, fault.New(fault.Invalid, "This needs a loan originator, and none is given.")
	}
	made := requestBlock{Originator: originator}
	if c.cfg.Dialect == Live || op == heloc.OpSelectOffer {
		made.Async = new(true)
	}
	return made, nil
}

// incomplete rejects an income that lacks what the live lender requires
// (interface-live.md section 2). The client does not invent values.
func (c *Client) incomplete(in heloc.Income) *fault.Error {
	if c.cfg.Dialect != Live || in.EmploymentType != "" && in.GrossAnnual != nil {
		return nil
	}
	return fault.New(fault.Invalid, "The lender requires employment and annual gross pay. Nothing was sent.")
}

// liens prepares lien rows for verify-liens. A lien that a user added has no id: the contract
// wants none, the live service a new one.
func (c *Client) liens(rows []heloc.LienInput) []heloc.LienInput {
	made := append([]heloc.LienInput{}, rows...)
	if c.cfg.Dialect == Live {
		for i := range made {
			if made[i].LienUUID == "" {
				made[i].LienUUID = uuid.NewString()
			}
		}
	}
	return made
}

// partnerData adds a start's operation id to the partner's own references, in the
// configured field.
func (c *Client) partnerData(given *heloc.PartnerData, reference string) *heloc.PartnerData {
	if reference == "" {
		return given
	}
	made := heloc.PartnerData{}
	if given != nil {
		made = *given
	}
	switch c.cfg.ReferenceField {
	case ReferenceID:
		made.ReferenceID = reference
	case ReferenceCustomer:
		made.CustomerID = reference
	default:
		made.AppID = reference
	}
	return &made
}

// nonNil makes sure that an empty list is written as [] rather than null.
func nonNil(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}
