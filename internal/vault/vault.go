// Package vault protects data that must not be readable in a stolen database.
//
// Seal and Unseal encrypt one value for one AAD (table, row and column), so that a ciphertext that is moved
// to another row or column cannot be decrypted. Token makes the search tokens of names and numbers, Digest
// the keyed digests in the journal that represent what was sent, and MAC proves that the portal made a form
// or an audit row.
//
// Every purpose has its own keys. They are in one keyset file, wrapped with a key-encryption key (the KEK)
// that is stored elsewhere, in a file or in a token: the keyset is useless without the KEK, and so is a copy of the
// database without both.
//
//	bindings.go     which row and column each kind of value is bound to
//	index.go        tokens and digests, to store and to look up, and what they are made from
//	files.go        the keyset file and the KEK in a file: creating, reading, rejecting
//	kek_token.go    the KEK in a PKCS#11 token; kek_no_token.go, for static programs
//	keyset.go       the purposes and the wrapped format of their keys; new keys beside old ones
//	vault.go        sealing: bytes, values of any type as JSON, borrowers' names
package vault

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/tink-crypto/tink-go/v2/tink"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
)

// Vault contains the unwrapped keys. It is safe for concurrent use.
type Vault struct {
	aead          tink.AEAD
	tokens        prfKeys
	digests       prfKeys
	macs          tink.MAC
	currentPrefix string          // the prefix of values that are sealed now
	sealKeys      map[string]bool // the names of all keys of values
	hasOlderKeys  bool            // whether the keyset has older keys for values, tokens or digests
}

func (a AAD) bytes() ([]byte, error) {
	if a.table == "" || a.row == "" || a.column == "" {
		return nil, fault.Wrap(fault.Internal, undecryptableMessage, fmt.Errorf("vault: incomplete place %q", a))
	}
	return frameParts("aad/v1", a.table, a.row, a.column), nil
}

// undecryptableMessage is what users see when a record cannot be sealed or decrypted.
const undecryptableMessage = "A protected record couldn’t be opened. Tell your administrator; " +
	"the server’s log has the reason."

// ErrUndecryptable is the cause when a sealed value cannot be decrypted: it was changed, it is in another row
// or column than it was sealed for, or its key is missing.
var ErrUndecryptable = errors.New("it does not open")

// Seal encrypts plaintext for aad. Two seals of one value differ.
func (v *Vault) Seal(aad AAD, plaintext []byte) ([]byte, error) {
	ad, err := aad.bytes()
	if err != nil {
		return nil, err
	}
	sealed, err := v.aead.Encrypt(plaintext, ad)
	if err != nil {
		return nil, fault.Wrap(fault.Internal, undecryptableMessage,
			fmt.Errorf("vault: seal %s.%s: %w", aad.table, aad.column, err))
	}
	return sealed, nil
}

// Unseal decrypts what Seal made for the same aad; anything else is an error with ErrUndecryptable as its
// cause.
func (v *Vault) Unseal(aad AAD, sealed []byte) ([]byte, error) {
	ad, err := aad.bytes()
	if err != nil {
		return nil, err
	}
	plain, err := v.aead.Decrypt(sealed, ad)
	if err != nil {
		return nil, fault.Wrap(fault.Internal, undecryptableMessage,
			fmt.Errorf("vault: unseal %s.%s: %w: %w", aad.table, aad.column, ErrUndecryptable, err))
	}
	return plain, nil
}

// MAC returns the MAC of parts, in base64url without padding. Start with a word for the purpose ("form",
// "audit"), so that no MAC is valid for two purposes.
func (v *Vault) MAC(parts ...string) string {
	code, err := v.macs.ComputeMAC(frameParts("mac/v1", parts...))
	if err != nil {
		// HMAC cannot fail; the keys were tested when the vault was opened.
		panic(fmt.Sprintf("vault: mac: %v", err))
	}
	return base64.RawURLEncoding.EncodeToString(code)
}

// VerifyMAC reports whether MAC made code from the same parts, with the current key or an older one.
func (v *Vault) VerifyMAC(code string, parts ...string) bool {
	raw, err := base64.RawURLEncoding.DecodeString(code)
	if err != nil {
		return false
	}
	return v.macs.VerifyMAC(raw, frameParts("mac/v1", parts...)) == nil
}

// frameParts prefixes each part with its length, so that two different lists of parts never result in the
// same bytes.
func frameParts(purpose string, parts ...string) []byte {
	size := 4 + len(purpose)
	for _, p := range parts {
		size += 4 + len(p)
	}
	out := make([]byte, 0, size)
	out = appendFramed(out, purpose)
	for _, p := range parts {
		out = appendFramed(out, p)
	}
	return out
}

func appendFramed(out []byte, part string) []byte {
	out = binary.BigEndian.AppendUint32(out, uint32(len(part)))
	return append(out, part...)
}

// nameVersion is the first byte of a name's plaintext. Each part follows with its length before it.
const nameVersion = 1

// SealName seals the borrower's name of a lead. A list opens a name for each row, so the parts are not JSON.
func (v *Vault) SealName(app heloc.AppID, name heloc.Name) ([]byte, error) {
	plain := []byte{nameVersion}
	for _, part := range []string{name.First, name.Middle, name.Last, name.Prefix, string(name.Suffix)} {
		plain = append(binary.AppendUvarint(plain, uint64(len(part))), part...)
	}
	return v.Seal(NameAAD(app), plain)
}

// UnsealName decrypts what SealName made for the same lead. The name of a lead that has none is empty.
func (v *Vault) UnsealName(app heloc.AppID, sealed []byte) (heloc.Name, error) {
	if len(sealed) == 0 {
		return heloc.Name{}, nil
	}
	plain, err := v.Unseal(NameAAD(app), sealed)
	if err != nil {
		return heloc.Name{}, err
	}
	var name heloc.Name
	rest, valid := bytes.CutPrefix(plain, []byte{nameVersion})
	for _, part := range []*string{&name.First, &name.Middle, &name.Last, &name.Prefix, (*string)(&name.Suffix)} {
		size, n := binary.Uvarint(rest)
		if valid = valid && n > 0 && size <= uint64(len(rest)-n); !valid {
			break
		}
		*part, rest = string(rest[n:n+int(size)]), rest[n+int(size):]
	}
	if !valid || len(rest) > 0 {
		return heloc.Name{}, undecodable(NameAAD(app), errors.New("not the parts of a name"))
	}
	return name, nil
}

// SealJSON seals a value as JSON. The value must not contain pii.Secret fields: those encode as [withheld],
// on purpose.
func SealJSON[T any](v *Vault, aad AAD, value T) ([]byte, error) {
	plain, err := json.Marshal(value)
	if err != nil {
		return nil, fault.Wrap(fault.Internal, undecryptableMessage,
			fmt.Errorf("vault: encode %s.%s: %w", aad.table, aad.column, err))
	}
	return v.Seal(aad, plain)
}

// UnsealJSON decrypts what SealJSON sealed for the same row and column.
func UnsealJSON[T any](v *Vault, aad AAD, sealed []byte) (value T, err error) {
	plain, err := v.Unseal(aad, sealed)
	if err != nil {
		return value, err
	}
	if err := json.Unmarshal(plain, &value); err != nil {
		var none T
		return none, undecodable(aad, err)
	}
	return value, nil
}

// undecodable reports a decoding error only by its type, because its text may quote the plaintext.
func undecodable(aad AAD, err error) error {
	return fault.Wrap(fault.Internal, undecryptableMessage,
		fmt.Errorf("vault: decode %s.%s: %w: %T", aad.table, aad.column, ErrUndecryptable, err))
}
