package partner

import (
	"errors"
	"fmt"
	"time"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
)

// Reached says whether a request that failed can have had an effect.
type Reached int

// The three cases. Unknown is the zero value, so that nothing is mistaken for less.
const (
	Unknown Reached = iota // it may have been acted upon
	NotSent                // no complete header block left us: certainly not
	Refused                // the lender said no: certainly not
)

func (r Reached) String() string {
	switch r {
	case NotSent:
		return "not sent"
	case Refused:
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
// Refused is every 3xx and 4xx but 408, and a 2xx that carries an error-level
// message (of a start: one without an appUuid besides). NotSent is what failed before the
// header block was written. All else is Unknown.
type Failure struct {
	Endpoint  string // the interface's own word, such as "select-offer"
	Status    int    // 0 when no answer came
	Messages  []heloc.Message
	RequestID string
	Reached   Reached

	err        *fault.Error
	retryAfter time.Duration
	final      bool // our own doing: trying again would end the same
}

// Error is for the log: it holds none of the lender's words, which may quote a borrower.
func (f *Failure) Error() string {
	text := fmt.Sprintf("partner: %s: %s: %s (%s)", f.Endpoint, f.err.Kind, f.reason(), f.Reached)
	if f.RequestID != "" {
		text += fmt.Sprintf(", request %q", f.RequestID)
	}
	return text
}

// reason is the cause, or our own sentence about what we would not send.
func (f *Failure) reason() string {
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
	case ok && failure.Reached == NotSent:
		return VerdictNotSent
	case ok && failure.Reached == Refused:
		return VerdictRejected
	default:
		return VerdictUnknown
	}
}

// fail completes a failure of this call: its name, kind, sentence and cause.
func (c call) fail(f Failure, kind fault.Kind, cause error) *Failure {
	f.Endpoint = c.endpoint
	f.final = kind == fault.Invalid || kind == fault.Internal
	f.err = fault.Wrap(kind, c.sentence(f, kind), cause)
	return &f
}

// unsent is a request that we would not send, with a sentence of its own.
func (c call) unsent(err *fault.Error) *Failure {
	return &Failure{Endpoint: c.endpoint, Reached: NotSent, err: err, final: true}
}
