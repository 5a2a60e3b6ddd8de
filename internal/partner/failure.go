package partner

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/textproto"
	"strings"
	"time"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
)

// Failure is the error of every method. It unwraps to a fault.Error with one of these kinds:
// NotFound for 404; Unavailable for 408, 429, 5xx, timeouts, lost connections and an open
// breaker; Invalid for what we would not send; Upstream for every other rejection and for a
// response that makes no sense; Internal for our own defects.
//
// Reach says how far the request got, for the journal. Refused is for everything else: retries, the breaker, reads and
// what users read.
type Failure struct {
	Endpoint  string // the interface's name for it, such as "select-offer"
	Status    int    // 0 when there was no response
	Messages  []heloc.Message
	RequestID string
	Reach     heloc.Reach
	Effect    heloc.Effect // of an answer with a 2xx status

	// Refused reports that the lender answered that it does not do this: a 3xx or 4xx except 408, an endpoint that it
	// does not have, or a 2xx with error-level messages and nothing else.
	Refused bool

	err        *fault.Error
	retryAfter time.Duration
	permanent  bool // our own error, or a response that is no file: trying again would have the same result
}

// Error is for the log: it omits the lender's messages, which may quote borrower data.
func (f *Failure) Error() string {
	text := fmt.Sprintf("partner: %s: %s: %s (%s)", f.Endpoint, f.err.Kind, f.reasonText(), f.effectText())
	if f.RequestID != "" {
		text += fmt.Sprintf(", request %q", f.RequestID)
	}
	return text
}

// reasonText is the cause, or our own explanation of what we would not send.
func (f *Failure) reasonText() string {
	if f.err.Err == nil {
		return f.err.Public
	}
	return f.err.Err.Error()
}

// Unwrap returns the fault.Error with its kind and public message.
func (f *Failure) Unwrap() error { return f.err }

// effectText says for the log whether the request may have had an effect.
func (f *Failure) effectText() string {
	switch {
	case f.Reach == heloc.ReachNothing:
		return "not sent"
	case f.Refused:
		return "refused"
	default:
		return "unknown"
	}
}

// ResultOf reports how far a write got. It decides nothing: of an error that is not a Failure, it reports only that
// something may have been sent.
func ResultOf(a WriteResult, err error) heloc.CallResult {
	if err == nil {
		return heloc.CallResult{Reach: heloc.ReachAnswer, Status: a.Status, RequestID: a.RequestID, Messages: a.Messages,
			Effect: a.Effect, App: a.AppUUID}
	}
	failure, ok := errors.AsType[*Failure](err)
	if !ok {
		return heloc.CallResult{Reach: heloc.ReachSent}
	}
	return heloc.CallResult{Reach: failure.Reach, Status: failure.Status, RequestID: failure.RequestID,
		Messages: failure.Messages, Effect: failure.Effect}
}

// failure completes a Failure of this call with its name, kind, public message and cause.
func (c call) failure(f Failure, kind fault.Kind, cause error) *Failure {
	f.Endpoint = c.endpoint
	f.permanent = kind == fault.Invalid || kind == fault.Internal
	f.err = fault.Wrap(kind, c.publicMessage(f, kind), cause)
	return &f
}

// notSent returns the Failure of a request that we would not send, with its own public message.
func (c call) notSent(err *fault.Error) *Failure {
	return &Failure{Endpoint: c.endpoint, Reach: heloc.ReachNothing, err: err, permanent: true}
}

// errTimeout is the cause of a call that took longer than Config.Timeout.
var errTimeout = errors.New("the lender took too long")

// causeOf distinguishes timeouts and canceled calls from other errors. It omits what errors of
// net/http quote: the URL, which contains the application's id, and pieces of a response that
// could not be parsed.
func causeOf(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	if op, ok := errors.AsType[*net.OpError](err); ok {
		return fmt.Errorf("%s: %w", op.Op, op.Err)
	}
	return redactedError{err}
}

// redactedError contains the innermost text of an error chain up to its first quotation mark.
// It supports errors.Is but cannot be unwrapped, because a logger that walks the chain
// would print the rest.
type redactedError struct{ err error }

func (r redactedError) Error() string {
	if _, ok := errors.AsType[textproto.ProtocolError](r.err); ok {
		return "malformed header" // the only error that quotes without quotation marks
	}
	inner := r.err
	for next := errors.Unwrap(inner); next != nil; next = errors.Unwrap(inner) {
		inner = next
	}
	text, _, _ := strings.Cut(inner.Error(), `"`)
	return truncate(strings.TrimSpace(strings.ToValidUTF8(text, "?")), 200)
}

// Is reports whether the redacted error matches target.
func (r redactedError) Is(target error) bool { return errors.Is(r.err, target) }
