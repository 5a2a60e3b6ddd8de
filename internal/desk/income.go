package desk

import (
	"context"
	"strings"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/vault"
)

// checkIncome refuses an answer about income that the lender would refuse: the live one
// requires an employment and gross pay (interface-live.md section 2), the documented one
// an answer at all. Nothing is filled in for the person.
func (l *Lead) checkIncome(in heloc.Income, missing string, answered bool) error {
	var wrong []fault.Field
	if l.d.LiveDialect() {
		if in.EmploymentType == "" {
			wrong = append(wrong, fault.Field{Name: "income.employmentType", Message: "Choose the employment"})
		}
		if in.GrossAnnual == nil {
			wrong = append(wrong, fault.Field{Name: "income.grossAnnualIncome", Message: "Enter annual gross pay; 0 if there is none"})
		}
	} else if !answered {
		wrong = append(wrong, fault.Field{Name: "income.grossAnnualIncome", Message: missing})
	}
	if len(wrong) == 0 {
		return nil
	}
	return fault.InvalidFields(wrong...)
}

// incomeSent is the income that the inquiry was started with, by the names of the controls
// that ask for it again. Typed income is kept only in the draft of a lead, so it is nil
// without one. A draft that cannot be read must not close the lead: the fields stay empty
// then, and are required.
func (l *Lead) incomeSent(ctx context.Context) FormValues {
	if !l.d.LiveDialect() || l.row.StatusKey.NextOperation() != heloc.OpAssetDepletion {
		return nil
	}
	row, err := l.d.Store.DraftOfLead(ctx, l.row.App)
	if err != nil {
		return nil
	}
	draft, err := vault.UnsealJSON[FormValues](l.d.Vault, journal.DraftAAD(row.ID), row.Sealed)
	if err != nil {
		return nil
	}
	sent := FormValues{}
	for name, values := range draft {
		if control, ok := strings.CutPrefix(name, "applicant.income."); ok && len(values) > 0 && values[0] != "" {
			sent["income."+control] = values[:1]
		}
	}
	return sent
}
