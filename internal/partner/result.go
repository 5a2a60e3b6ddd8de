package partner

import "hearthline/internal/heloc"

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
