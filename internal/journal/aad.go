package journal

import (
	"hearthline/internal/heloc"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// What is sealed is bound to its row, so that nothing can be moved to another lead.

// NameAAD is where a lead's borrower name lies (heloc.Name).
func NameAAD(app heloc.AppID) vault.AAD {
	return vault.AAD{Table: "leads", Row: string(app), Column: "borrower"}
}

// PartAAD is where one part of a lead lies.
func PartAAD(app heloc.AppID, part store.Part) vault.AAD {
	return vault.AAD{Table: "lead_parts", Row: string(app), Column: string(part)}
}

// DraftAAD is where what was typed lies.
func DraftAAD(id string) vault.AAD {
	return vault.AAD{Table: "drafts", Row: id, Column: "sealed"}
}

// StartSnapshotAAD is where a draft keeps what its lead will need.
func StartSnapshotAAD(id string) vault.AAD {
	return vault.AAD{Table: "drafts", Row: id, Column: "newborn"}
}

// QuoteAAD is where a quote lies.
func QuoteAAD(id string) vault.AAD {
	return vault.AAD{Table: "quotes", Row: id, Column: "sealed"}
}

// QuoteRequestAAD is where what was asked with a quote lies.
func QuoteRequestAAD(id string) vault.AAD {
	return vault.AAD{Table: "quotes", Row: id, Column: "asked"}
}

// PlaceOfChoice is where what was chosen with an operation lies.
func PlaceOfChoice(opID string) vault.AAD {
	return vault.AAD{Table: "choices", Row: opID, Column: "sealed"}
}

// ChosenOffer is the part of a choice that says which offer was selected.
type ChosenOffer struct {
	Offer string `json:"offer,omitempty"`
}

// PartVersion is the version of the canonical JSON of parts. A part of another version
// counts as absent and is fetched anew.
const PartVersion = 1

// KnownDocument is a document and since when it has been seen, in milliseconds.
type KnownDocument struct {
	heloc.Document
	Since int64 `json:"since"`
}

// LastReading is what the latest look at a lead leaves to remember, beside what it brought.
// It is sealed as a part, because the lender's words may quote the borrower.
type LastReading struct {
	// Missing names what was known and came as null. The next reading that says the same
	// takes it away; until then the known value stays.
	Missing []string `json:"missing,omitempty"`
	// Since is when each of them was first missed, in milliseconds: two readings of the same
	// moment are not two witnesses.
	Since map[string]int64 `json:"since,omitempty"`
	// FailedAt is when the lender last answered without the lead, in milliseconds; zero
	// after a reading that succeeded.
	FailedAt int64 `json:"failedAt,omitempty"`
	// Said is what the lender said instead, bounded; it may be empty.
	Said string `json:"said,omitempty"`
}

// Empty reports whether there is nothing to remember.
func (l LastReading) Empty() bool { return len(l.Missing) == 0 && l.FailedAt == 0 && l.Said == "" }
