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
func (h *Handlers) StepForms() []StepForm {
	return []StepForm{
		{heloc.OpAddSSN, access.SendSSN, h.AddSSN},
		{heloc.OpRepullCredit, access.ActOnLead, h.RepullCredit},
		{heloc.OpVerifyLiens, access.ActOnLead, h.VerifyLiens},
		{heloc.OpAddIncome, access.ActOnLead, h.AddIncome},
		{heloc.OpAssetDepletion, access.ActOnLead, h.AssetDepletion},
		{heloc.OpPropertyValue, access.ActOnLead, h.AddPropertyEstimate},
		{heloc.OpSelectProperty, access.ActOnLead, h.SelectProperty},
	}
}

// AddSSN sends the borrower's Social Security number.
func (h *Handlers) AddSSN(w http.ResponseWriter, r *http.Request, l page.Lead, f *form.Form) error {
	ssn := f.Ssn("applicant.ssn", "Enter all 9 digits")
	return h.workspace.Submit(w, r, l, page.SubmittedForm{Action: "add-ssn", Form: f}, func() (lead.Operation, error) {
		return l.AddSSN(r.Context(), f.OperationID, ssn)
	})
}

// RepullCredit requests the credit report again, with the borrower's consent.
func (h *Handlers) RepullCredit(w http.ResponseWriter, r *http.Request, l page.Lead, f *form.Form) error {
	return h.workspace.Submit(w, r, l, page.SubmittedForm{Action: "repull-credit", Form: f}, func() (lead.Operation, error) {
		return l.RepullCredit(r.Context(), f.OperationID, f.Consent())
	})
}

// VerifyLiens sends the liens on the property.
func (h *Handlers) VerifyLiens(w http.ResponseWriter, r *http.Request, l page.Lead, f *form.Form) error {
	a := page.SubmittedForm{Action: "verify-liens", Form: f, Status: http.StatusOK}
	if f.ApplyRowButtons() {
		return h.workspace.Redisplay(w, r, l, a)
	}
	liens := f.Liens("liens", h.Viewer(r).Today())
	if len(liens) == 0 && !f.HasErrors() {
		f.AddError("liens.0.lenderName", "Enter all loans secured by this home; enter 0 for one that is paid off")
	}
	return h.workspace.Submit(w, r, l, a, func() (lead.Operation, error) {
		return l.VerifyLiens(r.Context(), f.OperationID, liens, spellings(f))
	})
}

// AddIncome sends additional income.
func (h *Handlers) AddIncome(w http.ResponseWriter, r *http.Request, l page.Lead, f *form.Form) error {
	income := f.Income("income")
	return h.workspace.Submit(w, r, l, page.SubmittedForm{Action: "add-income", Form: f}, func() (lead.Operation, error) {
		return l.AddIncome(r.Context(), f.OperationID, income)
	})
}

// AssetDepletion sends assets to count as income, and debts to pay off.
func (h *Handlers) AssetDepletion(w http.ResponseWriter, r *http.Request, l page.Lead, f *form.Form) error {
	a := heloc.AssetDepletion{Income: f.Income("income"), AccountsToPayoff: f.UniqueValues("liabilityPayoff.selectedAccountsToPayoff")}
	return h.workspace.Submit(w, r, l, page.SubmittedForm{Action: "asset-depletion", Form: f}, func() (lead.Operation, error) {
		return l.AssetDepletion(r.Context(), f.OperationID, a)
	})
}

// AddPropertyEstimate sends the borrower's estimate of the property's value.
func (h *Handlers) AddPropertyEstimate(w http.ResponseWriter, r *http.Request, l page.Lead, f *form.Form) error {
	value := f.PositiveMoney("propertyEstimate.borrowerEstimatedValue", "Enter the borrower’s estimate of the value")
	return h.workspace.Submit(w, r, l, page.SubmittedForm{Action: "add-property-estimate", Form: f}, func() (lead.Operation, error) {
		return l.AddPropertyEstimate(r.Context(), f.OperationID, *value)
	})
}

// SelectProperty selects one of the lender's matches for an ambiguous address.
func (h *Handlers) SelectProperty(w http.ResponseWriter, r *http.Request, l page.Lead, f *form.Form) error {
	return h.workspace.Submit(w, r, l, page.SubmittedForm{Action: "select-property", Form: f}, func() (lead.Operation, error) {
		return l.SelectProperty(r.Context(), f.OperationID, f.Text("property.propertyId"))
	})
}
