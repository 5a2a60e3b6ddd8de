package lead

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"hearthline/internal/access"
	"hearthline/internal/desk/internal/core"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/partner"
	"hearthline/internal/pii"
)

// AddSSN sends the borrower's SSN, encrypted (section 4.11).
func (l *Lead) AddSSN(ctx context.Context, operationID string, ssn pii.Secret[string]) (lead.Operation, error) {
	if err := l.d.May(access.SendSSN); err != nil {
		return lead.Operation{}, err
	}
	return l.d.Submit(ctx, core.LeadWrite{
		Kind: heloc.OpAddSSN, Permission: access.ActOnLead, Steps: []heloc.Step{heloc.StepCreditMatch},
		OperationID:   operationID,
		DigestContent: []string{"ssn"},
		Send: func(ctx context.Context, by heloc.OriginatorID) (partner.WriteResult, error) {
			return l.d.Lender.AddSSN(ctx, l.d.Row.App, by, ssn)
		},
	})
}

// RepullCredit requests the credit report again, with a consent taken for it (section 4.12).
func (l *Lead) RepullCredit(ctx context.Context, operationID string, c lead.ConsentForm) (lead.Operation, error) {
	if err := l.d.May(access.ActOnLead); err != nil {
		return lead.Operation{}, err
	}
	consent, err := l.d.CheckConsent(c)
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
func (l *Lead) submitRepull(ctx context.Context, operationID string, content []string,
	consent *lead.Consent) (lead.Operation, error) {
	return l.d.Submit(ctx, core.LeadWrite{
		Kind: heloc.OpRepullCredit, Permission: access.ActOnLead, Steps: []heloc.Step{heloc.StepUnfreezeCredit},
		OperationID: operationID, DigestContent: content, Consent: consent,
		Send: func(ctx context.Context, by heloc.OriginatorID) (partner.WriteResult, error) {
			return l.d.Lender.RepullCredit(ctx, l.d.Row.App, by)
		},
	})
}

// VerifyLiens sends the liens as the borrower confirms them (section 4.13). Every id must be one that the lender
// returned. Fields that were sent in another spelling than typed are stored for the receipt.
func (l *Lead) VerifyLiens(ctx context.Context, operationID string, liens []heloc.LienInput,
	spelled []SpellingChange) (lead.Operation, error) {
	if err := l.d.May(access.ActOnLead); err != nil {
		return lead.Operation{}, err
	}
	known, _, err := l.d.Details(ctx)
	if err != nil {
		return lead.Operation{}, err
	}
	ids := map[string]bool{"": true}
	for _, lien := range known.App.Liens {
		ids[lien.LienUUID] = true
	}
	content := make([]string, 0, len(liens))
	for i, lien := range liens {
		if !ids[lien.LienUUID] {
			return lead.Operation{}, fault.InvalidField(fmt.Sprintf("liens.%d.lenderName", i),
				"The lender no longer lists this lien. "+
					"Remove the row and add it again")
		}
		content = append(content, fmt.Sprint(lien.LienUUID, "|", lien.OriginationDate, "|", lien.LenderName, "|",
			digestAmount(lien.OriginalBalance), "|", digestAmount(lien.CurrentBalance), "|", digestAmount(lien.MonthlyPayment)))
	}
	return l.d.Submit(ctx, core.LeadWrite{
		Kind: heloc.OpVerifyLiens, Permission: access.ActOnLead, Steps: []heloc.Step{heloc.StepLienMatching},
		OperationID: operationID, DigestContent: content,
		Prepare: SaveChoice(l.d, heloc.OpVerifyLiens, Choice{SpellingChanges: spelled}),
		Send: func(ctx context.Context, by heloc.OriginatorID) (partner.WriteResult, error) {
			return l.d.Lender.VerifyLiens(ctx, l.d.Row.App, by, liens)
		},
	})
}

// AssetDepletion sends income and the debts to pay off (section 4.15).
func (l *Lead) AssetDepletion(ctx context.Context, operationID string, a heloc.AssetDepletion) (lead.Operation, error) {
	if err := l.d.May(access.ActOnLead); err != nil {
		return lead.Operation{}, err
	}
	if err := l.checkAssetDepletion(ctx, a); err != nil {
		return lead.Operation{}, err
	}
	if err := l.d.CheckEligibleDebts(ctx, "liabilityPayoff.selectedAccountsToPayoff", a.AccountsToPayoff); err != nil {
		return lead.Operation{}, err
	}
	return l.d.Submit(ctx, core.LeadWrite{
		Kind: heloc.OpAssetDepletion, Permission: access.ActOnLead,
		Steps: []heloc.Step{heloc.StepMoreAssets, heloc.StepPayoff}, OperationID: operationID,
		DigestContent: append(incomeDigestContent(a.Income), a.AccountsToPayoff...),
		Prepare:       SaveChoice(l.d, heloc.OpAssetDepletion, Choice{Accounts: a.AccountsToPayoff}),
		Send: func(ctx context.Context, by heloc.OriginatorID) (partner.WriteResult, error) {
			return l.d.Lender.AssetDepletion(ctx, l.d.Row.App, by, a)
		},
	})
}

// AddIncome sends income through the deprecated operation (section 4.14).
func (l *Lead) AddIncome(ctx context.Context, operationID string, income heloc.Income) (lead.Operation, error) {
	if err := l.d.May(access.ActOnLead); err != nil {
		return lead.Operation{}, err
	}
	if err := l.checkIncome(income, "Enter income or savings", !income.NoAmount()); err != nil {
		return lead.Operation{}, err
	}
	return l.d.Submit(ctx, core.LeadWrite{
		Kind: heloc.OpAddIncome, Permission: access.ActOnLead, Steps: []heloc.Step{heloc.StepMoreAssets},
		OperationID:   operationID,
		DigestContent: incomeDigestContent(income),
		Send: func(ctx context.Context, by heloc.OriginatorID) (partner.WriteResult, error) {
			return l.d.Lender.AddIncome(ctx, l.d.Row.App, by, income)
		},
	})
}

// AddPropertyEstimate sends the borrower's own estimate of the value (section 4.16).
func (l *Lead) AddPropertyEstimate(ctx context.Context, operationID string, value heloc.Money) (lead.Operation, error) {
	return l.d.Submit(ctx, core.LeadWrite{
		Kind: heloc.OpPropertyValue, Permission: access.ActOnLead, Steps: []heloc.Step{heloc.StepPropertyValue},
		OperationID:   operationID,
		DigestContent: []string{value.String()},
		Send: func(ctx context.Context, by heloc.OriginatorID) (partner.WriteResult, error) {
			return l.d.Lender.AddPropertyEstimate(ctx, l.d.Row.App, by, value)
		},
	})
}

// SelectProperty selects one of the candidates that the lender returned (section 4.10).
func (l *Lead) SelectProperty(ctx context.Context, operationID, property string) (lead.Operation, error) {
	if err := l.d.May(access.ActOnLead); err != nil {
		return lead.Operation{}, err
	}
	parts, err := l.d.LoadParts(ctx)
	if err != nil {
		return lead.Operation{}, err
	}
	known, _, err := core.DecryptPart[heloc.MatchedProperties](l.d, parts, lead.PartProperties)
	if err != nil {
		return lead.Operation{}, err
	}
	found := slices.ContainsFunc(known.Properties, func(p heloc.MatchedProperty) bool { return p.ID == property })
	if !found || property == "" {
		return lead.Operation{}, fault.InvalidField("property.propertyId", "Choose the borrower’s property")
	}
	return l.d.Submit(ctx, core.LeadWrite{
		Kind: heloc.OpSelectProperty, Permission: access.ActOnLead, Steps: []heloc.Step{heloc.StepSelectProperty},
		OperationID:   operationID,
		DigestContent: []string{property},
		Send: func(ctx context.Context, by heloc.OriginatorID) (partner.WriteResult, error) {
			return l.d.Lender.SelectProperty(ctx, l.d.Row.App, by, property)
		},
	})
}

func incomeDigestContent(in heloc.Income) []string {
	return []string{
		string(in.EmploymentType), digestAmount(in.GrossAnnual),
		digestAmount(in.OtherAnnual), digestAmount(in.RetirementAnnual),
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
