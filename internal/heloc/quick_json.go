package heloc

import (
	"strings"
	"unicode/utf8"
)

// quickJSON reads JSON in the form in which it is usually written: without spaces between tokens, and without escapes in
// texts. It fails at any other form, which is then left to encoding/json. What it reads shares the memory of the JSON.
type quickJSON struct {
	rest   string
	failed bool
}

// ended reports whether everything was read.
func (q *quickJSON) ended() bool { return !q.failed && q.rest == "" }

// fail makes all that follows fail too.
func (q *quickJSON) fail() { q.rest, q.failed = "", true }

// found reads a character if it is the next one.
func (q *quickJSON) found(c byte) bool {
	if q.rest == "" || q.rest[0] != c {
		return false
	}
	q.rest = q.rest[1:]
	return true
}

// expect reads a character, and fails if it is not the next one.
func (q *quickJSON) expect(c byte) {
	if !q.found(c) {
		q.fail()
	}
}

// object reads an object; field reads the value of a key.
func (q *quickJSON) object(field func(key string)) {
	for q.expect('{'); !q.failed && !q.found('}'); {
		key := q.text()
		q.expect(':')
		field(key)
		q.endElement('}')
	}
}

// array reads an array; element reads an element.
func (q *quickJSON) array(element func()) {
	for q.expect('['); !q.failed && !q.found(']'); {
		element()
		q.endElement(']')
	}
}

// endElement reads the comma after an element, which the last one does not have.
func (q *quickJSON) endElement(last byte) {
	if q.found(',') {
		if q.rest == "" || q.rest[0] == last {
			q.fail()
		}
		return
	}
	if q.rest == "" || q.rest[0] != last {
		q.fail()
	}
}

// text reads a text.
func (q *quickJSON) text() string {
	q.expect('"')
	ascii := true
	for i := range len(q.rest) {
		switch c := q.rest[i]; {
		case c == '"':
			s := q.rest[:i]
			if q.rest = q.rest[i+1:]; !ascii && !utf8.ValidString(s) {
				q.fail()
				return ""
			}
			return s
		case c == '\\' || c < ' ':
			q.fail()
			return ""
		case c >= utf8.RuneSelf:
			ascii = false
		}
	}
	q.fail()
	return ""
}

// number reads a number as an integer of 10^-places.
func (q *quickJSON) number(places int) int64 {
	end := strings.IndexAny(q.rest, ",]}")
	if end < 0 {
		q.fail()
		return 0
	}
	v, ok := readPlain([]byte(q.rest[:end]), places)
	if q.rest = q.rest[end:]; !ok {
		q.fail()
	}
	return v
}

func (q *quickJSON) money() *Money {
	v := Money(q.number(2))
	return &v
}

func (q *quickJSON) rate() *Rate {
	v := Rate(q.number(4))
	return &v
}

func (q *quickJSON) count() *Count {
	v := Count(q.number(0))
	return &v
}
