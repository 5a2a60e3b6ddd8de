package journal

import "hearthline/internal/lead"

// ChosenOffer is the part of a choice that names the selected offer.
type ChosenOffer struct {
	Offer string `json:"offer,omitempty"`
}

// PartVersion is the version of the canonical JSON of parts. A part of another version counts as absent and is
// fetched again.
const PartVersion = 1

// LastReading is what we remember about the latest reading of a lead besides its data. It is encrypted as a part,
// because the lender's messages may quote the borrower.
type LastReading struct {
	// Missing names the known values that came as null. If they are null in a later reading too, they are removed;
	// until then, the known values stay.
	Missing []string `json:"missing,omitempty"`
	// Since is when each of them was first missed, in milliseconds. Two readings within seconds count as one.
	Since map[string]int64 `json:"since,omitempty"`
	// FailedAt is when the lender last responded without the lead, in milliseconds; zero after a successful reading.
	FailedAt int64 `json:"failedAt,omitempty"`
	// Said is the start of the lender's message in that response; it may be empty.
	Said string `json:"said,omitempty"`
	// Claim is what the latest reading would remove from the lead, until a second reading confirms it.
	Claim lead.Claim `json:"claim,omitzero"`
}

// Noticed reports whether the page of the lead has a notice about the reading.
func (l LastReading) Noticed() bool { return l.FailedAt != 0 || l.Said != "" || l.Claim.Made() }

// Empty reports whether there is nothing to remember.
func (l LastReading) Empty() bool { return len(l.Missing) == 0 && !l.Noticed() }
