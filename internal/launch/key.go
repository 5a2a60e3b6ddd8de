package launch

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/hmac"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/json"

	"hearthline/internal/pii"
)

// isStrongKey reports whether a key may sign launches: public, of a type that one of our
// algorithms uses, and strong enough.
func isStrongKey(key jose.JSONWebKey) bool {
	if !key.IsPublic() || !key.Valid() {
		return false
	}
	switch k := key.Key.(type) {
	case *rsa.PublicKey:
		return k.N.BitLen() >= minRSABits
	case *ecdsa.PublicKey:
		return k.Curve == elliptic.P256()
	case ed25519.PublicKey:
		return true
	default:
		return false
	}
}

// minRSABits is the minimum size of an RSA key.
const minRSABits = 2048

// keyAllows reports whether a key may be used with an algorithm, if the key specifies one.
func keyAllows(key jose.JSONWebKey, algorithm string) bool {
	return key.Algorithm == "" || key.Algorithm == algorithm
}

// ParseKeys reads a client's public keys as a JSON Web Key Set. It rejects private and symmetric
// keys, which must not be stored here, and keys that cannot sign a launch.
func ParseKeys(text []byte) (jose.JSONWebKeySet, error) {
	var keys jose.JSONWebKeySet
	if err := json.Unmarshal(text, &keys); err != nil {
		return keys, fmt.Errorf("launch: read keys: %w", err)
	}
	if len(keys.Keys) == 0 || slices.ContainsFunc(keys.Keys, func(k jose.JSONWebKey) bool { return !isStrongKey(k) }) {
		return jose.JSONWebKeySet{}, errors.New("launch: the set must hold public keys and nothing else")
	}
	return keys, nil
}

// matchSecret compares in constant time, with the current secret and the next one, and returns
// the one that matches.
func matchSecret(c Client, signed, given []byte) (secret pii.Secret[[]byte], ok bool) {
	for _, one := range []pii.Secret[[]byte]{c.Secret, c.SecretNext} {
		if key := one.Reveal(); len(key) > 0 {
			mac := hmac.New(sha256.New, key)
			mac.Write(signed)
			if hmac.Equal(mac.Sum(nil), given) {
				secret, ok = one, true
			}
		}
	}
	return secret, ok
}

// anyBase64 decodes either alphabet, with or without padding.
func anyBase64(text string) ([]byte, error) {
	text = strings.NewReplacer("-", "+", "_", "/").Replace(strings.TrimRight(text, "="))
	body, err := base64.RawStdEncoding.DecodeString(text)
	if err != nil {
		return nil, errMalformed
	}
	return body, nil
}
