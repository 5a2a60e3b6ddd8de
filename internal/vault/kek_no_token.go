//go:build nopkcs11

package vault

import (
	"errors"

	"github.com/tink-crypto/tink-go/v2/tink"
)

// use returns an error: a statically linked program crashes when it loads a library.
func (k TokenKEK) use(func(wrapper tink.AEAD) error) error {
	return errors.New("this program is statically linked and cannot load a PKCS#11 module: use a dynamically linked build")
}
