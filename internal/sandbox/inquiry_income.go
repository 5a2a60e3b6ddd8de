package sandbox

import (
	"net/http"

	"hearthline/internal/heloc"
)

// addIncome is the deprecated subset of asset depletion (section 4.14).
func (s *Sandbox) addIncome(r *http.Request) (any, error) {
	p, err := readPayload(r)
	if err != nil {
		return nil, err
	}
	return s.resolve(r, heloc.OpAddIncome, p, s.incomeErrors(p, true), func(q *inquiryRecord) error {
		if err := p.decode("income", &q.Income); err != nil {
			return err
		}
		q.clearFirst()
		return nil
	})
}

// assetDepletion accepts income, assets and debts to pay off (section 4.15). At
// PAYOFF_REQUIRED at least one debt must be selected, because nothing else resolves it.
func (s *Sandbox) assetDepletion(r *http.Request) (any, error) {
	p, err := readPayload(r)
	if err != nil {
		return nil, err
	}
	fieldErrors := s.incomeErrors(p, false)
	c := &validator{payload: p}
	c.objects("liabilityPayoff")
	fieldErrors = append(fieldErrors, c.errors...)
	accounts, ok := p.texts("liabilityPayoff.selectedAccountsToPayoff")
	if !ok {
		fieldErrors = append(fieldErrors, "The field liabilityPayoff.selectedAccountsToPayoff must be an array of strings.")
	}
	return s.resolve(r, heloc.OpAssetDepletion, p, fieldErrors, func(q *inquiryRecord) error {
		if q.Step == heloc.StepPayoff && len(accounts) == 0 {
			return reject(http.StatusBadRequest, "At least one account must be selected for payoff.")
		}
		// Debts to pay off only add to the income here (section 3).
		if _, ok := p.lookup("income"); q.Step == heloc.StepMoreAssets && !ok {
			return reject(http.StatusBadRequest, "The field income is required at the step %s.", q.Step)
		}
		if _, ok := q.eligibleDebts(accounts); !ok {
			return reject(http.StatusBadRequest, "An account selected for payoff is not eligible.")
		}
		if err := p.decode("income", &q.Income); err != nil {
			return err
		}
		q.PayoffAccounts = accounts
		q.clearFirst()
		return nil
	})
}

// incomeErrors validates the income of both operations. The live lender requires employment
// and gross pay even when only debts are selected for payoff.
func (s *Sandbox) incomeErrors(p payload, required bool) []string {
	c := &validator{payload: p}
	if required {
		c.required("income")
	}
	if s.cfg.Dialect == Live {
		c.required("income.employmentType", "income.grossAnnualIncome")
	}
	c.income("income", s.cfg.Dialect)
	return c.errors
}
