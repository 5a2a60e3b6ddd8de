package lead

import "hearthline/internal/heloc"

// StartSnapshot is what a start stores for its future lead: the data that the lender does not return, in the
// borrower's own spelling.
type StartSnapshot struct {
	Name            heloc.Name    `json:"name"`
	Phone           string        `json:"phone"`
	Email           string        `json:"email"`
	Address         heloc.Address `json:"address"`
	RequestedAmount heloc.Money   `json:"requestedAmount"`
	References      []string      `json:"references,omitempty"`   // record ids of other systems
	DuplicateKey    DuplicateKey  `json:"duplicateKey,omitempty"` // for the blind index that finds duplicates
}
