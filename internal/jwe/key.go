package jwe

import (
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"fmt"

	"hearthline/internal/fault"
)

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
