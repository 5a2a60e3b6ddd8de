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
	who, where := heloc.FoldForSearch(a.Name.First+" "+a.Name.Last),
		heloc.FoldForSearch(in.Property.Address.Street1+" "+in.Property.Address.ZIP)
	if strings.TrimSpace(who) == "" || a.DateOfBirth == "" || strings.TrimSpace(where) == "" {
		return nil
	}
	return DuplicateKey{company, who, string(a.DateOfBirth), where}
}
