package launch

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"strings"

	"hearthline/internal/pii"
)

// matchSecret compares in constant time, under the present secret and the one to come, and
// gives the one that fits.
func matchSecret(c Client, signed, given []byte) (secret pii.Secret[[]byte], holds bool) {
	for _, one := range []pii.Secret[[]byte]{c.Secret, c.SecretNext} {
		if key := one.Reveal(); len(key) > 0 {
			mac := hmac.New(sha256.New, key)
			mac.Write(signed)
			if hmac.Equal(mac.Sum(nil), given) {
				secret, holds = one, true
			}
		}
	}
	return secret, holds
}

// anyBase64 reads either alphabet, with or without padding.
func anyBase64(text string) ([]byte, error) {
	text = strings.NewReplacer("-", "+", "_", "/").Replace(strings.TrimRight(text, "="))
	body, err := base64.RawStdEncoding.DecodeString(text)
	if err != nil {
		return nil, errMalformed
	}
	return body, nil
}
