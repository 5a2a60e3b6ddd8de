package core

import (
	"context"

	"hearthline/internal/fault"
)

// CheckEligibleDebts refuses to pay off a debt that the lender does not list as eligible on this lead.
func (l Lead) CheckEligibleDebts(ctx context.Context, control string, accounts []string) error {
	if len(accounts) == 0 {
		return nil
	}
	details, _, err := l.Details(ctx)
	if err != nil {
		return err
	}
	eligible := map[string]bool{}
	if existing := details.App.Payoff.Existing; existing != nil {
		for _, debt := range existing.Eligible {
			eligible[debt.ID] = true
		}
	}
	for _, id := range accounts {
		if !eligible[id] {
			return fault.InvalidFields(fault.Field{Name: control,
				Message: "The lender can no longer pay off this debt. Choose from the debts listed"})
		}
	}
	return nil
}
