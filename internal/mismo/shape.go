package mismo

import (
	"slices"
	"strings"
)

// inPlural maps an element to the plural around its children that some systems write inside it.
var inPlural = map[string]string{"RESIDENCE": "RESIDENCES", "SUBJECT_PROPERTY": "ADDRESSES", "PROPERTY": "ADDRESSES"}

// standardName is the name that the standard gives an element.
func standardName(name string) string {
	if strings.HasSuffix(name, "_DETAILS") { // the standard has no such element
		return strings.TrimSuffix(name, "S")
	}
	return name
}

// reshape moves what some systems nest in another way to where the standard has it, so that the rest of the reader
// knows one shape.
func (e *element) reshape() {
	switch e.name {
	case "SUBJECT_PROPERTY":
		e.lift("PROPERTY")
	case "ROLE":
		e.moveUp("ROLE_DETAIL", "BORROWER_DETAIL")
	case "LIABILITY":
		e.moveUp("LIABILITY_DETAIL", "LIABILITY_HOLDER")
	case "CONTACT_POINTS":
		e.splitContacts()
	}
	if plural, ok := inPlural[e.name]; ok && e.path(strings.TrimSuffix(plural, "ES")) == nil {
		e.lift(plural)
	}
	for _, c := range e.children {
		c.reshape()
	}
}

// adopt adds children that were another's.
func (e *element) adopt(children ...*element) {
	for _, c := range children {
		c.parent = e
	}
	e.children = append(e.children, children...)
}

// lift replaces a child by its children.
func (e *element) lift(name string) {
	c := e.path(name)
	if c == nil {
		return
	}
	e.children = slices.DeleteFunc(e.children, func(o *element) bool { return o == c })
	e.adopt(c.children...)
}

// moveUp makes a child's child one's own.
func (e *element) moveUp(child, name string) {
	from := e.path(child)
	c := from.path(name)
	if c == nil || e.path(name) != nil {
		return
	}
	from.children = slices.DeleteFunc(from.children, func(o *element) bool { return o == c })
	e.adopt(c)
}

// splitContacts makes a contact point of each phone number and email address of one that has several. The detail that
// follows says of which kind a number is.
func (e *element) splitContacts() {
	before := e.children
	e.children = nil
	for _, p := range before {
		if p.name != "CONTACT_POINT" ||
			len(p.each("CONTACT_POINT_TELEPHONE"))+len(p.each("CONTACT_POINT_EMAIL")) < 2 {
			e.children = append(e.children, p)
			continue
		}
		var one *element
		for _, c := range p.children {
			switch {
			case c.name == "CONTACT_POINT_TELEPHONE", c.name == "CONTACT_POINT_EMAIL", one == nil:
				one = &element{name: p.name, number: p.number}
				e.adopt(one)
			}
			one.adopt(c)
		}
	}
}
