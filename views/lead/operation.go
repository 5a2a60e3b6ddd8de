package lead

import "hearthline/views/ui"

// liveSubject is the lead that the live part follows, or any lead if the start was not found yet.
func (v OperationView) liveSubject() string {
	if v.App == "" {
		return ui.AnyLead
	}
	return v.App
}

// correctedFacts lists the values that were corrected before sending.
func (v OperationView) correctedFacts() []ui.Fact {
	facts := make([]ui.Fact, len(v.Corrected))
	for i, c := range v.Corrected {
		facts[i] = ui.FactOrDash(ui.LabelOf(c.Name)+", entered “"+c.Value+"”", "“"+c.Corrected+"”")
	}
	return facts
}

// required describes what the live lender requires with every answer to the step.
func (v *IncomeView) required(debts bool) string {
	text := "The lender requires employment and annual gross pay."
	if debts {
		text = "The lender requires employment and annual gross pay, even if you only choose debts to pay off."
	}
	if v.Sent {
		text += " Filled in from the inquiry; correct what has changed."
	}
	return text
}

// incomeTitle is the heading of the income below the debts: the live lender requires it with every answer.
func (v *IncomeView) incomeTitle() string {
	if v.LiveDialect {
		return "Income"
	}
	return "Add income (optional)"
}

func contactHow(f ui.Form) ui.Field {
	of := f.Field(ui.Field{Name: "contact.how", Required: true})
	of.Options = ui.Choices(of.Value, [2]string{"call", "I called"}, [2]string{"text", "I texted"},
		[2]string{"email", "I emailed"}, [2]string{"link", "I sent the link"}, [2]string{"in-person", "In person"})
	return of
}

func (f FreezeView) bureausField() ui.Field {
	field := f.LiftForm.Field(ui.Field{Name: "thaw.bureaus", ID: "thaw-thaw.bureaus", Label: "Bureaus where it’s lifted",
		Hint: "Leave unchecked if unknown."})
	field.Options = f.Bureaus
	return field
}

func (f FreezeView) planHasErrors() bool {
	return len(f.LiftForm.FieldErrors) > 0 || f.LiftForm.FormError != ""
}

func (f FreezeView) planTitle() string {
	if f.LiftPlan != "" {
		return "Change schedule…"
	}
	return "Schedule the re-pull…"
}

// repullIsOpen keeps a re-pull that needs an answer in view.
func (v *CreditView) repullIsOpen() bool {
	f := v.Form
	return len(f.FieldErrors) > 0 || f.FormError != "" || f.Blocked || f.RepeatRisk != ""
}

func (v *CreditView) repullKind() string {
	if v.Lifted {
		return "pri"
	}
	return ""
}
