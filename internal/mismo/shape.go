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

// detailOf maps an element to the child that has its values in the standard.
var detailOf = map[string]string{"BORROWER": "BORROWER_DETAIL", "LIABILITY": "LIABILITY_DETAIL",
	"RESIDENCE": "RESIDENCE_DETAIL", "SUBJECT_PROPERTY": "PROPERTY_DETAIL", "PROPERTY": "PROPERTY_DETAIL",
	"ASSET": "ASSET_DETAIL", "OWNED_PROPERTY": "OWNED_PROPERTY_DETAIL"}

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
	case "ADDRESS":
		e.lift("ADDRESS")
	case "CONTACT_POINTS":
		e.splitContacts()
	case "CONTACT":
		e.readAsContactPoint()
	case "OWNED_PROPERTY":
		e.wrap("PROPERTY", "ADDRESS")
	case "OWNED_PROPERTY_MORTGAGE":
		for _, c := range e.children {
			c.name = strings.TrimPrefix(c.name, "OwnedPropertyMortgage")
		}
	}
	if detail := detailOf[e.name]; detail != "" {
		e.wrapValues(detail)
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

// wrap puts a child into the container that the standard puts around it.
func (e *element) wrap(around, name string) {
	if c := e.path(name); c != nil && e.path(around) == nil {
		e.children = slices.DeleteFunc(e.children, func(o *element) bool { return o == c })
		e.make(around).adopt(c)
	}
}

// wrapValues moves the values of an element into its detail, except those that it has.
func (e *element) wrapValues(detail string) {
	var values []*element
	to := e.path(detail)
	for _, c := range e.children {
		if len(c.children) == 0 && c.hasText && valueName.MatchString(c.name) && to.first(c.name) == nil {
			values = append(values, c)
		}
	}
	if len(values) == 0 {
		return
	}
	e.children = slices.DeleteFunc(e.children, func(c *element) bool { return slices.Contains(values, c) })
	if to == nil {
		to = e.make(detail)
	}
	to.adopt(values...)
}

// make adds a container that the document does not have.
func (e *element) make(name string) *element {
	c := &element{name: name, made: true}
	e.adopt(c)
	return c
}

// readAsContactPoint turns a contact that has its own value and type into a contact point.
func (e *element) readAsContactPoint() {
	value := e.path("ContactPointValue")
	if value == nil {
		return
	}
	switch strings.ToLower(e.peek("ContactPointType")) {
	case "email":
		value.name = "ContactPointEmailValue"
	case "phone", "telephone", "mobile", "cell":
		value.name = "ContactPointTelephoneValue"
	default:
		return
	}
	e.name = "CONTACT_POINT"
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
