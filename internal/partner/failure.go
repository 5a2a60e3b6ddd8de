package partner

import (
	"errors"
	"fmt"
	"time"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
)

// Delivery says whether a request that failed can have had an effect.
type Delivery int

// The three cases. Unknown is the zero value, so that nothing is mistaken for less.
const (
	DeliveryUnknown  Delivery = iota // it may have been acted upon
	DeliveryNotSent                  // no complete header block left us: certainly not
	DeliveryRejected                 // the lender said no: certainly not
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

// Failure is the error of every method. It unwraps to a fault.Error, whose kind is
// NotFound for 404; Unavailable for 408, 429, 5xx, time-outs, lost connections and
// an open breaker; Invalid for what we would not send; Upstream for every other
// refusal and for an answer that makes no sense; Internal for our own defects.
//
// DeliveryRejected is every 3xx and 4xx but 408, and a 2xx that carries an error-level
// message (of a start: one without an appUuid besides). NotSentNotice is what failed before the
// header block was written. All else is Unknown.
type Failure struct {
	Endpoint  string // the interface's own word, such as "select-offer"
	Status    int    // 0 when no answer came
	Messages  []heloc.Message
	RequestID string
	Delivery  Delivery

	err        *fault.Error
	retryAfter time.Duration
	permanent  bool // our own doing: trying again would end the same
}

// Error is for the log: it holds none of the lender's words, which may quote a borrower.
func (f *Failure) Error() string {
	text := fmt.Sprintf("partner: %s: %s: %s (%s)", f.Endpoint, f.err.Kind, f.reasonText(), f.Delivery)
	if f.RequestID != "" {
		text += fmt.Sprintf(", request %q", f.RequestID)
	}
	return text
}

// reasonText is the cause, or our own sentence about what we would not send.
func (f *Failure) reasonText() string {
	if f.err.Err == nil {
		return f.err.Public
	}
	return f.err.Err.Error()
}

// Unwrap gives the fault.Error with its kind and public sentence.
func (f *Failure) Unwrap() error { return f.err }

// Verdict is what the journal writes down about a write.
type Verdict string

// The verdicts.
const (
	VerdictSucceeded Verdict = "succeeded"
	VerdictRejected  Verdict = "rejected"
	VerdictNotSent   Verdict = "not_sent"
	VerdictUnknown   Verdict = "unknown"
)

// VerdictOf judges the error of a write. An error that is no Failure is unknown.
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

// failure completes a failure of this call: its name, kind, sentence and cause.
func (c call) failure(f Failure, kind fault.Kind, cause error) *Failure {
	f.Endpoint = c.endpoint
	f.permanent = kind == fault.Invalid || kind == fault.Internal
	f.err = fault.Wrap(kind, c.publicMessage(f, kind), cause)
	return &f
}

// notSent is a request that we would not send, with a sentence of its own.
func (c call) notSent(err *fault.Error) *Failure {
	return &Failure{Endpoint: c.endpoint, Delivery: DeliveryNotSent, err: err, permanent: true}
}
