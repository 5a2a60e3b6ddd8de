package lead

import (
	"time"
)

// DirectoryResult is the result of a search for originators.
type DirectoryResult struct {
	People       []Originator
	Total        int       // how many match; People holds the first of them
	SyncedAt     time.Time // when the lender last listed the most recently listed of them
	LenderAsked  bool      // nobody in the directory matched, so we searched at the lender by email
	LenderSilent bool      // and the lender did not respond
}
