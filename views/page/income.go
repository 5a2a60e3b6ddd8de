package page

import (
	"hearthline/views/text"
	"hearthline/views/ui"
)

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
