package journal

import (
	"strings"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// Blind indexes find rows without decrypting them: they are keyed, valid within a company, and only compared. The
// stored ones are made with the current key and record its id. A search uses every key, because a lead may not have
// been reencrypted yet.

// StoredTokens returns the search tokens of terms for storage.
func StoredTokens(v *vault.Vault, company string, terms []heloc.Term) store.Tokens {
	tokens := store.Tokens{KeyID: v.TokenKey(), Values: make([]int64, len(terms))}
	for i, t := range terms {
		tokens.Values[i] = v.Token(company, t.Field, t.Text)
	}
	return tokens
}

// SearchTokens returns the search tokens of terms for a search: for each term, one per key.
func SearchTokens(v *vault.Vault, company string, terms []heloc.Term) [][]int64 {
	tokens := make([][]int64, len(terms))
	for i, t := range terms {
		tokens[i] = v.Tokens(company, t.Field, t.Text)
	}
	return tokens
}

// DuplicateIndexes returns the blind indexes of a duplicate key under every encryption key, the current one first; nil
// for an empty one.
func DuplicateIndexes(v *vault.Vault, key lead.DuplicateKey) []string {
	if len(key) == 0 {
		return nil
	}
	return v.Digests(append([]string{"duplicate"}, key...)...)
}

// DuplicateIndex returns the blind index to store, under the current key; empty for an empty DuplicateKey.
func DuplicateIndex(v *vault.Vault, key lead.DuplicateKey) string {
	if indexes := DuplicateIndexes(v, key); len(indexes) > 0 {
		return indexes[0]
	}
	return ""
}

// References returns the blind indexes of record ids of other systems for storage. It skips empty ids.
func References(v *vault.Vault, company string, ids ...string) store.References {
	refs := store.References{KeyID: v.DigestKey()}
	for _, id := range ids {
		if strings.TrimSpace(id) != "" {
			refs.BlindIndexes = append(refs.BlindIndexes, ReferenceIndexes(v, company, id)[0])
		}
	}
	return refs
}

// CRMRecord is a CRM's record, from which blind indexes are made.
type CRMRecord struct {
	Client string
	Type   string // in lower case; "" if the client gives none
	ID     string
}

// BlindIndexes returns the blind indexes of the record under every key, the current one first. They find the record's
// leads. A record with the same id but another client or type has other indexes.
func (r CRMRecord) BlindIndexes(v *vault.Vault, company string) []string {
	parts := []string{"record", company, r.Client}
	if r.Type != "" {
		parts = append(parts, r.Type)
	}
	return v.Digests(append(parts, strings.TrimSpace(r.ID))...)
}

// ReferenceIndexes returns the blind indexes of one id under every key, the current one first. They find the leads of
// a company that have this id of another system as a reference, whichever system that is.
func ReferenceIndexes(v *vault.Vault, company, id string) []string {
	return v.Digests("reference", company, strings.TrimSpace(id))
}

// NoticeDedupKeys returns the keys that identify a notification about an event, under every encryption key, the
// current one first.
func NoticeDedupKeys(v *vault.Vault, parts ...string) []string {
	keys := v.Digests(append([]string{"notice"}, parts...)...)
	for i := range keys {
		keys[i] = keys[i][:32]
	}
	return keys
}
