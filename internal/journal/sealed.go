package journal

import (
	"strings"

	"hearthline/internal/heloc"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// What is sealed is bound to its row, so that nothing can be moved to another lead.

// PlaceOfName is where a lead's borrower name lies (heloc.Name).
func PlaceOfName(app heloc.AppID) vault.Place {
	return vault.Place{Table: "leads", Row: string(app), Column: "borrower"}
}

// PlaceOfPart is where one part of a lead lies.
func PlaceOfPart(app heloc.AppID, part store.Part) vault.Place {
	return vault.Place{Table: "lead_parts", Row: string(app), Column: string(part)}
}

// PlaceOfDraft is where what was typed lies.
func PlaceOfDraft(id string) vault.Place {
	return vault.Place{Table: "drafts", Row: id, Column: "sealed"}
}

// PlaceOfNewborn is where a draft keeps what its lead will need.
func PlaceOfNewborn(id string) vault.Place {
	return vault.Place{Table: "drafts", Row: id, Column: "newborn"}
}

// PlaceOfQuote is where a quote lies.
func PlaceOfQuote(id string) vault.Place {
	return vault.Place{Table: "quotes", Row: id, Column: "sealed"}
}

// PlaceOfQuestion is where what was asked with a quote lies.
func PlaceOfQuestion(id string) vault.Place {
	return vault.Place{Table: "quotes", Row: id, Column: "asked"}
}

// Tokens are the search tokens of terms within a company.
func Tokens(v *vault.Vault, company string, terms []heloc.Term) []int64 {
	tokens := make([]int64, len(terms))
	for i, t := range terms {
		tokens[i] = v.Token(company, t.Field, t.Text)
	}
	return tokens
}

// DuplicateKey is the keyed digest by which two inquiries for the same borrower and
// property are told; empty when something is missing.
func DuplicateKey(v *vault.Vault, company string, in heloc.Inquiry) string {
	a := in.Applicant
	who, where := heloc.Folded(a.Name.First+" "+a.Name.Last), heloc.Folded(in.Property.Address.Street1+" "+in.Property.Address.ZIP)
	if strings.TrimSpace(who) == "" || a.DateOfBirth == "" || strings.TrimSpace(where) == "" {
		return ""
	}
	return v.Digest("duplicate", company, who, string(a.DateOfBirth), where)
}

// PartVersion is the version of the canonical JSON of parts. A part of another version
// counts as absent and is fetched anew.
const PartVersion = 1

// KnownDocument is a document and since when it has been seen, in milliseconds.
type KnownDocument struct {
	heloc.Document
	Since int64 `json:"since"`
}

// ReferenceMarks are the marks of several ids, without the empty ones.
func ReferenceMarks(v *vault.Vault, company string, ids ...string) []string {
	var marks []string
	for _, id := range ids {
		if strings.TrimSpace(id) != "" {
			marks = append(marks, ReferenceMark(v, company, id))
		}
	}
	return marks
}

// RecordMark is the keyed digest by which the leads of a client's record are found. Another
// client's record of the same id has another.
func RecordMark(v *vault.Vault, company, client, id string) string {
	return v.Digest("record", company, client, strings.TrimSpace(id))
}

// ReferenceMark is the keyed digest by which leads are found that carry an id of another
// system, whichever that is, within a company.
func ReferenceMark(v *vault.Vault, company, id string) string {
	return v.Digest("reference", company, strings.TrimSpace(id))
}
