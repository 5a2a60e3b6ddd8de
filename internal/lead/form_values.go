package lead

import (
	"maps"
	"slices"
	"strings"

	"hearthline/internal/heloc"
	"hearthline/internal/input"
)

// FormValues is what the intake form contains, by control name.
type FormValues map[string][]string

// Value returns the first value of a control.
func (f FormValues) Value(name string) string {
	if v := f[name]; len(v) > 0 {
		return v[0]
	}
	return ""
}

// HomeIsProperty is the control of the box which says that the borrower lives at the property.
const HomeIsProperty = "homeIsProperty"

const homeAddressPrefix = "applicant.homeAddress."

func isHomeAddressControl(control string) bool { return strings.HasPrefix(control, homeAddressPrefix) }

// CheckHomeByDefault checks the box as the form does: for a primary residence, unless another home is given.
func (f FormValues) CheckHomeByDefault() {
	if f.Value("property.propertyType") != string(heloc.PropertyPrimary) {
		return
	}
	for name := range f {
		if isHomeAddressControl(name) && strings.TrimSpace(f.Value(name)) != "" {
			return
		}
	}
	f[HomeIsProperty] = []string{"true"}
}

// LivesElsewhere reports whether the occupancy says that the borrower does not live at the property.
func (f FormValues) LivesElsewhere() bool {
	kind := heloc.PropertyType(f.Value("property.propertyType"))
	return kind == heloc.PropertySecondary || kind == heloc.PropertyInvestment
}

// isAsked reports whether the intake asks for a control: a borrower who lives at the property has no separate home
// address.
func isAsked(typed FormValues, control string) bool {
	return !isHomeAddressControl(control) || typed.Value(HomeIsProperty) != "true" || typed.LivesElsewhere()
}

// SentAs returns the control whose value is sent as that of the given one: for a borrower who lives at the property,
// the home address is the property's.
func SentAs(typed FormValues, control string) string {
	if part, home := strings.CutPrefix(control, homeAddressPrefix); home && !isAsked(typed, control) {
		return "property.address." + part
	}
	return control
}

// FillEmpty fills empty controls with the given values.
func FillEmpty(typed, given FormValues) {
	for name, values := range given {
		if strings.TrimSpace(given.Value(name)) != "" && strings.TrimSpace(typed.Value(name)) == "" && isAsked(typed, name) {
			typed[name] = values
		}
	}
}

// Storable removes what no form may store in a draft: the SSN, the consent, and the values that belong to one rendering
// of the form.
func (f FormValues) Storable() FormValues {
	values := maps.Clone(f)
	for name := range values {
		if strings.Contains(strings.ToLower(name), "ssn") || strings.HasPrefix(name, "consent.") ||
			strings.HasPrefix(name, "confirm.") || name == "operation" || name == "draft" || name == "draft.originator" {
			delete(values, name)
			continue
		}
		values[name] = withoutSSNs(values[name])
	}
	return values
}

// withoutSSNs masks Social Security numbers that were typed into another control.
func withoutSSNs(values []string) []string {
	masked := slices.Clone(values)
	for i := range masked {
		masked[i], _ = heloc.MaskSSNs(masked[i])
	}
	return masked
}

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
