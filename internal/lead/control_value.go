package lead

import (
	"slices"
	"strings"

	"hearthline/internal/heloc"
	"hearthline/internal/input"
)

// ControlValue converts a CRM's value to the one that an intake control with a fixed list accepts: a state by name or
// letters, a choice in any case and with spaces or dashes. It returns false for a value that is not in the list,
// which must not look selected. It does not change the text of any other control.
func ControlValue(control, given string, live bool) (value string, ok bool) {
	plain := input.Plain(given)
	if strings.HasSuffix(control, ".state") || control == "businessInfo.stateOfIncorporation" {
		return heloc.StateOf(plain)
	}
	if control == "applicant.name.prefix" {
		return strings.TrimSuffix(strings.TrimSpace(plain), "."), true // as the form offers it
	}
	if control == "property.isListedForSale" {
		switch strings.ToLower(strings.TrimSpace(plain)) {
		case "true", "yes", "y":
			return "true", true
		case "false", "no", "n":
			return "false", true
		}
		return "", false
	}
	values := listOf(control, live)
	if values == nil {
		return given, true
	}
	value = strings.Join(strings.FieldsFunc(strings.ToUpper(plain),
		func(r rune) bool { return r == ' ' || r == '-' || r == '_' }), "_")
	if !slices.Contains(values, value) {
		return "", false
	}
	return value, true
}

// listOf returns the values that a form offers for a control; nil for a control without a list.
func listOf(control string, live bool) []string {
	switch control {
	case "applicant.income.employmentType":
		values := []string{"FULL_TIME", "PART_TIME", "SELF_EMPLOYED", "RETIRED", "UNEMPLOYED",
			"SEPARATE_MAINTENANCE_PAYMENTS", "OTHER"}
		if live {
			values = append(values, "ALIMONY", "CHILD_SUPPORT", "PUBLIC_ASSISTANCE_PROGRAM")
		}
		return values
	case "property.propertyType":
		return []string{"PRIMARY", "SECONDARY", "INVESTMENT"}
	case "property.ownershipType":
		return []string{"SOLE", "JOINT", "TRUST", "LLC", "OTHER"}
	case "businessInfo.entityType":
		return []string{"SOLE_PROPRIETORSHIP", "SINGLE_OWNER_LLC", "MULTI_OWNER_LLC", "PARTNERSHIP",
			"PARTNERSHIP_OR_LLC", "S_CORP"}
	default:
		return nil
	}
}
