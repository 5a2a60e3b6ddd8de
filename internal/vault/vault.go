// Package vault keeps what must not be read from a stolen database.
//
// Seal and Unseal encrypt one value for one Place, so a ciphertext that is moved
// to another row or column does not open. Token makes the search tokens of names
// and numbers, Digest the keyed digests that stand in the journal for what was
// sent, MAC the marks that show a form or an audit row was made here.
//
// Every duty has keys of its own. They lie together in one keyset file, wrapped
// by a key-encryption key (the KEK) that lies elsewhere: the keyset without the
// KEK opens nothing, and neither does a copy of the database without both.
//
//	files.go    the two files: made, read, refused
//	keyset.go   the duties and the wrapped form of their keys
//	rotate.go   new keys beside old ones; what is still under an old one
//	seal.go     values of any type as sealed JSON
package vault

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"fmt"

	"github.com/tink-crypto/tink-go/v2/prf"
	"github.com/tink-crypto/tink-go/v2/tink"

	"hearthline/internal/fault"
)

// digestBytes is the length of a digest before it is written in hex.
const digestBytes = 32

// tokenBytes is the length of a search token. Collisions among 32 bits are
// wanted: candidates are opened and compared, and a thief of the table cannot
// be sure of any single match.
const tokenBytes = 4

// Vault holds the opened keys. It is safe for use by many goroutines.
type Vault struct {
	aead    tink.AEAD
	tokens  prf.PRF
	digests prf.PRF
	marks   tink.MAC
	present string // how a value that is sealed now begins
}

// Place is where a sealed value lives. Row is the row's own identifier, unique
// within the table.
type Place struct {
	Table, Row, Column string
}

func (p Place) associated() ([]byte, error) {
	if p.Table == "" || p.Row == "" || p.Column == "" {
		return nil, fault.Wrap(fault.Internal, unopened, fmt.Errorf("vault: incomplete place %q", p))
	}
	return joined("place/v1", p.Table, p.Row, p.Column), nil
}

// unopened is what a person reads when a record cannot be sealed or opened.
const unopened = "A protected record could not be opened. Your administrator can see why under Health."

// Seal encrypts plaintext for place. Two seals of one value differ.
func (v *Vault) Seal(place Place, plaintext []byte) ([]byte, error) {
	ad, err := place.associated()
	if err != nil {
		return nil, err
	}
	sealed, err := v.aead.Encrypt(plaintext, ad)
	if err != nil {
		return nil, fault.Wrap(fault.Internal, unopened, fmt.Errorf("vault: seal %s.%s: %w", place.Table, place.Column, err))
	}
	return sealed, nil
}

// Unseal decrypts what Seal made for the same place; anything else is refused.
func (v *Vault) Unseal(place Place, sealed []byte) ([]byte, error) {
	ad, err := place.associated()
	if err != nil {
		return nil, err
	}
	plain, err := v.aead.Decrypt(sealed, ad)
	if err != nil {
		return nil, fault.Wrap(fault.Internal, unopened, fmt.Errorf("vault: unseal %s.%s: %w", place.Table, place.Column, err))
	}
	return plain, nil
}

// Token is the search token of a normalised word in one field of one broker
// company: an unsigned 32-bit number, so that it fits a BIGINT column and
// compares the same in both databases. The same word has another token in
// another company, so the table tells nothing across the wall.
func (v *Vault) Token(company, field, normalised string) int64 {
	out := mustCompute(v.tokens, joined("token/v1", company, field, normalised), tokenBytes)
	return int64(binary.BigEndian.Uint32(out))
}

// Digest is a keyed digest of parts, 64 hex digits. It compares contents without
// keeping them, and nobody without the keys can try values against it. The
// parts are framed: ("ab", "c") and ("a", "bc") differ.
func (v *Vault) Digest(parts ...string) string {
	return hex.EncodeToString(mustCompute(v.digests, joined("digest/v1", parts...), digestBytes))
}

// MAC marks parts as made by this portal, in base64url without padding. Start
// with a word for the duty ("form", "audit"), so that no mark serves two.
func (v *Vault) MAC(parts ...string) string {
	mark, err := v.marks.ComputeMAC(joined("mac/v1", parts...))
	if err != nil {
		// HMAC fails for no input; the keys were proved when the vault was opened.
		panic(fmt.Sprintf("vault: mac: %v", err))
	}
	return base64.RawURLEncoding.EncodeToString(mark)
}

// VerifyMAC says whether mark was made by MAC over the same parts, by the
// present key or an older one that is still kept.
func (v *Vault) VerifyMAC(mark string, parts ...string) bool {
	raw, err := base64.RawURLEncoding.DecodeString(mark)
	if err != nil {
		return false
	}
	return v.marks.VerifyMAC(raw, joined("mac/v1", parts...)) == nil
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

// joined frames each part by its length, so that no two lists of parts give the
// same bytes whatever characters they hold.
func joined(duty string, parts ...string) []byte {
	size := 4 + len(duty)
	for _, p := range parts {
		size += 4 + len(p)
	}
	out := make([]byte, 0, size)
	out = frame(out, duty)
	for _, p := range parts {
		out = frame(out, p)
	}
	return out
}

func frame(out []byte, part string) []byte {
	out = binary.BigEndian.AppendUint32(out, uint32(len(part)))
	return append(out, part...)
}
