package journal

import (
	"strings"

	"hearthline/internal/heloc"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// BlindIndexes are what a lead is found by without being opened: keyed, within a company, and
// only ever compared. What is kept is made by the present key and says so; what is looked
// for is made by every key, because a lead may not have been renewed yet.

// StoredTokens are the search tokens of terms, to keep.
func StoredTokens(v *vault.Vault, company string, terms []heloc.Term) store.Tokens {
	tokens := store.Tokens{KeyID: v.TokenKey(), Values: make([]int64, len(terms))}
	for i, t := range terms {
		tokens.Values[i] = v.Token(company, t.Field, t.Text)
	}
	return tokens
}

// SearchTokens are the search tokens of terms, to look for: of each term those that the keys
// make of it.
func SearchTokens(v *vault.Vault, company string, terms []heloc.Term) [][]int64 {
	sought := make([][]int64, len(terms))
	for i, t := range terms {
		sought[i] = v.Tokens(company, t.Field, t.Text)
	}
	return sought
}

// DuplicateKey is what two inquiries for the same borrower and property have in common: company,
// name, birth date, street and ZIP. It is empty when something is missing.
type DuplicateKey []string

// DuplicateKeyOf reads it from an inquiry.
func DuplicateKeyOf(company string, in heloc.Inquiry) DuplicateKey {
	a := in.Applicant
	who, where := heloc.FoldForSearch(a.Name.First+" "+a.Name.Last), heloc.FoldForSearch(in.Property.Address.Street1+" "+in.Property.Address.ZIP)
	if strings.TrimSpace(who) == "" || a.DateOfBirth == "" || strings.TrimSpace(where) == "" {
		return nil
	}
	return DuplicateKey{company, who, string(a.DateOfBirth), where}
}

// BlindIndexes are the marks of a twin by every key, the present one's first; none of an empty one.
func (t DuplicateKey) BlindIndexes(v *vault.Vault) []string {
	if len(t) == 0 {
		return nil
	}
	return v.Digests(append([]string{"duplicate"}, t...)...)
}

// BlindIndex is the mark to keep, by the present key; empty for an empty twin.
func (t DuplicateKey) BlindIndex(v *vault.Vault) string {
	if marks := t.BlindIndexes(v); len(marks) > 0 {
		return marks[0]
	}
	return ""
}

// References are the marks of ids of records in other systems, to keep; empty ids have none.
func References(v *vault.Vault, company string, ids ...string) store.References {
	refs := store.References{KeyID: v.DigestKey()}
	for _, id := range ids {
		if strings.TrimSpace(id) != "" {
			refs.BlindIndexes = append(refs.BlindIndexes, ReferenceIndexes(v, company, id)[0])
		}
	}
	return refs
}

// CRMRecord is a record of a client as marks are made of it.
type CRMRecord struct {
	Client string
	Type   string // in small letters; "" where the client names none
	ID     string
}

// BlindIndexes are the marks of a record by every key, the present one's first: by them its leads
// are found. A record of another client or another type with the same id has others.
func (r CRMRecord) BlindIndexes(v *vault.Vault, company string) []string {
	parts := []string{"record", company, r.Client}
	if r.Type != "" {
		parts = append(parts, r.Type)
	}
	return v.Digests(append(parts, strings.TrimSpace(r.ID))...)
}

// ReferenceIndexes are the marks of one id by every key, the present one's first: by them
// leads are found that carry an id of another system, whichever that is, within a company.
func ReferenceIndexes(v *vault.Vault, company, id string) []string {
	return v.Digests("reference", company, strings.TrimSpace(id))
}

// NoticeDedupKeys are the marks of what happened to a lead, for notifications, by every key, the
// present one's first.
func NoticeDedupKeys(v *vault.Vault, parts ...string) []string {
	facts := v.Digests(append([]string{"notice"}, parts...)...)
	for i := range facts {
		facts[i] = facts[i][:32]
	}
	return facts
}
