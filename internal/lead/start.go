package lead

import (
	"strings"

	"hearthline/internal/heloc"
)

// DuplicateKey is what two inquiries for the same borrower and property have in common: company, name, birth date,
// street and ZIP. It is empty when one of them is missing.
type DuplicateKey []string

// DuplicateKeyOf returns the key of an inquiry.
func DuplicateKeyOf(company string, in heloc.Inquiry) DuplicateKey {
	a := in.Applicant
	who, where := heloc.FoldForSearch(a.Name.First+" "+a.Name.Last), heloc.FoldForSearch(in.Property.Address.Street1+" "+in.Property.Address.ZIP)
	if strings.TrimSpace(who) == "" || a.DateOfBirth == "" || strings.TrimSpace(where) == "" {
		return nil
	}
	return DuplicateKey{company, who, string(a.DateOfBirth), where}
}

// StartSnapshot is what a start stores for its future lead: the data that the lender does not return, in the
// borrower's own spelling.
type StartSnapshot struct {
	Name            heloc.Name         `json:"name"`
	Phone           string             `json:"phone"`
	Email           string             `json:"email"`
	Address         heloc.Address      `json:"address"`
	PropertyType    heloc.PropertyType `json:"propertyType"`
	RequestedAmount heloc.Money        `json:"wanted"`
	References      []string           `json:"references,omitempty"` // record ids of other systems
	DuplicateKey    DuplicateKey       `json:"twin,omitempty"`       // for the blind index that finds duplicates
}
