package jwe

import (
	"bytes"
	"crypto/rsa"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"strings"

	"github.com/go-jose/go-jose/v4"

	"hearthline/internal/fault"
)

// Opener decrypts what was encrypted for the portal: responses and webhooks. The sandbox decrypts requests
// with one. It is safe for concurrent use.
type Opener struct {
	key         *rsa.PrivateKey
	public      []byte
	fingerprint string
}

// openFailedMessage is what users see when an encrypted message cannot be decrypted.
const openFailedMessage = "An encrypted message could not be opened."

// NewOpener reads a PEM private key (PKCS #8 or PKCS #1) of at least 2048 bits. The error is fault.Invalid
// and describes what is wrong with the key, without the key.
func NewOpener(privateKeyPEM []byte) (*Opener, error) {
	key, err := parsePrivate(privateKeyPEM)
	if err != nil {
		return nil, err
	}
	der, err := publicDER(&key.PublicKey)
	if err != nil {
		return nil, err
	}
	fingerprint, err := fingerprintOf(&key.PublicKey)
	if err != nil {
		return nil, err
	}
	public := pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})
	return &Opener{key: key, public: public, fingerprint: fingerprint}, nil
}

// Open decrypts a JWE, given bare, in JSON quotes or as {"encrypted": …}. The caller owns the plaintext and
// wipes it when done. Anything except RSA-OAEP-256 with A256GCM is an error, and so is compression, because
// it allows decompression bombs. The error is fault.Invalid.
func (o *Opener) Open(compact []byte) ([]byte, error) {
	text, ok := extractCompact(compact)
	if !ok {
		return nil, openError(errors.New("not a compact serialization"))
	}
	object, err := jose.ParseEncryptedCompact(text,
		[]jose.KeyAlgorithm{jose.RSA_OAEP_256}, []jose.ContentEncryption{jose.A256GCM})
	if err != nil {
		return nil, openError(err)
	}
	if _, compressed := object.Header.ExtraHeaders["zip"]; compressed {
		return nil, openError(errors.New("compressed"))
	}
	plaintext, err := object.Decrypt(o.key)
	if err != nil {
		return nil, openError(err)
	}
	return plaintext, nil
}

// PublicPEM returns the public half as PEM "PUBLIC KEY", for senders who encrypt for the portal.
func (o *Opener) PublicPEM() []byte { return append([]byte(nil), o.public...) }

// Fingerprint identifies the key; it equals that of the LocalSealer with the public half.
func (o *Opener) Fingerprint() string { return o.fingerprint }

// openError limits the length of the reason for the log, because a parser may quote its input.
func openError(err error) error {
	const limit = 200
	text := err.Error()
	if len(text) > limit {
		text = text[:limit] + "…"
	}
	return fault.Wrap(fault.Invalid, openFailedMessage, fmt.Errorf("seal: open: %q", text))
}

// LooksEncrypted reports whether a body could be encrypted in any of the forms that Open accepts, so that a
// reader can distinguish it from plain JSON without a key.
func LooksEncrypted(body []byte) bool {
	text, ok := extractCompact(body)
	return ok && strings.Count(text, ".") == 4
}

// extractCompact finds the compact string in a body: bare, in JSON quotes, or as the member "encrypted" of an
// object, because all three occur in practice.
func extractCompact(body []byte) (string, bool) {
	body = bytes.TrimSpace(body)
	if len(body) == 0 {
		return "", false
	}
	switch body[0] {
	case '{':
		if !bytes.Contains(body, []byte(`"encrypted"`)) {
			return "", false // most responses; avoids parsing them
		}
		var object struct {
			Encrypted string `json:"encrypted"`
		}
		err := json.Unmarshal(body, &object)
		return strings.TrimSpace(object.Encrypted), err == nil && object.Encrypted != ""
	case '"':
		var text string
		err := json.Unmarshal(body, &text)
		return strings.TrimSpace(text), err == nil && text != ""
	default:
		return string(body), true
	}
}
