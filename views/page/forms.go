package page

import (
	"strconv"
	"strings"

	"hearthline/views/text"
	"hearthline/views/ui"
)

func (c ConsentText) consentView(f ui.Form, prefix string) ui.ConsentView {
	attested := "The borrower heard or read this disclosure and agreed."
	if c.Borrower != "" {
		attested = c.Borrower + " heard or read this disclosure and agreed."
	}
	recorded := "Your name and the time are recorded."
	switch {
	case strings.Contains(c.ReadBy, "NMLS"):
		recorded = "Your name and NMLS ID (" + c.ReadBy + ") and the time are recorded."
	case c.ReadBy != "":
		recorded = "Your name (" + c.ReadBy + ") and the time are recorded."
	}
	method := f.Field(ui.Field{Name: "consent.method", ID: prefix + "consent.method", Required: true})
	method.Options = ui.Choices(method.Value, text.Consents()...)
	return ui.ConsentView{
		Text: c.Text, Version: c.Version, Method: method,
		Attested: f.Field(ui.Field{Name: "consent.attested", ID: prefix + "consent.attested", Label: attested,
			Optional: recorded, Required: true}),
	}
}

// IncomeFields are the money fields of income, under "income" or
// "applicant.income".
func IncomeFields(f ui.Form, group, prefix string) []ui.Field {
	out := make([]ui.Field, 0, 6)
	for _, n := range []string{"grossAnnualIncome", "otherAnnualIncome", "annualRetirementIncome",
		"annualInvestmentIncome", "annualBusinessIncome", "savingsAmount"} {
		name := group + "." + n
		field := ui.Field{Name: name, ID: prefix + name}
		if n != "grossAnnualIncome" {
			field.Optional = "(optional)"
		}
		out = append(out, f.Field(field))
	}
	return out
}

// RequiredIf makes the field required under a condition.
func RequiredIf(required bool, f ui.Field) ui.Field {
	f.Required = required
	return f
}

// EmploymentField is the kind of employment under "income" or "applicant.income"; live offers the live lender's kinds.
func EmploymentField(f ui.Form, group, prefix string, live bool) ui.Field {
	name := group + ".employmentType"
	return f.SelectField(ui.Field{Name: name, ID: prefix + name}, text.Employments(live))
}

// lienRow is one lien of a form, "liens" or "property.liens".
type lienRow struct {
	form   ui.Form
	group  string
	index  string
	number int // its number, starting at one
}

// lienRows returns the rows of a form, at least minRows.
func lienRows(f ui.Form, group string, minRows int) []lienRow {
	indexes := f.RowIndexes(group)
	out := make([]lienRow, 0, len(indexes)+1)
	for i, index := range indexes {
		out = append(out, lienRow{f, group, index, i + 1})
	}
	for i := len(out); i < minRows; i++ {
		out = append(out, lienRow{f, group, strconv.Itoa(i), i + 1})
	}
	return out
}

func lienRowTemplate(group string) lienRow { return lienRow{ui.Form{}, group, "__i__", 0} }

func (r lienRow) name(of string) string { return r.group + "." + r.index + "." + of }

func (r lienRow) field(of, span string) ui.Field {
	return r.form.Field(ui.Field{Name: r.name(of), Label: ui.LabelOf(of), Span: span})
}

func (r lienRow) originationDate() ui.Field {
	f := r.field("originationDate", "c2")
	f.Mode, f.Placeholder = "numeric", "mm/dd/yyyy"
	return f
}

func (r lienRow) rowView() ui.RowView {
	v := ui.RowView{
		Index: r.index, Nth: text.Ordinal(r.number), Noun: "lien",
		Remove: ui.Action{Label: "Remove this lien", Name: "row.remove", Value: r.group + "." + r.index},
	}
	if r.index == "__i__" {
		v.Nth = "New"
	}
	if r.lenderID() != "" {
		v.HasChip, v.Chip = true, ui.ChipView{Icon: "search", Label: "Found by the lender"}
	}
	return v
}

func (r lienRow) lenderID() string { return r.form.Value(r.name("lienUuid")) }

// LienRowsView is the group of lien rows named "liens" or "property.liens", with its button for another row.
func LienRowsView(group string) ui.RowsView {
	return ui.RowsView{ID: group, Add: ui.Action{Label: "Add a lien", Name: "row.add", Value: group}}
}
