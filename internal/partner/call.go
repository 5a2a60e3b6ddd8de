package partner

import (
	"cmp"
	"context"
	"errors"
	"net/url"
	"strings"
	"time"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/trace"
)

// callClass groups endpoints that share a breaker and a retry policy.
type callClass int

const (
	classRead       callClass = iota // reads and queries, also those sent with POST: retried
	classWrite                       // changes something: never retried
	classDownload                    // document downloads: no total timeout
	classPrequalify                  // pre-qualification: never retried; a different service, so a separate breaker
)

// call is one request of the interface; it may take several tries. callTo begins it.
type call struct {
	endpoint          string // the interface's name for it, for users and metrics
	class             callClass
	method            string
	path              string       // below the base address, escaped
	query             string       // encoded
	body              []byte       // JSON; do wipes it
	withoutKey        bool         // pre-qualification goes without the key
	encryptedResponse bool         // ask for an encrypted answer
	skipDecrypt       bool         // the answer's JWE is not for us to open (encrypt)
	optional          bool         // a lender may lack the endpoint, and says so by 404, 405 or 501
	app               heloc.AppID  // that it is about; empty for none
	invalid           *fault.Error // why it is not sent; nil if it is
	sent              *int         // how many requests were sent; set by do
}

// callTo begins a call of the endpoint with a name.
func callTo(name string) call {
	for _, e := range Endpoints() {
		if e.Name == name {
			return call{endpoint: e.Name, class: e.class, method: e.Method, path: e.Path, withoutKey: e.class == classPrequalify}
		}
	}
	panic("partner: there is no endpoint " + name)
}

// of completes the path of a call about an application, and accepts only a UUID.
func (c call) of(app heloc.AppID) call {
	id, err := heloc.ParseAppID(string(app))
	if err != nil {
		c.invalid = cmp.Or(c.invalid, fault.New(fault.NotFound, "This isn’t a valid application ID."))
	}
	c.app, c.path = id, strings.Replace(c.path, "{appUuid}", string(id), 1)
	return c
}

// with adds a JSON body; do wipes it.
func (c call) with(payload any) call {
	body, err := encode(payload)
	c.body, c.invalid = body, cmp.Or(c.invalid, err)
	return c
}

// ask sends a query and reads its answer.
func ask[T any](ctx context.Context, c *Client, q call, read func(*reply) (T, error)) (Result[T], error) {
	got, err := c.do(ctx, q)
	if err != nil {
		return Result[T]{}, err
	}
	value, err := read(got)
	if err != nil {
		return Result[T]{}, err
	}
	return Result[T]{Value: value, Messages: got.messages, RequestID: got.requestID}, nil
}

func (c call) retryable() bool { return c.class == classRead || c.class == classDownload }

// do executes every request. It limits the call's duration, retries what may be retried, and
// returns a reply with a 2xx status or a *Failure.
func (c *Client) do(ctx context.Context, call call) (*reply, error) {
	defer clear(call.body)
	if call.invalid != nil {
		return nil, call.notSent(call.invalid)
	}
	ctx, span := trace.StartCall(ctx, call.endpoint)
	defer span.End()
	call.sent = new(int)
	if call.class != classDownload {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, c.cfg.Timeout, errTimeout)
		defer cancel()
	}
	for try := 1; ; try++ {
		got, err := c.doOnce(ctx, call)
		if err == nil {
			return got, nil
		}
		failure, ok := errors.AsType[*Failure](err)
		if !ok { // doOnce returns no other error
			return nil, err
		}
		pause, retry := retryDelay(try, failure)
		if !call.retryable() || !retry || !sleepContext(ctx, pause) {
			span.Fail(fault.KindOf(failure).String())
			return nil, failure
		}
	}
}

// doOnce makes one try, subject to the rate limit and to the breaker of its class.
func (c *Client) doOnce(ctx context.Context, call call) (*reply, error) {
	if failure := c.waitForRate(ctx, call); failure != nil {
		return nil, failure
	}
	got, err := c.breakers[call.class].Execute(func() (*reply, error) { return c.sendWithKeys(ctx, call) })
	if err == nil {
		return got, nil
	}
	if failure, ok := errors.AsType[*Failure](err); ok {
		return nil, failure
	}
	// The breaker rejected the call: nothing was sent.
	return nil, call.failure(Failure{Reach: heloc.ReachNothing}, fault.Unavailable, err)
}

// sleepContext waits and reports whether the context allows another try.
func sleepContext(ctx context.Context, pause time.Duration) bool {
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) <= pause {
		return false
	}
	select {
	case <-ctx.Done():
		return false
	case <-time.After(pause):
		return true
	}
}

// joinIDs joins ids with literal commas, as sections 4.3 and 4.8 require.
func joinIDs(ids []string) string {
	text := ""
	for i, id := range ids {
		if i > 0 {
			text += ","
		}
		text += url.QueryEscape(id)
	}
	return text
}

// Result is the response to a query.
type Result[T any] struct {
	Value T
	// Messages can come with any response and may contain warnings on a 200
	// (interface-live.md section 1). They are bounded and redacted.
	Messages []heloc.Message
	// RequestID is the gateway's x-kong-request-id, for the log; it may be empty.
	RequestID string
	// Malformed lists the fields whose ids are not UUIDs and were treated as absent. It never
	// contains their values.
	Malformed []string `json:",omitempty"`
}

// WriteResult is the lender's response to an accepted write.
type WriteResult struct {
	Status    int
	Messages  []heloc.Message
	RequestID string
	Effect    heloc.Effect `json:"-"` // whether the response states what the write did
	// AppUUID is the new application; set only by Start, and never empty there.
	AppUUID heloc.AppID
}

// OriginatorPage is one page of the directory (section 4.21).
type OriginatorPage struct {
	Originators []heloc.Originator // the usable ones: each has an id and everything that section 2.4 requires
	Rows        int                // records in this page, usable or not
	Total       int                // records that match
}
