// Package team contains the screens for managers: people and invitations, unassigned leads, and reassigning.
package team

import (
	"hearthline/views/ui"
)

// foundText says how many people were found; without any, the text in place of the list says why.
func (v PersonSearchView) foundText() string {
	if len(v.People) == 0 {
		return ""
	}
	return v.ResultText
}

// assigneeField lists the originators that the search found, each with the NMLS number.
func assigneeField(f ui.Form, search PersonSearchView) ui.Field {
	field := f.Field(ui.Field{Name: "newLoanOriginatorUuid", Required: true, Span: "people"})
	field.Options = make([]ui.Option, len(search.People))
	for i, o := range search.People {
		o.Selected = o.Value == field.Value
		field.Options[i] = o
	}
	return field
}
