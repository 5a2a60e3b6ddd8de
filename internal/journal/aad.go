package journal

import (
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/vault"
)

// Encrypted values are bound to their rows, so that none can be moved to another lead.

// NameAAD is the associated data of a lead's borrower name (heloc.Name).
func NameAAD(app heloc.AppID) vault.AAD {
	return vault.AAD{Table: "leads", Row: string(app), Column: "borrower"}
}

// PartAAD is the associated data of one part of a lead.
func PartAAD(app heloc.AppID, part lead.Part) vault.AAD {
	return vault.AAD{Table: "lead_parts", Row: string(app), Column: string(part)}
}

// DraftAAD is the associated data of a draft's form values.
func DraftAAD(id string) vault.AAD {
	return vault.AAD{Table: "drafts", Row: id, Column: "sealed"}
}

// StartSnapshotAAD is the associated data of a draft's StartSnapshots.
func StartSnapshotAAD(id string) vault.AAD {
	return vault.AAD{Table: "drafts", Row: id, Column: "newborn"}
}

// QuoteAAD is the associated data of a quote's answer.
func QuoteAAD(id string) vault.AAD {
	return vault.AAD{Table: "quotes", Row: id, Column: "sealed"}
}

// QuoteRequestAAD is the associated data of a quote's request.
func QuoteRequestAAD(id string) vault.AAD {
	return vault.AAD{Table: "quotes", Row: id, Column: "asked"}
}

// PlaceOfChoice is the associated data of the choice that an operation sent.
func PlaceOfChoice(opID string) vault.AAD {
	return vault.AAD{Table: "choices", Row: opID, Column: "sealed"}
}

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
}

// Empty reports whether there is nothing to remember.
func (l LastReading) Empty() bool { return len(l.Missing) == 0 && l.FailedAt == 0 && l.Said == "" }
