package lead

import (
	"context"
	"strings"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// checkIncome refuses income that the lender would refuse.
func (l *Lead) checkIncome(in heloc.Income, missing string, answered bool) error {
	return fault.CheckFields(l.wrongIncome(in, missing, answered))
}

// wrongIncome lists the controls of income that the lender would refuse: the live dialect requires an employment type
// and gross pay (interface-live.md section 2), the documented one any answer. It fills in nothing for the user.
func (l *Lead) wrongIncome(in heloc.Income, missing string, answered bool) []fault.Field {
	var wrong []fault.Field
	if l.d.LiveDialect() {
		if in.EmploymentType == "" {
			wrong = append(wrong, fault.Field{Name: "income.employmentType", Message: "Choose an employment type"})
		}
		if in.GrossAnnual == nil {
			wrong = append(wrong, fault.Field{Name: "income.grossAnnualIncome", Message: "Enter annual gross pay, or 0 if none"})
		}
	} else if !answered {
		wrong = append(wrong, fault.Field{Name: "income.grossAnnualIncome", Message: missing})
	}
	return wrong
}

// checkAssetDepletion refuses an answer without what the step asks for: income at more-assets, where debts to pay off
// only add to it, and debts at payoff (section 3). At payoff, the documented dialect also accepts income alone; the
// live one gets the income of the inquiry again with every answer, which answers nothing. Without a debt to choose
// from, income is all there is.
func (l *Lead) checkAssetDepletion(ctx context.Context, a heloc.AssetDepletion) error {
	answered := !a.Income.NoAmount()
	if l.d.Row.Step == heloc.StepMoreAssets {
		return l.checkIncome(a.Income, "Enter income or savings", answered)
	}
	if len(a.AccountsToPayoff) > 0 || answered && !l.d.LiveDialect() {
		return l.checkIncome(a.Income, "", true)
	}
	details, _, err := l.d.Details(ctx)
	if err != nil {
		return err
	}
	if existing := details.App.Payoff.Existing; existing == nil || len(existing.Eligible) == 0 {
		return l.checkIncome(a.Income, "Enter income or savings", answered)
	}
	missing := "Choose at least one debt to pay off"
	if !l.d.LiveDialect() {
		missing += ", or enter income or savings"
	}
	debts := fault.Field{Name: "liabilityPayoff.selectedAccountsToPayoff", Message: missing}
	return fault.CheckFields(append([]fault.Field{debts}, l.wrongIncome(a.Income, "", true)...))
}

// IncomeSent returns the income that the inquiry was started with, by the names of the controls that ask for it
// again; nil if the lender does not require it, or if it is not stored. It shows borrower data, so a user's first look
// at a lead's income is logged as a reveal, and a user who may reveal nothing more for now gets empty fields.
func (l *Lead) IncomeSent(ctx context.Context) (lead.FormValues, error) {
	if err := l.d.May(access.ActOnLead); err != nil {
		return nil, err
	}
	sent := l.incomeSent(ctx)
	if len(sent) == 0 {
		return nil, nil
	}
	seen, err := l.d.Store.HasRevealed(ctx, l.d.Row.App, l.d.Actor.UserID, reasonPrefill)
	if err != nil || seen {
		return sent, err
	}
	err = l.logReveal(ctx, RevealRequest{Action: store.ActionReveal, Fields: []string{"income"}, Reason: reasonPrefill})
	if fault.Is(err, fault.Unavailable) {
		return nil, nil
	}
	return sent, err
}

// incomeSent reads the income from the lead's draft, the only place where typed income is stored. An unreadable draft
// must not make the lead unusable: then the fields stay empty and are required.
func (l *Lead) incomeSent(ctx context.Context) lead.FormValues {
	if !l.d.LiveDialect() || l.d.Row.StatusKey.NextOperation() != heloc.OpAssetDepletion {
		return nil
	}
	row, err := l.d.Store.DraftOfLead(ctx, l.d.Row.App)
	if err != nil {
		return nil
	}
	draft, err := vault.UnsealJSON[lead.FormValues](l.d.Vault, vault.DraftAAD(row.ID), row.Sealed)
	if err != nil {
		return nil
	}
	sent := lead.FormValues{}
	for name, values := range draft {
		if control, ok := strings.CutPrefix(name, "applicant.income."); ok && len(values) > 0 && values[0] != "" {
			sent["income."+control] = values[:1]
		}
	}
	return sent
}
