package desk

import (
	"slices"
	"strings"

	"hearthline/internal/heloc"
)

// ControlValue is what a control of the intake with a fixed list takes for what a CRM says:
// a state by its name or letters, a choice in any case and with blanks or dashes. It is
// false for what the list does not have: that must not look selected. The text of any other
// control stays as it is.
func ControlValue(control, said string, live bool) (value string, ok bool) {
	if strings.HasSuffix(control, ".state") || control == "businessInfo.stateOfIncorporation" {
		return heloc.StateOf(said)
	}
	if control == "property.isListedForSale" {
		switch strings.ToLower(strings.TrimSpace(said)) {
		case "true", "yes", "y":
			return "true", true
		case "false", "no", "n":
			return "false", true
		}
		return "", false
	}
	values := listOf(control, live)
	if values == nil {
		return said, true
	}
	value = strings.Join(strings.FieldsFunc(strings.ToUpper(said), func(r rune) bool { return r == ' ' || r == '-' || r == '_' }), "_")
	if !slices.Contains(values, value) {
		return "", false
	}
	return value, true
}

// listOf are the values that a form offers for a control; nil for one without a list.
func listOf(control string, live bool) []string {
	switch control {
	case "applicant.income.employmentType":
		values := []string{"FULL_TIME", "PART_TIME", "SELF_EMPLOYED", "RETIRED", "UNEMPLOYED", "SEPARATE_MAINTENANCE_PAYMENTS", "OTHER"}
		if live {
			values = append(values, "ALIMONY", "CHILD_SUPPORT", "PUBLIC_ASSISTANCE_PROGRAM")
		}
		return values
	case "property.propertyType":
		return []string{"PRIMARY", "SECONDARY", "INVESTMENT"}
	case "property.ownershipType":
		return []string{"SOLE", "JOINT", "TRUST", "LLC", "OTHER"}
	case "businessInfo.entityType":
		return []string{"SOLE_PROPRIETORSHIP", "SINGLE_OWNER_LLC", "MULTI_OWNER_LLC", "PARTNERSHIP", "PARTNERSHIP_OR_LLC", "S_CORP"}
	default:
		return nil
	}
}
