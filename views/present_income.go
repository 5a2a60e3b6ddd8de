package views

import (
	"hearthline/views/ui"
	"hearthline/views/words"
)

// incomeFields are the money fields of income, under "income" or
// "applicant.income".
func incomeFields(f Form, group, prefix string) []ui.Field {
	out := make([]ui.Field, 0, 6)
	for _, n := range []string{"grossAnnualIncome", "otherAnnualIncome", "annualRetirementIncome", "annualInvestmentIncome", "annualBusinessIncome", "savingsAmount"} {
		name := group + "." + n
		field := ui.Field{Name: name, ID: prefix + name}
		if n != "grossAnnualIncome" {
			field.Optional = "if any"
		}
		out = append(out, f.field(field))
	}
	return out
}

func requiredIf(required bool, f ui.Field) ui.Field {
	f.Required = required
	return f
}

func employmentField(f Form, group, prefix string, live bool) ui.Field {
	name := group + ".employmentType"
	return f.selectField(ui.Field{Name: name, ID: prefix + name}, words.Employments(live))
}
