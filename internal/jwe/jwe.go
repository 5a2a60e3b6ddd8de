// Package jwe creates and decrypts the encrypted payloads of the interface: JWE in compact serialization,
// RSA-OAEP-256 for the key and A256GCM for the content (interface.md section 5, interface-live.md section 1),
// and nothing else.
//
//	jwe.go      Sealer, and LocalSealer, which encrypts with the lender's public key
//	open.go     Opener, for encrypted responses and webhooks, in the three forms in which they are sent
//	key.go      PEM keys and their fingerprint
//
// Package partner has the other Sealer, which calls the lender's encrypt endpoint. Plaintext is never part of
// an error, and this package keeps no copy of it: the owner of the bytes has to wipe them.
package jwe

import (
	"context"
	"fmt"

	"github.com/go-jose/go-jose/v4"

	"hearthline/internal/fault"
)

// Sealer encrypts a JSON payload for the lender.
type Sealer interface {
	// Seal returns the JWE compact serialization of plaintext. It keeps no reference to plaintext; the caller
	// wipes it.
	Seal(ctx context.Context, plaintext []byte) (string, error)
}

// LocalSealer encrypts with the lender's public key, so that no plaintext leaves the process. It is safe for
// concurrent use.
type LocalSealer struct {
	encrypter   jose.Encrypter
	fingerprint string
}

// sealFailedMessage is what users see when a payload cannot be encrypted.
const sealFailedMessage = "The data could not be encrypted for the lender, so nothing was sent."

// NewLocalSealer reads a PEM public key of at least 2048 bits. The error is fault.Invalid and describes what
// is wrong with the key.
func NewLocalSealer(publicKeyPEM []byte) (*LocalSealer, error) {
	key, err := parsePublic(publicKeyPEM)
	if err != nil {
		return nil, err
	}
	// No options and no key id: the header then has exactly alg and enc.
	encrypter, err := jose.NewEncrypter(jose.A256GCM, jose.Recipient{Algorithm: jose.RSA_OAEP_256, Key: key}, nil)
	if err != nil {
		return nil, fault.Wrap(fault.Internal, sealFailedMessage, fmt.Errorf("seal: new encrypter: %w", err))
	}
	fingerprint, err := fingerprintOf(key)
	if err != nil {
		return nil, err
	}
	return &LocalSealer{encrypter: encrypter, fingerprint: fingerprint}, nil
}

// Seal implements Sealer. Two seals of one payload differ.
func (l *LocalSealer) Seal(ctx context.Context, plaintext []byte) (string, error) {
	if err := ctx.Err(); err != nil {
		return "", fault.Wrap(fault.Unavailable, sealFailedMessage, fmt.Errorf("seal: %w", err))
	}
	object, err := l.encrypter.Encrypt(plaintext)
	if err != nil {
		return "", fault.Wrap(fault.Internal, sealFailedMessage, fmt.Errorf("seal: encrypt: %w", err))
	}
	compact, err := object.CompactSerialize()
	if err != nil {
		return "", fault.Wrap(fault.Internal, sealFailedMessage, fmt.Errorf("seal: serialize: %w", err))
	}
	return compact, nil
}

// Fingerprint identifies the key for comparison by an operator: see fingerprintOf.
func (l *LocalSealer) Fingerprint() string { return l.fingerprint }
