package sandbox

import (
	"net/http"

	"hearthline/internal/heloc"
)

// addIncome is the deprecated half of asset depletion (section 4.14).
func (s *Sandbox) addIncome(r *http.Request) (any, error) {
	p, err := readPayload(r)
	if err != nil {
		return nil, err
	}
	return s.resolve(r, heloc.OpAddIncome, p, s.incomeComplaints(p, true), func(q *inquiryRecord) error {
		if err := p.decode("income", &q.Income); err != nil {
			return err
		}
		q.clearFirst()
		return nil
	})
}

// assetDepletion takes income, assets and debts to pay off (section 4.15). At
// PAYOFF_REQUIRED at least one debt must be chosen, for nothing else resolves it.
func (s *Sandbox) assetDepletion(r *http.Request) (any, error) {
	p, err := readPayload(r)
	if err != nil {
		return nil, err
	}
	complaints := s.incomeComplaints(p, false)
	accounts, ok := p.texts("liabilityPayoff.selectedAccountsToPayoff")
	if !ok {
		complaints = append(complaints, "The field liabilityPayoff.selectedAccountsToPayoff must be an array of strings.")
	}
	return s.resolve(r, heloc.OpAssetDepletion, p, complaints, func(q *inquiryRecord) error {
		if q.Step == heloc.StepPayoff && len(accounts) == 0 {
			return reject(http.StatusBadRequest, "At least one account must be selected for payoff.")
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

// incomeComplaints checks the income of both operations. The live lender requires an
// employment and gross pay even where only debts are chosen for payoff.
func (s *Sandbox) incomeComplaints(p payload, required bool) []string {
	c := &validator{payload: p}
	if required {
		c.required("income")
	}
	if s.cfg.Dialect == Live {
		c.required("income.employmentType", "income.grossAnnualIncome")
	}
	c.income("income")
	return c.errors
}
