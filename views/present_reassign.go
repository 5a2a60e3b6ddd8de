package views

import "hearthline/views/ui"

// assigneeField lists the originators that the search found, each with the NMLS number.
func assigneeField(f Form, find PersonSearchView) ui.Field {
	field := f.field(ui.Field{Name: "newLoanOriginatorUuid", Required: true, Span: "people"})
	field.Options = make([]ui.Option, len(find.People))
	for i, o := range find.People {
		o.Selected = o.Value == field.Value
		field.Options[i] = o
	}
	return field
}
