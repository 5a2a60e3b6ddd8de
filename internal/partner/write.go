package partner

import (
	"context"
	"encoding/json"
	"errors"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
)

const inquiries = "/products/heloc/v1/inquiry/"

// change is a write on one application with a request block.
type change struct {
	operation heloc.Operation // also the end of the path
	method    string
	app       heloc.AppID
	by        heloc.OriginatorID
	payload   map[string]any // beside the request block
}

// change sends a write whose path is the operation's own word.
func (c *Client) change(ctx context.Context, w change) (Answer, error) {
	call := call{endpoint: string(w.operation), class: writing, method: w.method}
	app, err := pathID(w.app)
	if err != nil {
		return Answer{}, call.unsent(err)
	}
	call.path = inquiries + app + "/" + string(w.operation)
	block, err := c.block(w.by, w.operation)
	if err != nil {
		return Answer{}, call.unsent(err)
	}
	payload := map[string]any{"request": block}
	for name, value := range w.payload {
		payload[name] = value
	}
	if call.body, err = encode(payload); err != nil {
		return Answer{}, call.unsent(err)
	}
	return c.write(ctx, call)
}

// write sends a write once and judges its answer: with a 2xx and an error-level
// message the lender says that it did not do it.
func (c *Client) write(ctx context.Context, call call) (Answer, error) {
	got, err := c.do(ctx, call)
	if err != nil {
		return Answer{}, err
	}
	if refusedIn(got.messages) {
		return Answer{}, call.refusedBy(got)
	}
	return got.answer(), nil
}

func (r *reply) answer() Answer {
	return Answer{Status: r.status, Messages: r.messages, RequestID: r.requestID}
}

// refusedBy is a refusal that came with a good status.
func (c call) refusedBy(r *reply) *Failure {
	said := Failure{Status: r.status, Messages: r.messages, RequestID: r.requestID, Reached: Refused}
	return c.fail(said, fault.Upstream, errors.New("error-level messages"))
}

// pathID writes an application's id into a path, where nothing but a UUID may stand.
func pathID(app heloc.AppID) (string, *fault.Error) {
	id, err := heloc.ParseAppID(string(app))
	if err != nil {
		return "", fault.New(fault.NotFound, "This is not the number of an application.")
	}
	return string(id), nil
}

// encode writes a JSON body, for do to wipe.
func encode(payload any) ([]byte, *fault.Error) {
	body, err := json.Marshal(payload)
	if err != nil {
		// The error of a marshaller may quote the value.
		return nil, fault.New(fault.Internal, "Something is wrong on our side, so nothing was sent to the lender.")
	}
	return body, nil
}
