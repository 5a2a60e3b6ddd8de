package vault

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"

	"github.com/tink-crypto/tink-go/v2/prf"

	"hearthline/internal/heloc"
)

// digestBytes is the length of a digest before hex encoding.
const digestBytes = 32

// tokenBytes is the length of a search token, except that of a word of a name, which is one byte: many words share
// each value, so frequencies do not reveal the names (DECISIONS.md), and the portal decrypts the names of the
// leads that it finds and compares them.
const tokenBytes = 4

// Token returns the search token of a normalized word in one field of one broker company: an unsigned number of at most
// 32 bits, so that it fits a BIGINT column and compares the same in both databases. The same word has a
// different token in another company, so the table reveals nothing across companies.
//
// Use Token for values to store. It uses the current key; store that key's name (TokenKey) with the token.
// Use Tokens for lookups.
func (v *Vault) Token(company, field, normalized string) int64 {
	return tokenBy(v.tokens.keys[0], company, field, normalized)
}

// Tokens returns the tokens of a word under every key in the keyset: the current one first, then older keys,
// which rows may still use until they are re-encrypted.
func (v *Vault) Tokens(company, field, normalized string) []int64 {
	all := make([]int64, len(v.tokens.keys))
	for i, key := range v.tokens.keys {
		all[i] = tokenBy(key, company, field, normalized)
	}
	return all
}

// TokenKey returns the name of the key that Token uses, to be stored with the token. It reveals nothing about
// the key.
func (v *Vault) TokenKey() int64 { return v.tokens.currentID }

// Digest returns a keyed digest of a kind and parts, 64 hex digits. It makes it possible to compare contents without
// storing them, and nobody without the keys can test guesses against it. Each part is length-prefixed: ("ab",
// "c") and ("a", "bc") differ.
//
// Use Digest for values to store, with the current key (DigestKey), and Digests for lookups.
func (v *Vault) Digest(kind IndexKind, parts ...string) string {
	return digestBy(v.digests.keys[0], kind, parts)
}

// Digests returns the digests of a kind and parts under every key in the keyset, the current one first.
func (v *Vault) Digests(kind IndexKind, parts ...string) []string {
	all := make([]string, len(v.digests.keys))
	for i, key := range v.digests.keys {
		all[i] = digestBy(key, kind, parts)
	}
	return all
}

// DigestKey returns the name of the key that Digest uses, like TokenKey.
func (v *Vault) DigestKey() int64 { return v.digests.currentID }

// HasOlderKeys reports whether the keyset has older keys for values, tokens or digests, so that rows may
// still use them.
func (v *Vault) HasOlderKeys() bool { return v.hasOlderKeys }

func tokenBy(key prf.PRF, company, field, normalized string) int64 {
	out := mustCompute(key, frameParts("token/v1", company, field, normalized), tokenBytes)
	if field == heloc.TermName {
		return int64(out[0])
	}
	return int64(binary.BigEndian.Uint32(out))
}

func digestBy(key prf.PRF, kind IndexKind, parts []string) string {
	framed := frameParts("digest/v1", append([]string{string(kind)}, parts...)...)
	return hex.EncodeToString(mustCompute(key, framed, digestBytes))
}

// mustCompute runs a keyed function that was tested when the vault was opened and cannot fail for inputs of
// these lengths.
func mustCompute(f prf.PRF, input []byte, length uint32) []byte {
	out, err := f.ComputePRF(input, length)
	if err != nil {
		panic(fmt.Sprintf("vault: prf: %v", err))
	}
	return out
}
