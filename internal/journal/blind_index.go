package journal

import (
	"strings"

	"hearthline/internal/heloc"
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

// References returns the blind indexes of record ids of other systems for storage. It skips empty ids.
func References(v *vault.Vault, company string, ids ...string) store.References {
	refs := store.References{KeyID: v.DigestKey()}
	for _, id := range ids {
		if strings.TrimSpace(id) != "" {
			refs.BlindIndexes = append(refs.BlindIndexes, v.ReferenceIndexes(company, id)[0])
		}
	}
	return refs
}
