package embed

import (
	"slices"
	"strings"

	"hearthline/internal/launch"
)

// ReferenceControl is the control of the intake that sends a record's id to the lender: the
// customer id for a person or company of the CRM, otherwise the reference id, or the other
// one if that control contains the portal's own number.
func (s *Service) ReferenceControl(record launch.Record) string {
	const reference, customer = "externalReferenceId", "externalCustomerId"
	people := []string{"contact", "person", "personaccount", "account", "customer", "client", "company", "borrower"}
	name := reference
	if slices.Contains(people, strings.ToLower(record.Type)) {
		name = customer
	}
	if s.ReservedReference == name {
		name = map[string]string{reference: customer, customer: reference}[name]
	}
	return "partnerDataRequest." + name
}
