package heloc

// DecodeQuickly decodes a name as its JSON is usually written: no escapes, no spaces between tokens, each key at most
// once. It reports false, and leaves the name as it was, for any other JSON. A list decodes fifty names at each view.
func (n *Name) DecodeQuickly(plain []byte) bool {
	q := quickJSON{rest: string(plain)}
	var decoded Name
	q.object(func(key string) {
		if !decoded.set(key, q.text()) {
			q.fail()
		}
	})
	if q.ended() {
		*n = decoded
	}
	return q.ended()
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
