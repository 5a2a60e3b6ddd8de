package core

import (
	"slices"

	"hearthline/internal/fault"
	"hearthline/internal/lead"
)

// CheckConsent refuses a consent that is not attested, or that is for a text other than the current one.
func (d Desk) CheckConsent(c lead.ConsentForm) (*lead.Consent, error) {
	var wrong []fault.Field
	if !slices.Contains(lead.ConsentMethods(), c.Method) {
		wrong = append(wrong, fault.Field{Name: "consent.method", Message: "Choose how the borrower agreed"})
	}
	if !c.Attested {
		wrong = append(wrong, fault.Field{Name: "consent.attested",
			Message: "Confirm that the borrower agreed to the disclosure"})
	}
	if c.Version != d.Consent.Version {
		wrong = append(wrong, fault.Field{Name: "consent.attested",
			Message: "The disclosure has changed since you opened this page. Read the new text to the borrower"})
	}
	if len(wrong) > 0 {
		return nil, fault.InvalidFields(wrong...)
	}
	return &lead.Consent{Method: c.Method, TextVersion: c.Version}, nil
}
