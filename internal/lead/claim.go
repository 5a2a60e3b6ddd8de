package lead

import "hearthline/internal/heloc"

// Claim is what a single reading would remove from a lead. Until a second reading agrees, it is only displayed.
type Claim struct {
	// a step that ends the inquiry, is earlier than the last one, is unknown, or ends what a user has planned
	Step       heloc.Step         `json:"step,omitempty"`
	Originator heloc.OriginatorID `json:"originator,omitempty"` // the originator who would get the lead
	Ended      bool               `json:"ended,omitempty"`      // a date that ends the inquiry
	Reversed   bool               `json:"reversed,omitempty"`   // of a conversion, or of a funding
	Shorter    bool               `json:"shorter,omitempty"`    // a shorter status history than before
	Since      int64              `json:"since,omitempty"`      // when it was first read, in milliseconds
}

// Made reports whether the reading makes any claim.
func (c Claim) Made() bool { return c != Claim{} }

// Same reports whether another reading makes the same claim.
func (c Claim) Same(other Claim) bool {
	c.Since, other.Since = 0, 0
	return c == other
}
