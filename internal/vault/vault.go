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
//	blind_index.go  tokens and digests, to keep and to look for
//	files.go    the two files: made, read, refused
//	keyset.go   the duties and the wrapped form of their keys
//	rotate.go   new keys beside old ones; what is still under an old one
//	seal.go     values of any type as sealed JSON
package vault

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/tink-crypto/tink-go/v2/tink"

	"hearthline/internal/fault"
)

// Vault holds the opened keys. It is safe for use by many goroutines.
type Vault struct {
	aead          tink.AEAD
	tokens        prfKeys
	digests       prfKeys
	macs          tink.MAC
	currentPrefix string // how a value that is sealed now begins
	hasOlderKeys  bool   // whether older keys of values, tokens or digests are kept
}

// AAD is where a sealed value lives. Row is the row's own identifier, unique
// within the table.
type AAD struct {
	Table, Row, Column string
}

func (p AAD) bytes() ([]byte, error) {
	if p.Table == "" || p.Row == "" || p.Column == "" {
		return nil, fault.Wrap(fault.Internal, undecryptableMessage, fmt.Errorf("vault: incomplete place %q", p))
	}
	return frameParts("place/v1", p.Table, p.Row, p.Column), nil
}

// undecryptableMessage is what a person reads when a record cannot be sealed or opened.
const undecryptableMessage = "A protected record could not be opened. Your administrator can see why under Health."

// ErrUndecryptable is the cause when what is sealed does not open: it was changed, lies at
// another place than it was sealed for, or its key is gone.
var ErrUndecryptable = errors.New("it does not open")

// Seal encrypts plaintext for place. Two seals of one value differ.
func (v *Vault) Seal(place AAD, plaintext []byte) ([]byte, error) {
	ad, err := place.bytes()
	if err != nil {
		return nil, err
	}
	sealed, err := v.aead.Encrypt(plaintext, ad)
	if err != nil {
		return nil, fault.Wrap(fault.Internal, undecryptableMessage, fmt.Errorf("vault: seal %s.%s: %w", place.Table, place.Column, err))
	}
	return sealed, nil
}

// Unseal decrypts what Seal made for the same place; anything else is refused, with
// ErrUndecryptable as the cause.
func (v *Vault) Unseal(place AAD, sealed []byte) ([]byte, error) {
	ad, err := place.bytes()
	if err != nil {
		return nil, err
	}
	plain, err := v.aead.Decrypt(sealed, ad)
	if err != nil {
		return nil, fault.Wrap(fault.Internal, undecryptableMessage, fmt.Errorf("vault: unseal %s.%s: %w: %w", place.Table, place.Column, ErrUndecryptable, err))
	}
	return plain, nil
}

// MAC marks parts as made by this portal, in base64url without padding. Start
// with a word for the duty ("form", "audit"), so that no mark serves two.
func (v *Vault) MAC(parts ...string) string {
	mark, err := v.macs.ComputeMAC(frameParts("mac/v1", parts...))
	if err != nil {
		// HMAC fails for no input; the keys were proved when the vault was opened.
		panic(fmt.Sprintf("vault: mac: %v", err))
	}
	return base64.RawURLEncoding.EncodeToString(mark)
}

// VerifyMAC says whether mark was made by MAC over the same parts, by the
// currentPrefix key or an older one that is still kept.
func (v *Vault) VerifyMAC(mark string, parts ...string) bool {
	raw, err := base64.RawURLEncoding.DecodeString(mark)
	if err != nil {
		return false
	}
	return v.macs.VerifyMAC(raw, frameParts("mac/v1", parts...)) == nil
}

// frameParts frames each part by its length, so that no two lists of parts give the
// same bytes whatever characters they hold.
func frameParts(duty string, parts ...string) []byte {
	size := 4 + len(duty)
	for _, p := range parts {
		size += 4 + len(p)
	}
	out := make([]byte, 0, size)
	out = appendFramed(out, duty)
	for _, p := range parts {
		out = appendFramed(out, p)
	}
	return out
}

func appendFramed(out []byte, part string) []byte {
	out = binary.BigEndian.AppendUint32(out, uint32(len(part)))
	return append(out, part...)
}
