package lead

import "hearthline/internal/heloc"

// Claim is what a single reading would take from a lead. Until a second reading says the same, it is only shown.
type Claim struct {
	Step       heloc.Step         `json:"step,omitempty"`       // a step that ends the inquiry, goes back, or is not known
	Originator heloc.OriginatorID `json:"originator,omitempty"` // the originator who would get the lead
	Ended      bool               `json:"ended,omitempty"`      // a date that ends the inquiry
	Reversed   bool               `json:"reversed,omitempty"`   // of a conversion, or of a funding
	Shorter    bool               `json:"shorter,omitempty"`    // a shorter status history than before
	Since      int64              `json:"since,omitempty"`      // when it was first read, in milliseconds
}

// Made reports whether there is a claim.
func (c Claim) Made() bool { return c != Claim{} }

// Same reports whether another reading makes the same claim.
func (c Claim) Same(other Claim) bool {
	c.Since, other.Since = 0, 0
	return c == other
}
