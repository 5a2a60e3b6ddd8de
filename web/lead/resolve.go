package lead

import (
	"net/http"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/web/form"
	"hearthline/web/page"
)

// StepForm is a form that resolves a blocked step. Its URL ends in the name of the operation; the permission is
// ActOnLead or SendSSN.
type StepForm struct {
	Operation  heloc.Operation
	Permission access.Permission
	Submit     func(http.ResponseWriter, *http.Request, page.Lead, *form.Form) error
}

// StepForms lists the forms that resolve a blocked step. Each handler parses the form and makes one call.
func (s *Handlers) StepForms() []StepForm {
	return []StepForm{
		{heloc.OpAddSSN, access.SendSSN, s.AddSSN},
		{heloc.OpRepullCredit, access.ActOnLead, s.RepullCredit},
		{heloc.OpVerifyLiens, access.ActOnLead, s.VerifyLiens},
		{heloc.OpAddIncome, access.ActOnLead, s.AddIncome},
		{heloc.OpAssetDepletion, access.ActOnLead, s.AssetDepletion},
		{heloc.OpPropertyValue, access.ActOnLead, s.AddPropertyEstimate},
		{heloc.OpSelectProperty, access.ActOnLead, s.SelectProperty},
	}
}

// AddSSN sends the borrower's Social Security number.
func (s *Handlers) AddSSN(w http.ResponseWriter, r *http.Request, l page.Lead, f *form.Form) error {
	ssn := f.Ssn("applicant.ssn", "Enter all 9 digits")
	return s.workspace.Submit(w, r, l, page.SubmittedForm{Action: "add-ssn", Form: f}, func() (lead.Operation, error) {
		return l.AddSSN(r.Context(), f.OperationID, ssn)
	})
}

// RepullCredit requests the credit report again, with the borrower's consent.
func (s *Handlers) RepullCredit(w http.ResponseWriter, r *http.Request, l page.Lead, f *form.Form) error {
	return s.workspace.Submit(w, r, l, page.SubmittedForm{Action: "repull-credit", Form: f}, func() (lead.Operation, error) {
		return l.RepullCredit(r.Context(), f.OperationID, f.Consent())
	})
}

// VerifyLiens sends the liens on the property.
func (s *Handlers) VerifyLiens(w http.ResponseWriter, r *http.Request, l page.Lead, f *form.Form) error {
	a := page.SubmittedForm{Action: "verify-liens", Form: f, Status: http.StatusOK}
	if f.ApplyRowButtons() {
		return s.workspace.Redisplay(w, r, l, a)
	}
	liens := f.Liens("liens", s.Viewer(r).Today())
	if len(liens) == 0 && !f.HasErrors() {
		f.AddError("liens.0.lenderName", "Enter all loans secured by this home; enter 0 for one that is paid off")
	}
	return s.workspace.Submit(w, r, l, a, func() (lead.Operation, error) {
		return l.VerifyLiens(r.Context(), f.OperationID, liens, spellings(f))
	})
}

// AddIncome sends additional income.
func (s *Handlers) AddIncome(w http.ResponseWriter, r *http.Request, l page.Lead, f *form.Form) error {
	income := f.Income("income")
	return s.workspace.Submit(w, r, l, page.SubmittedForm{Action: "add-income", Form: f}, func() (lead.Operation, error) {
		return l.AddIncome(r.Context(), f.OperationID, income)
	})
}

// AssetDepletion sends assets to count as income, and debts to pay off.
func (s *Handlers) AssetDepletion(w http.ResponseWriter, r *http.Request, l page.Lead, f *form.Form) error {
	a := heloc.AssetDepletion{Income: f.Income("income"), AccountsToPayoff: f.UniqueValues("liabilityPayoff.selectedAccountsToPayoff")}
	return s.workspace.Submit(w, r, l, page.SubmittedForm{Action: "asset-depletion", Form: f}, func() (lead.Operation, error) {
		return l.AssetDepletion(r.Context(), f.OperationID, a)
	})
}

// AddPropertyEstimate sends the borrower's estimate of the property's value.
func (s *Handlers) AddPropertyEstimate(w http.ResponseWriter, r *http.Request, l page.Lead, f *form.Form) error {
	value := f.PositiveMoney("propertyEstimate.borrowerEstimatedValue", "Enter the borrower’s estimate of the value")
	return s.workspace.Submit(w, r, l, page.SubmittedForm{Action: "add-property-estimate", Form: f}, func() (lead.Operation, error) {
		return l.AddPropertyEstimate(r.Context(), f.OperationID, *value)
	})
}

// SelectProperty selects one of the lender's matches for an ambiguous address.
func (s *Handlers) SelectProperty(w http.ResponseWriter, r *http.Request, l page.Lead, f *form.Form) error {
	return s.workspace.Submit(w, r, l, page.SubmittedForm{Action: "select-property", Form: f}, func() (lead.Operation, error) {
		return l.SelectProperty(r.Context(), f.OperationID, f.Text("property.propertyId"))
	})
}
