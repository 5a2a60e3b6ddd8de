package web

import (
	"net/http"

	"hearthline/internal/desk"
	"hearthline/internal/heloc"
	"hearthline/views/words"
)

// The handlers of what resolves a blocked step, each: read the form, one call.

func (s *Server) addSSN(w http.ResponseWriter, r *http.Request, l Lead) error {
	f, err := readForm(r)
	if err != nil {
		return err
	}
	ssn := f.ssn("applicant.ssn", "Enter all nine digits")
	return s.carry(w, r, l, attempt{act: "add-ssn", form: f}, func() (desk.Operation, error) {
		return l.AddSSN(r.Context(), f.ticket, ssn)
	})
}

func (s *Server) repullCredit(w http.ResponseWriter, r *http.Request, l Lead) error {
	f, err := readForm(r)
	if err != nil {
		return err
	}
	return s.carry(w, r, l, attempt{act: "repull-credit", form: f}, func() (desk.Operation, error) {
		return l.RepullCredit(r.Context(), f.ticket, f.consent())
	})
}

func (s *Server) verifyLiens(w http.ResponseWriter, r *http.Request, l Lead) error {
	f, err := readForm(r)
	if err != nil {
		return err
	}
	a := attempt{act: "verify-liens", form: f, status: http.StatusOK}
	if f.changesRows() {
		return s.handBack(w, r, l, a)
	}
	liens := f.liens("liens", s.viewer(r).today())
	if len(liens) == 0 && !f.bad() {
		f.complain("liens.0.lenderName", "Enter the loans on this home; one that is paid off has a balance of 0")
	}
	return s.carry(w, r, l, a, func() (desk.Operation, error) {
		return l.VerifyLiens(r.Context(), f.ticket, liens, f.spelt())
	})
}

func (s *Server) addIncome(w http.ResponseWriter, r *http.Request, l Lead) error {
	f, err := readForm(r)
	if err != nil {
		return err
	}
	income := f.income("income")
	return s.carry(w, r, l, attempt{act: "add-income", form: f}, func() (desk.Operation, error) {
		return l.AddIncome(r.Context(), f.ticket, income)
	})
}

func (s *Server) assetDepletion(w http.ResponseWriter, r *http.Request, l Lead) error {
	f, err := readForm(r)
	if err != nil {
		return err
	}
	a := heloc.AssetDepletion{Income: f.income("income"), AccountsToPayoff: f.list("liabilityPayoff.selectedAccountsToPayoff")}
	return s.carry(w, r, l, attempt{act: "asset-depletion", form: f}, func() (desk.Operation, error) {
		return l.AssetDepletion(r.Context(), f.ticket, a)
	})
}

func (s *Server) addPropertyEstimate(w http.ResponseWriter, r *http.Request, l Lead) error {
	f, err := readForm(r)
	if err != nil {
		return err
	}
	value := f.paid("propertyEstimate.borrowerEstimatedValue", "Enter what the borrower thinks it is worth")
	return s.carry(w, r, l, attempt{act: "add-property-estimate", form: f}, func() (desk.Operation, error) {
		return l.AddPropertyEstimate(r.Context(), f.ticket, *value)
	})
}

func (s *Server) selectProperty(w http.ResponseWriter, r *http.Request, l Lead) error {
	f, err := readForm(r)
	if err != nil {
		return err
	}
	return s.carry(w, r, l, attempt{act: "select-property", form: f}, func() (desk.Operation, error) {
		return l.SelectProperty(r.Context(), f.ticket, f.text("property.propertyId"))
	})
}

// income reads a block of income. Which of it the lender needs, the caller knows.
func (f *form) income(group string) heloc.Income {
	return heloc.Income{
		EmploymentType: heloc.EmploymentType(f.among(group+".employmentType", words.Employments(true))),
		GrossAnnual:    f.money(group + ".grossAnnualIncome"), OtherAnnual: f.money(group + ".otherAnnualIncome"),
		RetirementAnnual: f.money(group + ".annualRetirementIncome"), InvestmentAnnual: f.money(group + ".annualInvestmentIncome"),
		BusinessAnnual: f.money(group + ".annualBusinessIncome"), Savings: f.money(group + ".savingsAmount"),
	}
}

// liens reads the rows of a group. A row with anything in it must say what the lender
// asks of a lien; a current balance of nothing is one that was paid off.
func (f *form) liens(group string, today heloc.Date) []heloc.LienInput {
	var liens []heloc.LienInput
	for _, index := range f.rows(group) {
		at := group + "." + index + "."
		lien := heloc.LienInput{
			LienUUID:        f.text(at + "lienUuid"),
			LenderName:      f.spelled(at+"lenderName", heloc.SpellLender, "Letters, digits, dashes and apostrophes only"),
			OriginationDate: f.past(at+"originationDate", today),
			OriginalBalance: f.money(at + "originalBalance"), CurrentBalance: f.money(at + "currentBalance"), MonthlyPayment: f.money(at + "monthlyPayment"),
		}
		if lien.LenderName == "" {
			f.complain(at+"lenderName", "Enter the lender")
		}
		if lien.OriginationDate == "" {
			f.complain(at+"originationDate", "Enter the day it was opened")
		}
		if lien.OriginalBalance == nil {
			f.complain(at+"originalBalance", "Enter the original amount")
		}
		liens = append(liens, lien)
	}
	return liens
}
