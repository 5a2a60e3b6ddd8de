package lead

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"hearthline/internal/access"
	"hearthline/internal/desk/internal/core"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/partner"
	"hearthline/internal/pii"
	"hearthline/internal/store"
	"hearthline/internal/vault"
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
