package launch

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"strings"

	"hearthline/internal/pii"
)

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
