// Package jwe creates and decrypts the encrypted payloads of the interface: JWE in compact serialization,
// RSA-OAEP-256 for the key and A256GCM for the content (interface.md section 5, interface-live.md section 1),
// and nothing else.
//
//	jwe.go      Sealer, and LocalSealer, which encrypts with the lender's public key; PEM keys and their fingerprint
//	open.go     Opener, for encrypted responses and webhooks, in the three forms in which they are sent
//
// Package partner has the other Sealer, which calls the lender's encrypt endpoint. Plaintext is never part of
// an error, and this package keeps no copy of it: the owner of the bytes has to wipe them.
package jwe

import (
	"context"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
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

// minBits is the shortest RSA key that is accepted.
const minBits = 2048

// parsePublic reads the first block of a PEM, which must be a PUBLIC KEY.
func parsePublic(text []byte) (*rsa.PublicKey, error) {
	block, _ := pem.Decode(text)
	if block == nil {
		return nil, keyError("The public key file holds no PEM block.", nil)
	}
	if block.Type != "PUBLIC KEY" {
		// A private key here is a mistake: report it clearly instead of using the key.
		return nil, keyError(fmt.Sprintf("The public key file must hold a PUBLIC KEY, but holds a %.40q.", block.Type), nil)
	}
	parsed, err := x509.ParsePKIXPublicKey(block.Bytes)
	if err != nil {
		return nil, keyError("The public key cannot be read.", err)
	}
	key, ok := parsed.(*rsa.PublicKey)
	if !ok {
		return nil, keyError("The public key is not an RSA key.", nil)
	}
	return key, checkKeySize(key)
}

// parsePrivate reads the first block of a PEM: PRIVATE KEY or RSA PRIVATE KEY. The decoded bytes are wiped,
// but the parsed key lives as long as its owner.
func parsePrivate(text []byte) (*rsa.PrivateKey, error) {
	block, _ := pem.Decode(text)
	if block == nil {
		return nil, keyError("The private key file holds no PEM block.", nil)
	}
	defer clear(block.Bytes)
	var key *rsa.PrivateKey
	switch block.Type {
	case "PRIVATE KEY":
		parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
		if err != nil {
			return nil, keyError("The private key cannot be read.", err)
		}
		var ok bool
		if key, ok = parsed.(*rsa.PrivateKey); !ok {
			return nil, keyError("The private key is not an RSA key.", nil)
		}
	case "RSA PRIVATE KEY":
		parsed, err := x509.ParsePKCS1PrivateKey(block.Bytes)
		if err != nil {
			return nil, keyError("The private key cannot be read.", err)
		}
		key = parsed
	default:
		return nil, keyError(fmt.Sprintf("The private key file must hold a PRIVATE KEY, but holds a %.40q.", block.Type), nil)
	}
	return key, checkKeySize(&key.PublicKey)
}

func checkKeySize(key *rsa.PublicKey) error {
	if bits := key.N.BitLen(); bits < minBits {
		return keyError(fmt.Sprintf("The RSA key has %d bits; at least %d are needed.", bits, minBits), nil)
	}
	return nil
}

// fingerprintOf returns "SHA256:" and the hex digest of the public key's DER, the same digest that `openssl
// pkey -pubin -outform DER | sha256sum` prints.
func fingerprintOf(key *rsa.PublicKey) (string, error) {
	der, err := publicDER(key)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(der)
	return "SHA256:" + hex.EncodeToString(sum[:]), nil
}

func publicDER(key *rsa.PublicKey) ([]byte, error) {
	der, err := x509.MarshalPKIXPublicKey(key)
	if err != nil {
		return nil, keyError("The public key cannot be written.", err)
	}
	return der, nil
}

func keyError(public string, err error) error { return fault.Wrap(fault.Invalid, public, err) }
