package lead

import (
	"net/http"

	"hearthline/internal/desk"
	"hearthline/internal/heloc"
	"hearthline/web/page"
)

// The handlers of what resolves a blocked step, each: read the form, one call.

func (s *Handlers) AddSSN(w http.ResponseWriter, r *http.Request, l page.Lead) error {
	f, err := page.ReadForm(r)
	if err != nil {
		return err
	}
	ssn := f.Ssn("applicant.ssn", "Enter all nine digits")
	return s.Carry(w, r, l, page.Attempt{Act: "add-ssn", Form: f}, func() (desk.Operation, error) {
		return l.AddSSN(r.Context(), f.Ticket, ssn)
	})
}

func (s *Handlers) RepullCredit(w http.ResponseWriter, r *http.Request, l page.Lead) error {
	f, err := page.ReadForm(r)
	if err != nil {
		return err
	}
	return s.Carry(w, r, l, page.Attempt{Act: "repull-credit", Form: f}, func() (desk.Operation, error) {
		return l.RepullCredit(r.Context(), f.Ticket, f.Consent())
	})
}

func (s *Handlers) VerifyLiens(w http.ResponseWriter, r *http.Request, l page.Lead) error {
	f, err := page.ReadForm(r)
	if err != nil {
		return err
	}
	a := page.Attempt{Act: "verify-liens", Form: f, Status: http.StatusOK}
	if f.ChangesRows() {
		return s.HandBack(w, r, l, a)
	}
	liens := f.Liens("liens", s.Viewer(r).Today())
	if len(liens) == 0 && !f.Bad() {
		f.Complain("liens.0.lenderName", "Enter the loans on this home; one that is paid off has a balance of 0")
	}
	return s.Carry(w, r, l, a, func() (desk.Operation, error) {
		return l.VerifyLiens(r.Context(), f.Ticket, liens, spelt(f))
	})
}

func (s *Handlers) AddIncome(w http.ResponseWriter, r *http.Request, l page.Lead) error {
	f, err := page.ReadForm(r)
	if err != nil {
		return err
	}
	income := f.Income("income")
	return s.Carry(w, r, l, page.Attempt{Act: "add-income", Form: f}, func() (desk.Operation, error) {
		return l.AddIncome(r.Context(), f.Ticket, income)
	})
}

func (s *Handlers) AssetDepletion(w http.ResponseWriter, r *http.Request, l page.Lead) error {
	f, err := page.ReadForm(r)
	if err != nil {
		return err
	}
	a := heloc.AssetDepletion{Income: f.Income("income"), AccountsToPayoff: f.List("liabilityPayoff.selectedAccountsToPayoff")}
	return s.Carry(w, r, l, page.Attempt{Act: "asset-depletion", Form: f}, func() (desk.Operation, error) {
		return l.AssetDepletion(r.Context(), f.Ticket, a)
	})
}

func (s *Handlers) AddPropertyEstimate(w http.ResponseWriter, r *http.Request, l page.Lead) error {
	f, err := page.ReadForm(r)
	if err != nil {
		return err
	}
	value := f.Paid("propertyEstimate.borrowerEstimatedValue", "Enter what the borrower thinks it is worth")
	return s.Carry(w, r, l, page.Attempt{Act: "add-property-estimate", Form: f}, func() (desk.Operation, error) {
		return l.AddPropertyEstimate(r.Context(), f.Ticket, *value)
	})
}

func (s *Handlers) SelectProperty(w http.ResponseWriter, r *http.Request, l page.Lead) error {
	f, err := page.ReadForm(r)
	if err != nil {
		return err
	}
	return s.Carry(w, r, l, page.Attempt{Act: "select-property", Form: f}, func() (desk.Operation, error) {
		return l.SelectProperty(r.Context(), f.Ticket, f.Text("property.propertyId"))
	})
}
