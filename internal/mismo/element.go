package mismo

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
)

// The limits of a document. A loan file has about 25 levels and some thousand elements.
const (
	maxDepth    = 60
	maxElements = 50_000
	maxText     = 400 // bytes of a value; a longer one is counted, but not taken
)

// foreign begins the names of elements in other namespaces: extensions, which repeat MISMO's names with other meanings.
const foreign = "~"

// element is one element of the document. Only the attributes that are needed are stored.
type element struct {
	name     string
	sequence int
	label    string
	loanRole string
	version  string

	from, to, role string // of a relationship

	text     string
	hasText  bool // it has text, even if that is too long to be stored
	tooLong  bool
	used     bool
	parent   *element
	children []*element
}

// withheld replaces what is dropped while the file is read.
const withheld = "withheld"

// parse reads the document within the limits.
func parse(raw []byte) (*element, error) {
	decoder := xml.NewDecoder(bytes.NewReader(bytes.TrimPrefix(raw, utf8Mark)))
	// The bytes are valid UTF-8, whatever encoding the file declares.
	decoder.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	var root, at *element
	depth, count := 0, 0
	for {
		token, err := decoder.Token()
		switch {
		case errors.Is(err, io.EOF) && root != nil && at == nil:
			return root, nil
		case err != nil:
			return nil, errMalformed
		}
		switch t := token.(type) {
		case xml.Directive:
			return nil, errDeclaration
		case xml.StartElement:
			if depth, count = depth+1, count+1; depth > maxDepth || count > maxElements {
				return nil, errTooComplex
			}
			if at == nil && root != nil {
				return nil, errMalformed
			}
			e := newElement(t, at)
			if at == nil {
				root = e
			} else {
				at.children = append(at.children, e)
			}
			at = e
		case xml.EndElement:
			at.trim()
			at, depth = at.parent, depth-1
		case xml.CharData:
			if at != nil {
				at.addText(t)
			}
		}
	}
}

func newElement(t xml.StartElement, parent *element) *element {
	e := &element{name: t.Name.Local, parent: parent}
	if t.Name.Space != namespace {
		e.name = foreign + e.name
	}
	for _, a := range t.Attr {
		value := strings.TrimSpace(a.Value)
		switch a.Name.Local {
		case "SequenceNumber":
			e.sequence, _ = strconv.Atoi(value) // 0 for none
		case "label":
			e.label = value
		case "from":
			e.from = value
		case "to":
			e.to = value
		case "arcrole":
			e.role = value[strings.LastIndexByte(value, '/')+1:]
		case "LoanRoleType":
			e.loanRole = value
		case "MISMOReferenceModelIdentifier", "MISMOVersionIdentifier", "MISMOVersionID":
			e.version = value
		}
	}
	return e
}

// addText adds text to the element. An SSN is not stored, in whatever pieces it arrives.
func (e *element) addText(text []byte) {
	if len(bytes.TrimSpace(text)) == 0 {
		return
	}
	e.hasText = true
	switch {
	case e.secret():
		e.text = withheld
	case e.tooLong || len(e.text)+len(text) > maxText:
		e.text, e.tooLong = "", true
	default:
		e.text += string(text)
	}
}

// secret reports whether the element contains a Social Security number or another taxpayer's number.
func (e *element) secret() bool {
	return strings.HasPrefix(strings.TrimPrefix(e.name, foreign), "TaxpayerIdentifierValue") ||
		strings.HasSuffix(e.name, "SSN")
}

// trim removes the whitespace around a value, and the text beside child elements.
func (e *element) trim() {
	e.text = strings.TrimSpace(e.text)
	if len(e.children) > 0 {
		e.text, e.hasText = "", false
	}
}

// each returns the children with a name. It accepts nil.
func (e *element) each(name string) []*element {
	if e == nil {
		return nil
	}
	var found []*element
	for _, c := range e.children {
		if c.name == name {
			found = append(found, c)
		}
	}
	return found
}

// path follows names and returns the first such element; nil if there is none. It accepts nil.
func (e *element) path(names ...string) *element {
	for _, name := range names {
		if e == nil {
			return nil
		}
		at := slices.IndexFunc(e.children, func(c *element) bool { return c.name == name })
		if at < 0 {
			return nil
		}
		e = e.children[at]
	}
	return e
}

// all returns the outermost descendants with a name, in the order of the document. It accepts nil.
func (e *element) all(name string) []*element {
	if e == nil {
		return nil
	}
	var found []*element
	for _, c := range e.children {
		if c.name == name {
			found = append(found, c)
		} else {
			found = append(found, c.all(name)...)
		}
	}
	return found
}

// peek returns the text at a path; "" if there is none.
func (e *element) peek(names ...string) string {
	if e = e.path(names...); e == nil {
		return ""
	}
	return e.text
}

// flag returns the xs:boolean at a path; known is false if there is none.
func (e *element) flag(names ...string) (set, known bool) {
	switch strings.ToLower(e.peek(names...)) {
	case "true", "1":
		return true, true
	case "false", "0":
		return false, true
	}
	return false, false
}

// take returns the text at a path, and marks it as used.
func (e *element) take(names ...string) string {
	if e = e.path(names...); e == nil || e.text == "" {
		return ""
	}
	e.used = true
	return e.text
}

// fact takes the text at a path with its source.
func (e *element) fact(names ...string) Text {
	value := e.take(names...)
	if value == "" {
		return Text{}
	}
	return Text{value, e.source(value, names...)}
}

// source is where the element at a path is.
func (e *element) source(says string, names ...string) Source {
	return Source{says, strings.Join(append([]string{e.name}, names...), " / ")}
}
