package heloc

import (
	"strings"
	"unicode/utf8"
)

// DecodeQuickly decodes a name as its JSON is usually written: no escapes, no spaces between tokens, each control at most
// once. It reports false, and leaves the name as it was, for any other JSON. A list decodes fifty names at each view.
func (n *Name) DecodeQuickly(plain []byte) bool {
	if !utf8.Valid(plain) || len(plain) < 2 || plain[0] != '{' || plain[len(plain)-1] != '}' {
		return false
	}
	rest := string(plain[1 : len(plain)-1])
	if strings.ContainsAny(rest, `\{}[]`) {
		return false
	}
	var decoded Name
	for first := true; rest != ""; first = false {
		if !first {
			if !strings.HasPrefix(rest, ",") {
				return false
			}
			rest = rest[1:]
		}
		var key, value string
		var ok bool
		if key, rest, ok = cutQuoted(rest); !ok || !strings.HasPrefix(rest, ":") {
			return false
		}
		if value, rest, ok = cutQuoted(rest[1:]); !ok || !decoded.set(key, value) {
			return false
		}
	}
	*n = decoded
	return true
}

// cutQuoted cuts a quoted text without escapes off the beginning of s.
func cutQuoted(s string) (text, rest string, ok bool) {
	if !strings.HasPrefix(s, `"`) {
		return "", "", false
	}
	text, rest, ok = strings.Cut(s[1:], `"`)
	return text, rest, ok && strings.IndexFunc(text, func(r rune) bool { return r < ' ' }) < 0
}

// set sets the part of a name with a JSON key. It reports false for any other key, and for a part that is already set.
func (n *Name) set(key, value string) bool {
	var to *string
	switch key {
	case "firstName":
		to = &n.First
	case "lastName":
		to = &n.Last
	case "prefix":
		to = &n.Prefix
	case "middleName":
		to = &n.Middle
	case "suffix":
		to = (*string)(&n.Suffix)
	}
	if to == nil || *to != "" {
		return false
	}
	*to = value
	return true
}
