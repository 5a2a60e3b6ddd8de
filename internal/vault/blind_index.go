package vault

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"

	"github.com/tink-crypto/tink-go/v2/prf"
)

// digestBytes is the length of a digest before it is written in hex.
const digestBytes = 32

// tokenBytes is the length of a search token. Collisions among 32 bits are
// wanted: candidates are opened and compared, and a thief of the table cannot
// be sure of any single match.
const tokenBytes = 4

// Token is the search token of a normalised word in one field of one broker
// company: an unsigned 32-bit number, so that it fits a BIGINT column and
// compares the same in both databases. The same word has another token in
// another company, so the table tells nothing across the wall.
//
// Token is for what is kept, by the present key, whose name (TokenKey) is kept beside
// it; Tokens is for what is looked for.
func (v *Vault) Token(company, field, normalised string) int64 {
	return tokenBy(v.tokens.keys[0], company, field, normalised)
}

// Tokens are the tokens of a word by every key that is kept: the present one's first, then
// those that something not yet renewed may have.
func (v *Vault) Tokens(company, field, normalised string) []int64 {
	all := make([]int64, len(v.tokens.keys))
	for i, key := range v.tokens.keys {
		all[i] = tokenBy(key, company, field, normalised)
	}
	return all
}

// TokenKey names the key that Token uses, to be kept beside the token. It gives nothing away.
func (v *Vault) TokenKey() int64 { return v.tokens.names()[0] }

// TokenKeys are the names under which tokens of that key may be kept: its own, and 0, the
// name that the first key had before keys were named, as long as there is no other.
func (v *Vault) TokenKeys() []int64 { return v.tokens.names() }

// Digest is a keyed digest of parts, 64 hex digits. It compares contents without
// keeping them, and nobody without the keys can try values against it. The
// parts are framed: ("ab", "c") and ("a", "bc") differ.
//
// Digest is for what is kept, by the present key (DigestKey); Digests is for what is
// looked for.
func (v *Vault) Digest(parts ...string) string { return digestBy(v.digests.keys[0], parts) }

// Digests are the digests of parts by every key that is kept, the present one's first.
func (v *Vault) Digests(parts ...string) []string {
	all := make([]string, len(v.digests.keys))
	for i, key := range v.digests.keys {
		all[i] = digestBy(key, parts)
	}
	return all
}

// DigestKey names the key that Digest uses, as TokenKey does that of Token.
func (v *Vault) DigestKey() int64 { return v.digests.names()[0] }

// DigestKeys are its names, as TokenKeys are those of the other.
func (v *Vault) DigestKeys() []int64 { return v.digests.names() }

// HasOlderKeys says whether older keys of values, tokens or digests are kept, so that something
// may still lie under one.
func (v *Vault) HasOlderKeys() bool { return v.hasOlderKeys }

func (c prfKeys) names() []int64 {
	if len(c.keys) == 1 {
		return []int64{c.currentID, 0}
	}
	return []int64{c.currentID}
}

func tokenBy(key prf.PRF, company, field, normalised string) int64 {
	out := mustCompute(key, frameParts("token/v1", company, field, normalised), tokenBytes)
	return int64(binary.BigEndian.Uint32(out))
}

func digestBy(key prf.PRF, parts []string) string {
	return hex.EncodeToString(mustCompute(key, frameParts("digest/v1", parts...), digestBytes))
}

// mustCompute runs a keyed function that was proved when the vault was opened
// and fails for no input of these lengths.
func mustCompute(f prf.PRF, input []byte, length uint32) []byte {
	out, err := f.ComputePRF(input, length)
	if err != nil {
		panic(fmt.Sprintf("vault: prf: %v", err))
	}
	return out
}
