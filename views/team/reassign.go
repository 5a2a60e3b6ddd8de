// Package team contains the screens for managers: people and invitations, unassigned leads, and reassigning.
package team

import (
	"cmp"
	"context"

	"github.com/a-h/templ"

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

// previewHx fetches the review again after a change. The response is only a preview: a fragment reassigns nothing.
func (v BulkReassignView) previewHx(ctx context.Context) templ.OrderedAttributes {
	return ui.Hx{
		Post: v.Page.Base.Reassignments(), Trigger: "change", Target: "#review", Include: "#form-many",
		SyncSelector: "#form-many", SkipValidation: true,
	}.Attrs(ctx)
}

// sentence says how many leads are selected and who would get how many.
func (v BulkReassignView) sentence() string {
	if v.Spread == "" {
		return v.Selected
	}
	return v.Selected + ": " + v.Spread
}

func (v BulkReassignView) columns() []ui.Column {
	all := []ui.Column{{Label: "Borrower"}, {Label: "Property", Class: "c-place"}, {Label: "Next step"}}
	if v.Owner == "" {
		all = append(all, ui.Column{Label: "Current originator"})
	}
	return append(all, ui.Column{Label: "New originator"})
}

// label names a lead for screen readers.
func (r *BulkReassignRow) label() string { return cmp.Or(r.Name, r.ShortID) }
