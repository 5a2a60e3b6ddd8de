package vault

import (
	"encoding/base64"
	"fmt"
	"os"
	"strings"

	"github.com/tink-crypto/tink-go/v2/tink"

	"hearthline/internal/pii"
)

// KEK is the key-encryption key, which wraps the keys in a keyset file: a FileKEK or a TokenKEK. A vault uses it only
// while it opens or rewrites the keyset.
type KEK interface {
	// create creates the key if it is missing, where the portal can do that.
	create() error
	// use calls f with the key. The wrapper is valid until f returns.
	use(f func(wrapper tink.AEAD) error) error
}

// FileKEK is a KEK in a file: 32 random bytes in base64, alone on a line.
type FileKEK string

func (k FileKEK) create() error {
	if found, err := exists(string(k)); err != nil || found {
		return err
	}
	line := base64.StdEncoding.EncodeToString(newKEK()) + "\n"
	if err := createFile(string(k), []byte(line)); err != nil {
		return fmt.Errorf("make the KEK file: %w", err)
	}
	return nil
}

func (k FileKEK) use(f func(wrapper tink.AEAD) error) error {
	text, err := os.ReadFile(string(k))
	if err != nil {
		return fmt.Errorf("read the KEK file: %w", err)
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimSpace(string(text)))
	if err != nil || len(key) != kekBytes {
		// The cause is dropped: a decoding error may quote the key.
		return fmt.Errorf("the KEK file %s must hold %d bytes in base64", string(k), kekBytes)
	}
	wrapper, err := kekAEAD(key)
	if err != nil {
		return fmt.Errorf("use the KEK: %w", err)
	}
	return f(wrapper)
}

// TokenKEK is a KEK in a PKCS#11 token, such as a hardware security module: an AES-256 key that the token does not
// reveal. The operator creates it. A process must not use two of them at the same time, because all users of a module
// share one login.
type TokenKEK struct {
	Module string // the shared library of the token's vendor
	Token  string // the label of the token
	Object string // the label of the key
	PIN    pii.Secret[string]
}

func (k TokenKEK) create() error { return nil }
