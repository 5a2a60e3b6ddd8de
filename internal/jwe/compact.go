package jwe

import (
	"bytes"
	"encoding/json"
	"strings"
)

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
