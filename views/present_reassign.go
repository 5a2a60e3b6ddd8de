package views

import "hearthline/views/ui"

// assigneeField lists the originators that the search found, each with the NMLS number.
func assigneeField(f Form, search PersonSearchView) ui.Field {
	field := f.field(ui.Field{Name: "newLoanOriginatorUuid", Required: true, Span: "people"})
	field.Options = make([]ui.Option, len(search.People))
	for i, o := range search.People {
		o.Selected = o.Value == field.Value
		field.Options[i] = o
	}
	return field
}
