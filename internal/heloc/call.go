package heloc

import "strings"

// CallResult is what is known about one call of a write: how far it got, and what the lender answered. The client
// reports it; the journal decides what it means for the operation.
type CallResult struct {
	Reach     Reach
	Status    int // the HTTP status; 0 without an answer
	RequestID string
	Messages  []Message // the lender's own
	Effect    Effect
	App       AppID // the application that the answer names, for a start
}

// Reach is how far a call got.
type Reach int

// The cases. ReachSent is the zero value, so that the default is the cautious assumption.
const (
	ReachSent    Reach = iota // a header block was sent, and no complete, readable answer arrived
	ReachNothing              // no complete header block was sent: the lender cannot have acted on it
	ReachAnswer               // an answer arrived. One with a 2xx status was read to its end
)

// Effect says whether an answer with a 2xx status states what the write did.
type Effect int

// The cases.
const (
	EffectUnstated Effect = iota // answers of this endpoint do not state it
	EffectStated                 // the answer names the new application or contains the estimate
	EffectMissing                // it should, and does not
)

// HasErrorMessage reports whether there is an error-level message. Levels are an open list
// (section 2.4), so it looks inside them for the usual words for "this did not happen".
func HasErrorMessage(messages []Message) bool {
	for _, m := range messages {
		level := strings.ToUpper(m.Level)
		for _, word := range []string{"ERR", "FATAL", "FAIL", "CRITICAL", "SEVERE"} {
			if strings.Contains(level, word) {
				return true
			}
		}
	}
	return false
}
