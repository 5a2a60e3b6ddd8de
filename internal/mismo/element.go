package mismo

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"hearthline/internal/heloc"
)

// The limits of a document. A loan file has about 25 levels and some thousand elements.
const (
	maxDepth    = 60
	maxElements = 100_000
	maxTag      = 8 << 10 // bytes of a tag with its attributes; those of a loan file have under 500
	maxSequence = 1000    // a number from here on is an ID
	maxText     = 400     // bytes of a value; a longer one is counted, but not taken
)

// foreign begins the names of elements in other namespaces: extensions, which repeat MISMO's names with other meanings.
const foreign = "~"

// element is one element of the document, or an attribute that stores a value.
type element struct {
	name     string
	text     string
	problem  string // why the text cannot be used, "Character 3 is a control character (U+000B)"
	marks    *marks
	parent   *element
	children []*element
	hasText  bool // it has text, even if that is not stored
	tooLong  bool
	broken   bool // a character of the text cannot be read
	null     bool // xsi:nil
	zero     bool // an amount of zero, which means unknown
	used     bool
	made     bool  // not in the document: a container that the standard puts around these values
	number   int32 // among the siblings of the name, from 1; only of the things that repeat
}

// marks are the attributes that few elements have.
type marks struct {
	sequence                 int
	label, loanRole, version string
	from, to                 string // of a relationship
}

// withheld replaces what is dropped while the file is read.
const withheld = "withheld"

// parser builds the tree of a document.
type parser struct {
	encoding string
	space    string            // the namespace of the loan's elements
	found    bool              // the element that has it
	names    map[string]string // one copy of each name
	ssns     map[string]bool   // the digits of each SSN, to drop them elsewhere; forgotten after reading
	root, at *element
	depth    int
	count    int
}

// parse reads the document within the limits.
func parse(text []byte, encoding string) (*element, error) {
	p := parser{encoding: encoding, space: namespace, names: map[string]string{}, ssns: map[string]bool{}}
	decoder := xml.NewDecoder(bytes.NewReader(text))
	decoder.Entity = xml.HTMLEntity // characters by name; the document cannot declare any
	decoder.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) && p.root != nil && p.at == nil {
			p.dropSSNs(p.root)
			p.root.reshape()
			return p.root, nil
		}
		if err != nil {
			return nil, errMalformed
		}
		switch t := token.(type) {
		case xml.Directive:
			err = errDeclaration
		case xml.StartElement:
			err = p.start(t)
		case xml.EndElement:
			p.finish(p.at)
			p.at, p.depth = p.at.parent, p.depth-1
		case xml.CharData:
			if p.at != nil {
				p.at.addText(t)
			}
		}
		if err != nil {
			return nil, err
		}
	}
}

func (p *parser) start(t xml.StartElement) error {
	if p.depth++; p.depth > maxDepth {
		return errTooComplex
	}
	if p.at == nil && p.root != nil {
		return errMalformed
	}
	if t.Name.Local == "MESSAGE" && !p.found {
		p.space, p.found = t.Name.Space, true // whichever the exporter writes
	}
	name := standardName(t.Name.Local)
	if t.Name.Space != p.space && t.Name.Space != namespace && t.Name.Space != "" {
		name = foreign + name
	}
	e, err := p.add(name)
	if err != nil {
		return err
	}
	p.at = e
	for _, a := range t.Attr {
		if err := p.attribute(e, a); err != nil {
			return err
		}
	}
	return nil
}

// add appends an element to the current one.
func (p *parser) add(name string) (*element, error) {
	if p.count++; p.count > maxElements {
		return nil, errTooComplex
	}
	if known, ok := p.names[name]; ok {
		name = known
	} else {
		p.names[name] = name
	}
	e := &element{name: name, parent: p.at}
	if p.at == nil {
		p.root = e
		return e, nil
	}
	if slices.Contains(things, name) {
		e.number = 1
		for _, c := range slices.Backward(p.at.children) {
			if c.name == name {
				e.number = c.number + 1
				break
			}
		}
	}
	p.at.children = append(p.at.children, e)
	return e, nil
}

// valueName matches the names of values, "FirstName". The names of containers are in capitals.
var valueName = regexp.MustCompile(`^[A-Z]+[a-z][A-Za-z]*$`)

// attribute reads an attribute. One that stores a value becomes an element, as some systems write values.
func (p *parser) attribute(e *element, a xml.Attr) error {
	value := strings.TrimSpace(a.Value)
	switch name := a.Name.Local; name {
	case "nil":
		e.null = value == "true" || value == "1"
	case "SequenceNumber", "label", "from", "to", "LoanRoleType", "MISMOReferenceModelIdentifier",
		"MISMOVersionIdentifier", "MISMOVersionID":
		if e.marks == nil {
			e.marks = &marks{}
		}
		e.marks.set(name, value)
	default:
		// only an attribute of a container is a value of it
		if a.Name.Space != "" || valueName.MatchString(strings.TrimPrefix(e.name, foreign)) || !valueName.MatchString(name) {
			return nil
		}
		child, err := p.add(name)
		if err != nil {
			return err
		}
		child.addText([]byte(value))
		p.finish(child)
	}
	return nil
}

func (m *marks) set(name, value string) {
	switch name {
	case "SequenceNumber":
		if n, err := strconv.Atoi(value); err == nil && n < maxSequence {
			m.sequence = n
		}
	case "label":
		m.label = value
	case "from":
		m.from = value
	case "to":
		m.to = value
	case "LoanRoleType":
		m.loanRole = value
	default:
		m.version = value
	}
}

// addText adds text to the element, in whatever pieces it arrives.
func (e *element) addText(text []byte) {
	if e.text == "" {
		text = bytes.TrimLeft(text, " \t\r\n")
	}
	if len(text) == 0 {
		return
	}
	if len(e.text)+len(text) > maxText {
		text = bytes.TrimRight(text, " \t\r\n")
	}
	e.hasText = true
	if e.tooLong = e.tooLong || len(e.text)+len(text) > maxText; e.tooLong {
		e.text = ""
		return
	}
	e.text += string(text)
}

// secret reports whether the element contains a Social Security number or another taxpayer's number.
func (e *element) secret() bool {
	return strings.HasPrefix(strings.TrimPrefix(e.name, foreign), "TaxpayerIdentifierValue") ||
		strings.Contains(e.name, "SSN") || strings.Contains(e.name, "SocialSecurityNumber")
}

// finish drops what must not be stored of an element's text, and finds out whether the text can be used.
func (p *parser) finish(e *element) {
	if e.text = strings.TrimSpace(e.text); strings.ContainsAny(e.text, "\t\r\n") { // from an indented file
		e.text = strings.Join(strings.Fields(e.text), " ")
	}
	switch {
	case len(e.children) > 0 || e.null:
		e.text, e.hasText = "", false // the text beside child elements
	case !e.hasText:
	case e.secret():
		if digits := digitsOf(e.text); len(digits) == 9 {
			p.ssns[digits] = true
			e.problem = heloc.NormalizeSSN(digits).Problem
			e.text = withheld
		} else {
			e.text = "" // no SSN, such as XXX-XX-6789
		}
	case e.tooLong:
		e.problem = "It’s longer than " + strconv.Itoa(maxText) + " characters"
	default:
		e.text, e.problem = readable(e.text, p.encoding)
		e.broken = e.problem != ""
		if nineDigits.MatchString(e.text) {
			if masked, found := heloc.MaskSSNs(e.text); found {
				e.text, e.problem = masked, problemSSN
			}
		}
	}
}

const problemSSN = "It has a Social Security number, which was dropped"

func digitsOf(text string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, text)
}

var nineDigits = regexp.MustCompile(`\d(?:[-. /_]?\d){8,}`)

// dropSSNs drops the SSNs of the file wherever else they are, in any spelling.
func (p *parser) dropSSNs(e *element) {
	if len(p.ssns) == 0 {
		return
	}
	if len(e.text) >= len("900123456") {
		masked := nineDigits.ReplaceAllStringFunc(e.text, func(run string) string {
			if p.ssns[digitsOf(run)] {
				return "XXX-XX-XXXX"
			}
			return run
		})
		if masked != e.text {
			e.text, e.problem = masked, problemSSN
		}
	}
	for _, c := range e.children {
		p.dropSSNs(c)
	}
}

// scanTags refuses declarations and long tags without parsing: the parser would collect the attributes of a tag
// before it could be stopped. Where this reads malformed text in another way than the parser, the parser ends there.
func scanTags(text []byte) error {
	for {
		start := bytes.IndexByte(text, '<')
		if start < 0 {
			return nil
		}
		text = text[start:]
		var length int
		switch {
		case bytes.HasPrefix(text, []byte("<!--")):
			length = lengthTo(text, 4, "-->")
		case bytes.HasPrefix(text, []byte("<![CDATA[")):
			length = lengthTo(text, 9, "]]>")
		case bytes.HasPrefix(text, []byte("<?")):
			length = lengthTo(text, 2, "?>")
		case bytes.HasPrefix(text, []byte("<!")):
			return errDeclaration
		default:
			if length = tagLength(text); length > maxTag {
				return errTooComplex
			}
		}
		if length < 0 {
			return errMalformed
		}
		text = text[length:]
	}
}

// lengthTo returns the length up to and including an ending; negative if it is missing.
func lengthTo(text []byte, from int, ending string) int {
	at := bytes.Index(text[from:], []byte(ending))
	if at < 0 {
		return at
	}
	return from + at + len(ending)
}

// tagLength returns the length of a tag. It stops counting above the limit, and returns a negative number for a tag
// that does not end.
func tagLength(text []byte) int {
	quote := byte(0)
	for i, c := range text {
		switch {
		case i > maxTag:
			return i
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '>':
			return i + 1
		}
	}
	return -1
}

// marked returns the attributes of the element, which may have none. It accepts nil.
func (e *element) marked() marks {
	if e == nil || e.marks == nil {
		return marks{}
	}
	return *e.marks
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

// first returns the first of several children that has text; nil if none has.
func (e *element) first(names ...string) *element {
	for _, name := range names {
		if c := e.path(name); c != nil && c.hasText {
			return c
		}
	}
	return nil
}

// all returns the outermost descendants with a name, in the order of the document, without those inside elements to
// skip. It accepts nil.
func (e *element) all(name string, skip ...string) []*element {
	if e == nil {
		return nil
	}
	var found []*element
	for _, c := range e.children {
		switch {
		case c.name == name:
			found = append(found, c)
		case !slices.Contains(skip, c.name):
			found = append(found, c.all(name, skip...)...)
		}
	}
	return found
}

// up returns the element itself or the nearest one around it that has one of the names; nil if there is none.
func (e *element) up(names ...string) *element {
	for e != nil && !slices.Contains(names, e.name) {
		e = e.parent
	}
	return e
}

// peek returns the text at a path; "" if there is none that can be used.
func (e *element) peek(names ...string) string {
	if e = e.path(names...); e == nil || e.problem != "" {
		return ""
	}
	return e.text
}

// flag returns the xs:boolean at a path, in any case; known is false if there is none.
func (e *element) flag(names ...string) (set, known bool) {
	switch strings.ToLower(e.peek(names...)) {
	case "true", "1":
		return true, true
	case "false", "0":
		return false, true
	}
	return false, false
}

// use marks the values at a path of the element as used.
func (e *element) use(names ...string) {
	if e = e.path(names...); e != nil {
		e.used = true
	}
}

// things are the elements that repeat. A place numbers them.
var things = []string{"PARTY", "ASSET", "LIABILITY", "LOAN", "COLLATERAL", "EMPLOYER", "RESIDENCE",
	"CURRENT_INCOME_ITEM", "CONTACT_POINT", "PROPERTY_VALUATION", "LOAN_IDENTIFIER", "OWNED_PROPERTY",
	"OWNED_PROPERTY_MORTGAGE"}

// place says where the element is: the thing that it belongs to, its container and its name. Labels are not in it,
// because they can have an SSN.
func (e *element) place() string {
	parts := []string{e.numbered()}
	up := e.parent
	for up != nil && up.made {
		up = up.parent
	}
	if up != nil && !slices.Contains(things, e.name) {
		parts = append(parts, up.numbered())
		if thing := up.up(things...); thing != nil && thing != up {
			parts = append(parts, thing.numbered())
		}
	}
	slices.Reverse(parts)
	return strings.Join(parts, " / ")
}

// numbered returns the name of the element, with its number if it repeats.
func (e *element) numbered() string {
	name := strings.TrimPrefix(e.name, foreign)
	if len(name) > 60 {
		name = name[:60]
	}
	if e.number == 0 {
		return name
	}
	return name + " " + strconv.Itoa(int(e.number))
}

// maxSays is the length of the file's own words, in bytes.
const maxSays = 160

// source is where the element is, and its words.
func (e *element) source() Source {
	if e == nil {
		return Source{}
	}
	return Source{short(e.text), e.place()}
}

// short bounds a text to the length of a source.
func short(text string) string {
	if len(text) <= maxSays {
		return text
	}
	return strings.ToValidUTF8(text[:maxSays], "") + "…"
}
