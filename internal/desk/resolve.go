package desk

import (
	"context"
	"errors"
	"fmt"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/partner"
	"hearthline/internal/pii"
)

// AddSSN sends the borrower's SSN, encrypted (section 4.11).
func (l *Lead) AddSSN(ctx context.Context, operationID string, ssn pii.Secret[string]) (lead.Operation, error) {
	if err := l.d.may(access.SendSSN); err != nil {
		return lead.Operation{}, err
	}
	return l.submit(ctx, leadWrite{
		kind: heloc.OpAddSSN, permission: access.ActOnLead, steps: []heloc.Step{heloc.StepCreditMatch}, operationID: operationID,
		digestContent: []string{"ssn"},
		send: func(ctx context.Context, by heloc.OriginatorID) (partner.WriteResult, error) {
			return l.d.lender.AddSSN(ctx, l.row.App, by, ssn)
		},
	})
}

// RepullCredit requests the credit report again, with a consent taken for it (section 4.12).
func (l *Lead) RepullCredit(ctx context.Context, operationID string, c Consent) (lead.Operation, error) {
	if err := l.d.may(access.ActOnLead); err != nil {
		return lead.Operation{}, err
	}
	consent, err := l.d.checkConsent(c)
	if err != nil {
		return lead.Operation{}, err
	}
	op, err := l.submitRepull(ctx, operationID, []string{c.Method, c.Version}, consent)
	if op.State == lead.OpSucceeded || op.State == lead.OpUnknown {
		// The planned request would be a second pull. If the cancellation fails, the plan finds this operation when
		// it comes due and requests nothing.
		err = errors.Join(err, l.cancelSupersededPlan(ctx))
	}
	return op, err
}

// submitRepull submits a re-pull with a consent that has been checked.
func (l *Lead) submitRepull(ctx context.Context, operationID string, content []string, consent *lead.Consent) (lead.Operation, error) {
	return l.submit(ctx, leadWrite{
		kind: heloc.OpRepullCredit, permission: access.ActOnLead, steps: []heloc.Step{heloc.StepUnfreezeCredit}, operationID: operationID,
		digestContent: content, consent: consent,
		send: func(ctx context.Context, by heloc.OriginatorID) (partner.WriteResult, error) {
			return l.d.lender.RepullCredit(ctx, l.row.App, by)
		},
	})
}

// VerifyLiens sends the liens as the borrower confirms them (section 4.13). Every id must be one that the lender
// returned. Fields that were sent in another spelling than typed are stored for the receipt.
func (l *Lead) VerifyLiens(ctx context.Context, operationID string, liens []heloc.LienInput, spelled []SpellingChange) (lead.Operation, error) {
	if err := l.d.may(access.ActOnLead); err != nil {
		return lead.Operation{}, err
	}
	known, err := l.View(ctx)
	if err != nil {
		return lead.Operation{}, err
	}
	ids := map[string]bool{"": true}
	for _, lien := range known.Details.App.Liens {
		ids[lien.LienUUID] = true
	}
	content := make([]string, 0, len(liens))
	for i, lien := range liens {
		if !ids[lien.LienUUID] {
			return lead.Operation{}, fault.InvalidFields(fault.Field{
				Name: fmt.Sprintf("liens.%d.lenderName", i), Message: "The lender no longer lists this lien. Remove the row and add it again",
			})
		}
		content = append(content, fmt.Sprint(lien.LienUUID, "|", lien.OriginationDate, "|", lien.LenderName, "|", digestAmount(lien.OriginalBalance), "|", digestAmount(lien.CurrentBalance), "|", digestAmount(lien.MonthlyPayment)))
	}
	return l.submit(ctx, leadWrite{
		kind: heloc.OpVerifyLiens, permission: access.ActOnLead, steps: []heloc.Step{heloc.StepLienMatching}, operationID: operationID, digestContent: content,
		prepare: l.saveChoice(heloc.OpVerifyLiens, choice{SpellingChanges: spelled}),
		send: func(ctx context.Context, by heloc.OriginatorID) (partner.WriteResult, error) {
			return l.d.lender.VerifyLiens(ctx, l.row.App, by, liens)
		},
	})
}

// AssetDepletion sends income and the debts to pay off (section 4.15).
func (l *Lead) AssetDepletion(ctx context.Context, operationID string, a heloc.AssetDepletion) (lead.Operation, error) {
	if err := l.d.may(access.ActOnLead); err != nil {
		return lead.Operation{}, err
	}
	if err := l.checkAssetDepletion(ctx, a); err != nil {
		return lead.Operation{}, err
	}
	if err := l.checkEligibleDebts(ctx, "liabilityPayoff.selectedAccountsToPayoff", a.AccountsToPayoff); err != nil {
		return lead.Operation{}, err
	}
	return l.submit(ctx, leadWrite{
		kind: heloc.OpAssetDepletion, permission: access.ActOnLead, steps: []heloc.Step{heloc.StepMoreAssets, heloc.StepPayoff}, operationID: operationID,
		digestContent: append(incomeDigestContent(a.Income), a.AccountsToPayoff...), prepare: l.saveChoice(heloc.OpAssetDepletion, choice{Accounts: a.AccountsToPayoff}),
		send: func(ctx context.Context, by heloc.OriginatorID) (partner.WriteResult, error) {
			return l.d.lender.AssetDepletion(ctx, l.row.App, by, a)
		},
	})
}

// AddIncome sends income through the deprecated operation (section 4.14).
func (l *Lead) AddIncome(ctx context.Context, operationID string, income heloc.Income) (lead.Operation, error) {
	if err := l.d.may(access.ActOnLead); err != nil {
		return lead.Operation{}, err
	}
	if err := l.checkIncome(income, "Enter income or savings", !income.NoAmount()); err != nil {
		return lead.Operation{}, err
	}
	return l.submit(ctx, leadWrite{
		kind: heloc.OpAddIncome, permission: access.ActOnLead, steps: []heloc.Step{heloc.StepMoreAssets}, operationID: operationID,
		digestContent: incomeDigestContent(income),
		send: func(ctx context.Context, by heloc.OriginatorID) (partner.WriteResult, error) {
			return l.d.lender.AddIncome(ctx, l.row.App, by, income)
		},
	})
}

// AddPropertyEstimate sends the borrower's own estimate of the value (section 4.16).
func (l *Lead) AddPropertyEstimate(ctx context.Context, operationID string, value heloc.Money) (lead.Operation, error) {
	return l.submit(ctx, leadWrite{
		kind: heloc.OpPropertyValue, permission: access.ActOnLead, steps: []heloc.Step{heloc.StepPropertyValue}, operationID: operationID,
		digestContent: []string{value.String()},
		send: func(ctx context.Context, by heloc.OriginatorID) (partner.WriteResult, error) {
			return l.d.lender.AddPropertyEstimate(ctx, l.row.App, by, value)
		},
	})
}

// SelectProperty selects one of the candidates that the lender returned (section 4.10).
func (l *Lead) SelectProperty(ctx context.Context, operationID, property string) (lead.Operation, error) {
	if err := l.d.may(access.ActOnLead); err != nil {
		return lead.Operation{}, err
	}
	known, err := l.View(ctx)
	if err != nil {
		return lead.Operation{}, err
	}
	found := false
	if known.Properties != nil {
		for _, p := range known.Properties.Properties {
			found = found || p.ID == property
		}
	}
	if !found || property == "" {
		return lead.Operation{}, fault.InvalidFields(fault.Field{Name: "property.propertyId", Message: "Choose the borrower’s property"})
	}
	return l.submit(ctx, leadWrite{
		kind: heloc.OpSelectProperty, permission: access.ActOnLead, steps: []heloc.Step{heloc.StepSelectProperty}, operationID: operationID,
		digestContent: []string{property},
		send: func(ctx context.Context, by heloc.OriginatorID) (partner.WriteResult, error) {
			return l.d.lender.SelectProperty(ctx, l.row.App, by, property)
		},
	})
}

func incomeDigestContent(in heloc.Income) []string {
	return []string{
		string(in.EmploymentType), digestAmount(in.GrossAnnual), digestAmount(in.OtherAnnual), digestAmount(in.RetirementAnnual),
		digestAmount(in.InvestmentAnnual), digestAmount(in.BusinessAnnual), digestAmount(in.Savings),
	}
}

// digestAmount formats an amount for a digest; a missing amount differs from zero.
func digestAmount(m *heloc.Money) string {
	if m == nil {
		return "-"
	}
	return m.String()
}

// checkEligibleDebts refuses to pay off a debt that the lender does not list as eligible on this lead.
func (l *Lead) checkEligibleDebts(ctx context.Context, control string, accounts []string) error {
	if len(accounts) == 0 {
		return nil
	}
	view, err := l.View(ctx)
	if err != nil {
		return err
	}
	eligible := map[string]bool{}
	if existing := view.Details.App.Payoff.Existing; existing != nil {
		for _, debt := range existing.Eligible {
			eligible[debt.ID] = true
		}
	}
	for _, id := range accounts {
		if !eligible[id] {
			return fault.InvalidFields(fault.Field{Name: control, Message: "The lender can no longer pay off this debt. Choose from the debts listed"})
		}
	}
	return nil
}
