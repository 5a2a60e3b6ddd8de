//go:build !nopkcs11

package vault

import (
	"crypto/rand"
	"errors"
	"fmt"

	"github.com/miekg/pkcs11"
	"github.com/miekg/pkcs11/p11"
	"github.com/tink-crypto/tink-go/v2/tink"
)

func (k TokenKEK) use(f func(wrapper tink.AEAD) error) error {
	module, err := p11.OpenModule(k.Module)
	if err != nil {
		return fmt.Errorf("the PKCS#11 module %s of the token %q: %w", k.Module, k.Token, err)
	}
	defer module.Destroy() // also ends the session
	session, err := k.session(module)
	if err != nil {
		return fmt.Errorf("the token %q: %w", k.Token, err)
	}
	if err := session.Login(k.PIN.Reveal()); err != nil {
		return fmt.Errorf("sign in to the token %q: %w", k.Token, err)
	}
	key, err := k.key(session)
	if err != nil {
		return fmt.Errorf("the key %q of the token %q: %w", k.Object, k.Token, err)
	}
	return f(tokenAEAD{key})
}

func (k TokenKEK) session(module p11.Module) (p11.Session, error) {
	slots, err := module.Slots()
	if err != nil {
		return nil, err
	}
	var found []p11.Slot
	for _, slot := range slots {
		info, err := slot.TokenInfo()
		if err != nil {
			return nil, err
		}
		if info.Label == k.Token {
			found = append(found, slot)
		}
	}
	if len(found) != 1 {
		return nil, fmt.Errorf("the module has %d tokens with this label", len(found))
	}
	return found[0].OpenSession()
}

// key finds the key and rejects an extractable one.
func (k TokenKEK) key(session p11.Session) (p11.SecretKey, error) {
	object, err := session.FindObject([]*pkcs11.Attribute{
		pkcs11.NewAttribute(pkcs11.CKA_CLASS, pkcs11.CKO_SECRET_KEY),
		pkcs11.NewAttribute(pkcs11.CKA_KEY_TYPE, pkcs11.CKK_AES),
		pkcs11.NewAttribute(pkcs11.CKA_VALUE_LEN, kekBytes),
		pkcs11.NewAttribute(pkcs11.CKA_LABEL, k.Object),
	})
	if errors.Is(err, p11.ErrNoObjectsFound) {
		return p11.SecretKey{}, errors.New("there is no AES-256 key with this label")
	}
	if err != nil {
		return p11.SecretKey{}, err
	}
	sensitive, err := object.Attribute(pkcs11.CKA_SENSITIVE)
	if err != nil {
		return p11.SecretKey{}, err
	}
	extractable, err := object.Attribute(pkcs11.CKA_EXTRACTABLE)
	if err != nil {
		return p11.SecretKey{}, err
	}
	if string(sensitive) != "\x01" || string(extractable) != "\x00" {
		return p11.SecretKey{}, errors.New("the key is extractable: create one that is sensitive and not extractable")
	}
	return p11.SecretKey(object), nil
}

// gcmNonce and gcmTagBits are AES-GCM's usual sizes, and the only ones that all tokens support.
const (
	gcmNonce   = 12
	gcmTagBits = 128
)

// tokenAEAD is AES-256-GCM in a token. A KEK is used so rarely that random nonces of this length do not repeat.
type tokenAEAD struct{ key p11.SecretKey }

// Encrypt returns the nonce and the ciphertext from the token. Some tokens choose the nonce themselves.
func (a tokenAEAD) Encrypt(plaintext, associatedData []byte) ([]byte, error) {
	nonce := make([]byte, gcmNonce)
	_, _ = rand.Read(nonce) // never fails
	params := pkcs11.NewGCMParams(nonce, associatedData, gcmTagBits)
	defer params.Free()
	sealed, err := a.key.Encrypt(*pkcs11.NewMechanism(pkcs11.CKM_AES_GCM, params), plaintext)
	if err != nil {
		return nil, err
	}
	if nonce = params.IV(); len(nonce) != gcmNonce {
		return nil, fmt.Errorf("the token used a nonce of %d bytes", len(nonce))
	}
	return append(nonce, sealed...), nil
}

// Decrypt decrypts what Encrypt returned for the same associated data.
func (a tokenAEAD) Decrypt(ciphertext, associatedData []byte) ([]byte, error) {
	if len(ciphertext) < gcmNonce+gcmTagBits/8 {
		return nil, errors.New("too short")
	}
	params := pkcs11.NewGCMParams(ciphertext[:gcmNonce], associatedData, gcmTagBits)
	defer params.Free()
	return a.key.Decrypt(*pkcs11.NewMechanism(pkcs11.CKM_AES_GCM, params), ciphertext[gcmNonce:])
}
