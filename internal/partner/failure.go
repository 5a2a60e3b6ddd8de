package partner

import (
	"errors"
	"fmt"
	"time"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
)

// Delivery is whether a request that failed may have had an effect.
type Delivery int

// The three cases. DeliveryUnknown is the zero value, so the default is the safe assumption.
const (
	DeliveryUnknown  Delivery = iota // it may have had an effect
	DeliveryNotSent                  // no complete header block was sent: it had no effect
	DeliveryRejected                 // the lender rejected it: it had no effect
)

func (r Delivery) String() string {
	switch r {
	case DeliveryNotSent:
		return "not sent"
	case DeliveryRejected:
		return "refused"
	default:
		return "unknown"
	}
}

// Failure is the error of every method. It unwraps to a fault.Error with one of these kinds:
// NotFound for 404; Unavailable for 408, 429, 5xx, timeouts, lost connections and an open
// breaker; Invalid for what we would not send; Upstream for every other rejection and for a
// response that makes no sense; Internal for our own defects.
//
// DeliveryRejected covers every 3xx and 4xx except 408, and a 2xx that contains an error-level
// message (for a start, only one without an appUuid). DeliveryNotSent covers what failed
// before the header block was written. Everything else is DeliveryUnknown.
type Failure struct {
	Endpoint  string // the interface's name for it, such as "select-offer"
	Status    int    // 0 when there was no response
	Messages  []heloc.Message
	RequestID string
	Delivery  Delivery

	err        *fault.Error
	retryAfter time.Duration
	permanent  bool // our own error: trying again would have the same result
}

// Error is for the log: it omits the lender's messages, which may quote borrower data.
func (f *Failure) Error() string {
	text := fmt.Sprintf("partner: %s: %s: %s (%s)", f.Endpoint, f.err.Kind, f.reasonText(), f.Delivery)
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

// Verdict is the outcome of a write that the journal records.
type Verdict string

// The verdicts.
const (
	VerdictSucceeded Verdict = "succeeded"
	VerdictRejected  Verdict = "rejected"
	VerdictNotSent   Verdict = "not_sent"
	VerdictUnknown   Verdict = "unknown"
)

// VerdictOf classifies the error of a write. An error that is not a Failure means unknown.
func VerdictOf(err error) Verdict {
	if err == nil {
		return VerdictSucceeded
	}
	failure, ok := errors.AsType[*Failure](err)
	switch {
	case ok && failure.Delivery == DeliveryNotSent:
		return VerdictNotSent
	case ok && failure.Delivery == DeliveryRejected:
		return VerdictRejected
	default:
		return VerdictUnknown
	}
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
	return &Failure{Endpoint: c.endpoint, Delivery: DeliveryNotSent, err: err, permanent: true}
}
