package lead

import (
	"context"
	"net/http"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/web/form"
	"hearthline/web/page"
	"hearthline/web/workspace"
)

// operationForm is a form that answers a blocked step, or cancels the inquiry. Its URL ends in the name of the
// operation.
type operationForm struct {
	operation  heloc.Operation
	permission access.Permission
	parse      func(f *form.Form, today heloc.Date) send
}

// send sends what a form was parsed to. It is called only if the form has no errors.
type send func(context.Context, page.Lead) (lead.Operation, error)

func operationForms() []operationForm {
	return []operationForm{
		{heloc.OpAddSSN, access.SendSSN, func(f *form.Form, _ heloc.Date) send {
			ssn := f.Ssn("applicant.ssn", "Enter all 9 digits")
			return func(ctx context.Context, l page.Lead) (lead.Operation, error) {
				return l.AddSSN(ctx, f.OperationID, ssn)
			}
		}},
		{heloc.OpRepullCredit, access.ActOnLead, func(f *form.Form, _ heloc.Date) send {
			return func(ctx context.Context, l page.Lead) (lead.Operation, error) {
				return l.RepullCredit(ctx, f.OperationID, f.Consent())
			}
		}},
		{heloc.OpVerifyLiens, access.ActOnLead, func(f *form.Form, today heloc.Date) send {
			liens := f.Liens("liens", today)
			if len(liens) == 0 && !f.HasErrors() {
				f.AddError("liens.0.lenderName", "Enter all loans secured by this home; enter 0 for one that is paid off")
			}
			return func(ctx context.Context, l page.Lead) (lead.Operation, error) {
				return l.VerifyLiens(ctx, f.OperationID, liens, spellings(f))
			}
		}},
		{heloc.OpAddIncome, access.ActOnLead, func(f *form.Form, _ heloc.Date) send {
			income := f.Income("income")
			return func(ctx context.Context, l page.Lead) (lead.Operation, error) {
				return l.AddIncome(ctx, f.OperationID, income)
			}
		}},
		{heloc.OpAssetDepletion, access.ActOnLead, func(f *form.Form, _ heloc.Date) send {
			a := heloc.AssetDepletion{Income: f.Income("income"), AccountsToPayoff: f.UniqueValues(payoffControl)}
			return func(ctx context.Context, l page.Lead) (lead.Operation, error) {
				return l.AssetDepletion(ctx, f.OperationID, a)
			}
		}},
		{heloc.OpPropertyValue, access.ActOnLead, func(f *form.Form, _ heloc.Date) send {
			value := f.PositiveMoney("propertyEstimate.borrowerEstimatedValue", "Enter the borrower’s estimate of the value")
			return func(ctx context.Context, l page.Lead) (lead.Operation, error) {
				return l.AddPropertyEstimate(ctx, f.OperationID, *value)
			}
		}},
		{heloc.OpSelectProperty, access.ActOnLead, func(f *form.Form, _ heloc.Date) send {
			return func(ctx context.Context, l page.Lead) (lead.Operation, error) {
				return l.SelectProperty(ctx, f.OperationID, f.Text("property.propertyId"))
			}
		}},
		{heloc.OpCancel, access.CancelInquiry, func(f *form.Form, _ heloc.Date) send {
			f.RequireCheck("confirm.cancel", "Check this box to cancel the inquiry permanently")
			return func(ctx context.Context, l page.Lead) (lead.Operation, error) { return l.Cancel(ctx, f.OperationID) }
		}},
	}
}

// payoffControl is the control of the debts to pay off.
const payoffControl = "liabilityPayoff.selectedAccountsToPayoff"

// submitOperation returns the handler of a form that is sent to the lender.
func (h *Handlers) submitOperation(o operationForm) func(http.ResponseWriter, *http.Request, page.Lead,
	*form.Form) error {
	return func(w http.ResponseWriter, r *http.Request, l page.Lead, f *form.Form) error {
		a := page.SubmittedForm{Action: string(o.operation), Form: f, Status: http.StatusOK}
		if f.ApplyRowButtons() {
			return h.workspace.Redisplay(w, r, l, a)
		}
		send := o.parse(f, h.Viewer(r).Today())
		if f.IsChecked(workspace.RepeatControl) {
			l.ConfirmRepeat()
		}
		return h.workspace.Submit(w, r, l, a, func() (lead.Operation, error) { return send(r.Context(), l) })
	}
}
