package partner

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"maps"

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
