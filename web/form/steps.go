package form

import (
	"hearthline/internal/heloc"
	"hearthline/views/text"
)

// Income reads a group of income controls. The caller checks which of them the lender requires.
func (f *Form) Income(group string) heloc.Income {
	return heloc.Income{
		EmploymentType: heloc.EmploymentType(f.Choice(group+".employmentType", text.Employments(f.LiveDialect))),
		GrossAnnual:    f.Money(group + ".grossAnnualIncome"), OtherAnnual: f.Money(group + ".otherAnnualIncome"),
		RetirementAnnual: f.Money(group + ".annualRetirementIncome"),
		InvestmentAnnual: f.Money(group + ".annualInvestmentIncome"),
		BusinessAnnual:   f.Money(group + ".annualBusinessIncome"), Savings: f.Money(group + ".savingsAmount"),
	}
}

// Liens reads the rows of a group. A row with any text must have everything the lender requires of
// a lien; a current balance of zero means that the lien is paid off.
func (f *Form) Liens(group string, today heloc.Date) []heloc.LienInput {
	var liens []heloc.LienInput
	for _, index := range f.RowIndexes(group) {
		at := group + "." + index + "."
		lien := heloc.LienInput{
			LienUUID: f.Text(at + "lienUuid"),
			LenderName: f.Normalized(at+"lenderName", heloc.NormalizeLender,
				"Use only letters, numbers, spaces, hyphens and apostrophes"),
			OriginationDate: f.PastDate(at+"originationDate", today),
			OriginalBalance: f.Money(at + "originalBalance"), CurrentBalance: f.Money(at + "currentBalance"),
			MonthlyPayment: f.Money(at + "monthlyPayment"),
		}
		if lien.LenderName == "" {
			f.AddError(at+"lenderName", "Enter the lender")
		}
		if lien.OriginationDate == "" {
			f.AddError(at+"originationDate", "Enter the date it was opened")
		}
		if lien.OriginalBalance == nil {
			f.AddError(at+"originalBalance", "Enter the original amount")
		}
		liens = append(liens, lien)
	}
	return liens
}
