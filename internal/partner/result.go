package partner

import "hearthline/internal/heloc"

// Result is the answer to a question.
type Result[T any] struct {
	Value T
	// Messages may stand beside any answer and may carry warnings on a 200
	// (interface-live.md section 1). Bounded and redacted.
	Messages []heloc.Message
	// RequestID is the gateway's x-kong-request-id, for the log; it may be empty.
	RequestID string
	// Malformed names the fields whose ids are no UUIDs and were read as absent. It never
	// holds their values.
	Malformed []string `json:",omitempty"`
}

// WriteResult is what the lender says to a write that it took.
type WriteResult struct {
	Status    int
	Messages  []heloc.Message
	RequestID string
	// AppUUID is the new application; start only, and never empty there.
	AppUUID heloc.AppID
}

// OriginatorPage is one page of the directory (section 4.21).
type OriginatorPage struct {
	Originators []heloc.Originator // the usable ones: each has an id and all that section 2.4 requires
	Rows        int                // records in this page, usable or not
	Total       int                // records that match
}
